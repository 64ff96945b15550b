import { saysOver } from '../async/abandoned.ts';

/** Why a request's signal was aborted. `name` is `AbortError`, so it behaves like the platform's own. */
export class CancelledError extends Error {
  override readonly name: string = 'AbortError';
  /** `caller`: cancelled or disconnected, nobody hears an answer. `closing`: this side ends; the answer still goes out. */
  readonly by: 'caller' | 'closing';

  constructor(by: 'caller' | 'closing', message: string) {
    super(message);
    this.by = by;
    saysOver(this);
  }
}
