import type { Revision } from '../revision.ts';

/** Brought Streamable HTTP, audio, tool annotations and batches. */
export const REVISION_2025_03_26: Revision = {
  version: '2025-03-26',
  era: 'legacy',
  requiredMeta: [],
  mirroredHeaders: [],
  hasBatches: true,
};
