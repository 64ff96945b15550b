import type { Revision } from '../revision.ts';

/** Brought elicitation, structured content and titles; removed batches. */
export const REVISION_2025_06_18: Revision = {
  version: '2025-06-18',
  era: 'legacy',
  requiredMeta: [],
  mirroredHeaders: ['mcp-protocol-version'],
};
