import type { Handler } from '../../protocol/handler.ts';
import type { ServerFacts } from '../connection.ts';
import type { EraVerdict } from './verdict.ts';

/** A server whose era is known and that is ready for requests. */
export interface Established {
  readonly handle: Handler;
  readonly facts: ServerFacts;
  readonly transport: string;
  /** Undefined where what was seen is no lasting evidence. */
  readonly verdict: EraVerdict | undefined;
  /** Resolves when the link is gone, though nobody closed it. */
  readonly closed: Promise<Error>;
  /** What was seen that may explain why an answer is missing. */
  hint(): string | undefined;
  close(): Promise<void>;
}
