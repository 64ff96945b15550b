import { Deadline, TimeoutError } from '../async/with-timeout.ts';
import { saysOver } from '../async/abandoned.ts';
import type { CallContext } from './call-context.ts';

/** A value now or later: synchronous handlers stay synchronous. */
export type MaybePromise<T> = T | Promise<T>;

export function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && typeof (value as Promise<T>).then === 'function';
}

/** Goes on with a value now or later. */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return isPromise(value) ? value.then(next) : next(value);
}

/** Runs an author's handler with an end to its time: after it the caller gets an error, whatever the handler does. */
export function runHandler<T>(
  run: () => MaybePromise<T>,
  context: CallContext,
  timeoutMs: number,
): MaybePromise<T> {
  const value = run();
  if (!isPromise(value)) {
    context.handlerDone();
    return value;
  }
  // A lazy thenable, a query say, begins its work anew with each `then`: it gets one.
  const work = value instanceof Promise ? value : Promise.resolve(value);
  return outcomeOf(work, context, timeoutMs);
}

async function outcomeOf<T>(work: Promise<T>, context: CallContext, timeoutMs: number): Promise<T> {
  // Most async handlers are done within the turn they started in: those need no timer, and no way to be suspended.
  let pending = true;
  const settled = (): void => {
    pending = false;
  };
  work.then(settled, settled);
  // oxlint-disable-next-line typescript/await-thenable -- waits for one turn, and a promise would cost more
  for (let turn = 0; turn < 4 && pending; turn++) await undefined;
  if (!pending && !context.hasAsked) {
    context.handlerDone();
    return work;
  }
  const outcome = context.outcome(work);
  if (timeoutMs === 0) return outcome;
  const deadline = new Deadline(timeoutMs, () => context.abort(saysOver(new TimeoutError('the time is up'))));
  context.watch(deadline);
  return deadline.race(outcome);
}
