import type { ClientCapabilities } from '../../protocol/capabilities.ts';
import type { Implementation } from '../../protocol/common-types.ts';
import { isJsonObject, jsonType } from '../../protocol/json.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { invalidParams } from '../../protocol/protocol-error.ts';
import { LEGACY_VERSIONS } from '../../protocol/revisions/index.ts';

/** What a handshake settled: all that a session is made of. It never changes while the session lives. */
export interface SessionFacts {
  /** The negotiated version, one of the legacy era. */
  readonly version: string;
  readonly clientCapabilities: ClientCapabilities;
  readonly clientInfo: Implementation;
}

/**
 * The facts of an `initialize` request (lifecycle, "Initialization"): the client's version where it is served here,
 * else the newest legacy one, which the client takes or leaves.
 */
export function negotiate(params: JsonObject): SessionFacts {
  const { protocolVersion, capabilities, clientInfo } = params;
  if (typeof protocolVersion !== 'string') {
    throw invalidParams(`params.protocolVersion must be a string, got ${jsonType(protocolVersion)}`);
  }
  if (capabilities !== undefined && !isJsonObject(capabilities)) {
    throw invalidParams(`params.capabilities must be an object, got ${jsonType(capabilities)}`);
  }
  if (clientInfo !== undefined && !isJsonObject(clientInfo)) {
    throw invalidParams(`params.clientInfo must be an object, got ${jsonType(clientInfo)}`);
  }
  const version = LEGACY_VERSIONS.includes(protocolVersion) ? protocolVersion : (LEGACY_VERSIONS[0] ?? '');
  return {
    version,
    clientCapabilities: capabilitiesOf(version, capabilities ?? {}),
    clientInfo: {
      name: typeof clientInfo?.['name'] === 'string' ? clientInfo['name'] : 'unknown',
      version: typeof clientInfo?.['version'] === 'string' ? clientInfo['version'] : 'unknown',
    },
  };
}

/** The declared capabilities, as far as the negotiated revision has them. */
function capabilitiesOf(version: string, declared: JsonObject): ClientCapabilities {
  const { elicitation, sampling, roots, experimental } = declared;
  return {
    ...(isJsonObject(elicitation) && version >= '2025-06-18'
      ? { elicitation: version >= '2025-11-25' ? elicitation : { form: {} } }
      : {}),
    // Before 2025-11-25 whoever samples may be asked for context; since then it is a capability of its own.
    ...(isJsonObject(sampling) ? { sampling: version >= '2025-11-25' ? sampling : { context: {} } } : {}),
    ...(isJsonObject(roots) ? { roots: {} } : {}),
    ...(isJsonObject(experimental)
      ? { experimental: experimental as ClientCapabilities['experimental'] & object }
      : {}),
  };
}
