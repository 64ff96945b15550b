import type { Caller } from '../protocol/handler.ts';

/**
 * Whether a caller may see and use something. What a caller can't see doesn't exist for it: it is in no list, and
 * using it is answered like an unknown name. Decide by the caller's credentials alone, never by earlier requests
 * (TOOL-06).
 */
export type Visible = (caller: Caller) => boolean;

export function isVisible(entry: { readonly visible?: Visible | undefined }, caller: Caller): boolean {
  return entry.visible === undefined || entry.visible(caller);
}
