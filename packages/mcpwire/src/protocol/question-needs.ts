import type { ClientCapabilities } from './capabilities.ts';
import type { JsonObject } from './json.ts';

/** What each kind of question needs of a client, by its method (client/elicitation, client/sampling, client/roots). */
const NEEDS: { readonly [method: string]: (params: JsonObject) => ClientCapabilities } = {
  'elicitation/create': (params) => ({ elicitation: params['mode'] === 'url' ? { url: {} } : { form: {} } }),
  'sampling/createMessage': neededForSampling,
  'roots/list': () => ({ roots: {} }),
};

/** The capabilities that a client must have declared to be asked this; undefined where there is no such question. */
export function neededForQuestion(method: string, params: JsonObject): ClientCapabilities | undefined {
  return Object.hasOwn(NEEDS, method) ? NEEDS[method]?.(params) : undefined;
}

function neededForSampling(params: JsonObject): ClientCapabilities {
  const usesTools = params['tools'] !== undefined || params['toolChoice'] !== undefined;
  const usesContext = params['includeContext'] !== undefined && params['includeContext'] !== 'none';
  return { sampling: { ...(usesTools ? { tools: {} } : {}), ...(usesContext ? { context: {} } : {}) } };
}
