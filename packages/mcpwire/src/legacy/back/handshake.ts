import type { ClientCapabilities, ServerCapabilities } from '../../protocol/capabilities.ts';
import type { Implementation } from '../../protocol/common-types.ts';
import { isJsonObject } from '../../protocol/json.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { LEGACY_VERSIONS } from '../../protocol/revisions/index.ts';
import type { Translation } from '../../protocol/revisions/translate.ts';
import { translationTo } from '../../protocol/revisions/translate.ts';
import { UpwardTranslation } from '../../protocol/revisions/translate-up.ts';
import { EraNegotiationError } from '../../transport/client/errors.ts';

/** What a handshake settled, in the words of the newest revision. */
export interface LegacyFacts {
  readonly era: 'legacy';
  /** The negotiated version, one of the legacy era. */
  readonly version: string;
  readonly capabilities: ServerCapabilities;
  readonly serverInfo?: Implementation;
  readonly instructions?: string;
}

/** The two ways between the newest revision and the server's. */
export interface Words {
  readonly down: Translation;
  readonly up: UpwardTranslation;
}

/** The params of `initialize` (lifecycle, "Initialization"). Nothing is declared that the caller lacks. */
export function initializeParams(
  version: string,
  capabilities: ClientCapabilities,
  clientInfo: Implementation,
): JsonObject {
  return {
    protocolVersion: version,
    capabilities: legacyCapabilities(version, capabilities),
    clientInfo: translationTo(version).implementation({ ...clientInfo }),
  };
}

/** The capabilities of a client in the words of an older revision; extensions are no part of any. */
function legacyCapabilities(version: string, capabilities: ClientCapabilities): JsonObject {
  const { elicitation, sampling, roots, experimental } = capabilities;
  const isNewest = version >= '2025-11-25';
  const hasForms =
    isJsonObject(elicitation) && (elicitation.form !== undefined || elicitation.url === undefined);
  return {
    ...(isJsonObject(elicitation) && isNewest ? { elicitation } : {}),
    ...(hasForms && !isNewest && version >= '2025-06-18' ? { elicitation: {} } : {}),
    ...(isJsonObject(sampling) ? { sampling: isNewest ? sampling : {} } : {}),
    ...(isJsonObject(roots) ? { roots: {} } : {}),
    ...(isJsonObject(experimental) ? { experimental } : {}),
  };
}

/**
 * The facts of an `initialize` result. A server that leaves out its capabilities or its name is taken as it is; one that
 * answers with a version that nobody knows can't be spoken to.
 */
export function readInitializeResult(result: JsonObject, offered: string): LegacyFacts {
  const { protocolVersion: version, capabilities, serverInfo, instructions } = result;
  if (typeof version !== 'string' || !LEGACY_VERSIONS.includes(version)) {
    const theirs = typeof version === 'string' ? version : JSON.stringify(version);
    throw new EraNegotiationError(
      `the server answered initialize with version ${theirs ?? 'none'}, which is none of ${LEGACY_VERSIONS.join(', ')}`,
      [offered],
      typeof version === 'string' ? [version] : [],
    );
  }
  const info = readImplementation(serverInfo);
  return {
    era: 'legacy',
    version,
    capabilities: readCapabilities(version, capabilities),
    ...(info === undefined ? {} : { serverInfo: info }),
    ...(typeof instructions === 'string' ? { instructions } : {}),
  };
}

/** Some servers say `true` for what they have, or `null` for what they don't. */
function readCapabilities(version: string, capabilities: unknown): ServerCapabilities {
  const declared = Object.entries(isJsonObject(capabilities) ? capabilities : {})
    .map(([name, settings]) => [name, settings === true ? {} : settings] as const)
    .filter(([, settings]) => isJsonObject(settings));
  return new UpwardTranslation(version).serverCapabilities(Object.fromEntries(declared));
}

function readImplementation(info: unknown): Implementation | undefined {
  if (!isJsonObject(info) || typeof info['name'] !== 'string') return undefined;
  return {
    ...info,
    name: info['name'],
    version: typeof info['version'] === 'string' ? info['version'] : 'unknown',
  };
}

export function wordsOf(version: string): Words {
  return { down: translationTo(version), up: new UpwardTranslation(version) };
}
