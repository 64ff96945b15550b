import type { Caller } from '../protocol/handler.ts';
import { jsonType } from '../protocol/json.ts';
import { isPromise } from './run-handler.ts';
import type { ServerReport } from './settings.ts';

/**
 * Whether a caller may see and use something. What a caller can't see doesn't exist for it: it is in no list, and
 * using it is answered like an unknown name. Decide by the caller's credentials alone, never by earlier requests
 * (TOOL-06). Only `true`, given at once, shows.
 */
export type Visible = (caller: Caller) => boolean;

/**
 * A visibility that can't fail: where the author's function throws, or gives no boolean, the caller doesn't see the
 * entry. A promise is truthy whatever it comes to, so taking it for yes would show to all what was meant for few.
 */
export function safely(
  visible: Visible | undefined,
  subject: string,
  report: (report: ServerReport) => void,
): Visible | undefined {
  if (visible === undefined) return undefined;
  const hide = (why: string, error?: unknown): false => {
    report({ kind: 'visible-failed', message: `${subject} is hidden: its visible() ${why}`, error });
    return false;
  };
  return (caller) => {
    try {
      const shown: unknown = visible(caller);
      if (typeof shown === 'boolean') return shown;
      if (!isPromise(shown)) return hide(`returned ${jsonType(shown)}: it must return true or false`);
      Promise.resolve(shown).catch((error: unknown) => hide('returned a promise that was rejected', error));
      return hide('returned a promise: it must return true or false at once, without async');
    } catch (error) {
      return hide('threw', error);
    }
  };
}

export function isVisible(entry: { readonly visible?: Visible | undefined }, caller: Caller): boolean {
  return entry.visible === undefined || entry.visible(caller);
}
