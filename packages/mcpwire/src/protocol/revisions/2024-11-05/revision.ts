import type { Revision } from '../revision.ts';

/** The first revision. */
export const REVISION_2024_11_05: Revision = {
  version: '2024-11-05',
  era: 'legacy',
  requiredMeta: [],
  mirroredHeaders: [],
};
