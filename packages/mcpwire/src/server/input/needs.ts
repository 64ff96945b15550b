import type { ClientCapabilities } from '../../protocol/capabilities.ts';
import type { Ask } from './ask-types.ts';

/** What a client must declare to be asked. */
export const NEEDS: { readonly [ask in Ask]: ClientCapabilities } = {
  elicit: { elicitation: { form: {} } },
  elicitUrl: { elicitation: { url: {} } },
  sample: { sampling: {} },
  sampleWithTools: { sampling: { tools: {} } },
  roots: { roots: {} },
};
