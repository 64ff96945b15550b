import type { Caller, Handler } from '../../protocol/handler.ts';
import { isJsonObject } from '../../protocol/json.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { MetaKey } from '../../protocol/meta-keys.ts';
import { omit } from '../../protocol/revisions/omit.ts';
import { translationTo } from '../../protocol/revisions/translate.ts';
import { envelopeOf } from './envelope.ts';
import type { SessionFacts } from './facts.ts';

/**
 * The result of `initialize`, made of what `server/discover` says, in the words of the negotiated revision. `isLone`:
 * no session follows, so nothing is promised that needs one.
 */
export async function initializeResult(
  handle: Handler,
  facts: SessionFacts,
  caller: Caller,
  isLone = false,
): Promise<JsonObject> {
  const exchange = { signal: new AbortController().signal, caller, notify: async () => {} };
  const discovered = await handle(
    { method: 'server/discover', params: { _meta: envelopeOf(facts, undefined) } },
    exchange,
  );
  const translation = translationTo(facts.version);
  const { capabilities, instructions } = discovered;
  const info = discovered._meta?.[MetaKey.serverInfo];
  const translated = translation.serverCapabilities(isJsonObject(capabilities) ? capabilities : {});
  return {
    protocolVersion: facts.version,
    capabilities: isLone ? withoutSession(translated) : translated,
    serverInfo: isJsonObject(info)
      ? translation.implementation(info)
      : { name: 'unnamed', version: 'unknown' },
    ...(typeof instructions === 'string' ? { instructions } : {}),
  };
}

/** Log levels, subscriptions and news of lists live in a session. */
function withoutSession(capabilities: JsonObject): JsonObject {
  const { logging: _logging, ...rest } = capabilities;
  return Object.fromEntries(
    Object.entries(rest).map(([name, settings]) => [
      name,
      isJsonObject(settings) ? omit(settings, 'listChanged', 'subscribe') : settings,
    ]),
  );
}
