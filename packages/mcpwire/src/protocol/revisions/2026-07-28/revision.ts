import { MetaKey } from '../../meta-keys.ts';
import type { Revision } from '../revision.ts';

/** Stateless: no handshake, no session; each request stands for itself. */
export const REVISION_2026_07_28: Revision = {
  version: '2026-07-28',
  era: 'modern',
  requiredMeta: [MetaKey.protocolVersion, MetaKey.clientCapabilities],
  mirroredHeaders: ['mcp-protocol-version', 'mcp-method', 'mcp-name'],
};
