import type { ServerCapabilities } from '../protocol/capabilities.ts';
import type { Implementation } from '../protocol/common-types.ts';
import type { Handler } from '../protocol/handler.ts';

/** What a server said of itself when it was connected to, in the words of the newest revision whatever its era. */
export interface ServerFacts {
  readonly era: 'modern' | 'legacy';
  /** The revision that is spoken on the wire. */
  readonly version: string;
  readonly capabilities: ServerCapabilities;
  /** Absent where the server doesn't say who it is. */
  readonly serverInfo?: Implementation;
  readonly instructions?: string;
}

/** A server that can be called: its handler speaks modern only, whatever crosses the wire behind it. */
export interface Connection {
  readonly handle: Handler;
  /** `stdio`, `http`, `sse`, `in-process`, or the name of a custom transport. */
  readonly transport: string;
  /** Of the newest connect: a server that was restarted may say something else than before. */
  readonly facts: ServerFacts;
  /** Whether its handler always ends at once when the signal of a request aborts: true of everything behind a wire. */
  readonly endsWithSignal?: boolean;
  /** Grows whenever the server is lost: what it knew of open calls is gone. Absent where that can't happen. */
  readonly generation?: number;
  /** What was seen of the server that may explain why an answer is missing. */
  hint?(): string | undefined;
  /** Ends it and resolves when nothing of it is left. */
  close(): Promise<void>;
}
