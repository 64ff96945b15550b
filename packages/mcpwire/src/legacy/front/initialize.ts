import type { Caller, Handler } from '../../protocol/handler.ts';
import { isJsonObject } from '../../protocol/json.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { MetaKey } from '../../protocol/meta-keys.ts';
import { translationTo } from '../../protocol/revisions/translate.ts';
import { toModernParams } from './envelope.ts';
import type { SessionFacts } from './facts.ts';

/** The result of `initialize`, made of what `server/discover` says, in the words of the negotiated revision. */
export async function initializeResult(
  handle: Handler,
  facts: SessionFacts,
  caller: Caller,
): Promise<JsonObject> {
  const exchange = { signal: new AbortController().signal, caller, notify: async () => {} };
  const discovered = await handle(
    { method: 'server/discover', params: toModernParams({}, facts, undefined) },
    exchange,
  );
  const translation = translationTo(facts.version);
  const { capabilities, instructions } = discovered;
  const info = discovered._meta?.[MetaKey.serverInfo];
  return {
    protocolVersion: facts.version,
    capabilities: translation.serverCapabilities(isJsonObject(capabilities) ? capabilities : {}),
    serverInfo: isJsonObject(info)
      ? translation.implementation(info)
      : { name: 'unnamed', version: 'unknown' },
    ...(typeof instructions === 'string' ? { instructions } : {}),
  };
}
