import type { ClientCapabilities } from '../../protocol/capabilities.ts';
import type { ClientOptions } from '../options.ts';

/** The capabilities that a client with these options declares: what it has handlers for, and nothing else. */
export function capabilitiesOf(options: ClientOptions): ClientCapabilities {
  const modes = options.elicitModes ?? ['form', 'url'];
  const { tools, context } = options.sampling ?? {};
  return {
    ...(options.onElicit === undefined
      ? {}
      : { elicitation: Object.fromEntries(modes.map((mode) => [mode, {}])) }),
    ...(options.onSample === undefined
      ? {}
      : {
          sampling: {
            ...(tools === true ? { tools: {} } : {}),
            ...(context === true ? { context: {} } : {}),
          },
        }),
    ...(options.roots === undefined ? {} : { roots: {} }),
  };
}
