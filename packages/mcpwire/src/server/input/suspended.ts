import { saysOver } from '../../async/abandoned.ts';

/**
 * Why a run of a handler ends before its time: it asked for something whose answer comes with a later run. Pending asks
 * reject with it, and `signal.reason` is it, so that `finally` blocks run. Catching it changes nothing: the question is
 * on its way.
 */
export class SuspendedError extends Error {
  override readonly name: string = 'SuspendedError';

  constructor() {
    super('suspended for input: the handler runs again once the answer is there');
    saysOver(this);
  }
}
