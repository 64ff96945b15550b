import type { Revision } from '../revision.ts';

/** The last revision with a handshake. */
export const REVISION_2025_11_25: Revision = {
  version: '2025-11-25',
  era: 'legacy',
  requiredMeta: [],
  mirroredHeaders: ['mcp-protocol-version'],
};
