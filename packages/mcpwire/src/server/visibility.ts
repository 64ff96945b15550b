import type { Caller } from '../protocol/handler.ts';
import type { ServerReport } from './settings.ts';

/**
 * Whether a caller may see and use something. What a caller can't see doesn't exist for it: it is in no list, and
 * using it is answered like an unknown name. Decide by the caller's credentials alone, never by earlier requests
 * (TOOL-06).
 */
export type Visible = (caller: Caller) => boolean;

/** A visibility that can't fail: where the author's function throws, the caller doesn't see the entry. */
export function safely(
  visible: Visible | undefined,
  subject: string,
  report: (report: ServerReport) => void,
): Visible | undefined {
  if (visible === undefined) return undefined;
  return (caller) => {
    try {
      return visible(caller);
    } catch (error) {
      report({ kind: 'visible-failed', message: `${subject} is hidden: its visible() threw`, error });
      return false;
    }
  };
}

export function isVisible(entry: { readonly visible?: Visible | undefined }, caller: Caller): boolean {
  return entry.visible === undefined || entry.visible(caller);
}
