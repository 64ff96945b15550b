import { ProtocolViolationError } from '../errors.ts';

/** One server-sent event. */
export interface SentEvent {
  /** `message` where the server names none. */
  readonly event: string;
  readonly data: string;
  /** The id of this event, for coming back after a lost connection. */
  readonly id: string | undefined;
}

export interface EventHandlers {
  event(event: SentEvent): void;
  /** The server says how long to wait before coming back, in milliseconds. */
  retry?(ms: number): void;
}

const LF = 0x0a;
const CR = 0x0d;

/**
 * Reads a stream of server-sent events piece by piece. Work is linear in the bytes, whatever the pieces; an event beyond
 * the bound throws, and so does nothing else: fields that are unknown or malformed are skipped, as that format wants it.
 */
export class EventReader {
  readonly #maxBytes: number;
  readonly #handlers: EventHandlers;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #pieces: Uint8Array[] = [];
  /** Bytes of the event under way, its lines so far and what is held of the next. */
  #size = 0;
  #data: string[] = [];
  #event = '';
  #id: string | undefined;
  #isFirst = true;
  #skipLf = false;

  constructor(maxBytes: number, handlers: EventHandlers) {
    this.#maxBytes = maxBytes;
    this.#handlers = handlers;
  }

  push(chunk: Uint8Array): void {
    let start = this.#afterCr(chunk, 0);
    let lf = chunk.indexOf(LF, start);
    let cr = chunk.indexOf(CR, start);
    for (;;) {
      const end = lf === -1 || (cr !== -1 && cr < lf) ? cr : lf;
      if (end === -1) break;
      this.#line(chunk.subarray(start, end));
      start = end + 1;
      if (end === cr) {
        this.#skipLf = true;
        start = this.#afterCr(chunk, start);
      }
      lf = nextOf(chunk, LF, lf, start);
      cr = nextOf(chunk, CR, cr, start);
    }
    if (start < chunk.length) {
      this.#pieces.push(start === 0 ? chunk : chunk.subarray(start));
      this.#count(chunk.length - start);
    }
  }

  /** A line feed after a carriage return belongs to the same line end, also where the pieces part them. */
  #afterCr(chunk: Uint8Array, start: number): number {
    if (!this.#skipLf || start >= chunk.length) return start;
    this.#skipLf = false;
    return chunk[start] === LF ? start + 1 : start;
  }

  #line(last: Uint8Array): void {
    this.#count(last.length);
    let text: string;
    if (this.#pieces.length === 0) {
      text = this.#decoder.decode(last);
    } else {
      const decoded = this.#pieces.map((piece) => this.#decoder.decode(piece, { stream: true }));
      text = decoded.join('') + this.#decoder.decode(last);
      this.#pieces = [];
    }
    if (this.#isFirst) {
      this.#isFirst = false;
      if (text.startsWith('\uFEFF')) text = text.slice(1);
    }
    if (text === '') this.#dispatch();
    else this.#field(text);
  }

  #field(line: string): void {
    const colon = line.indexOf(':');
    if (colon === 0) {
      // A comment keeps the connection alive and says nothing (HTTP-21).
      if (this.#data.length === 0) this.#size = 0;
      return;
    }
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (name === 'data') this.#data.push(value);
    else if (name === 'event') this.#event = value;
    else if (name === 'id' && !value.includes('\0')) this.#id = value;
    else if (name === 'retry' && /^\d+$/.test(value)) this.#handlers.retry?.(Number(value));
  }

  #dispatch(): void {
    const data = this.#data;
    const event = this.#event;
    const id = this.#id;
    this.#data = [];
    this.#event = '';
    this.#id = undefined;
    this.#size = 0;
    // An id without data still marks a place to come back to.
    if (data.length === 0 && id === undefined) return;
    this.#handlers.event({ event: event === '' ? 'message' : event, data: data.join('\n'), id });
  }

  #count(bytes: number): void {
    this.#size += bytes;
    if (this.#size > this.#maxBytes) {
      throw new ProtocolViolationError(`an event of more than ${this.#maxBytes} bytes`, undefined, '');
    }
  }
}

/** Where a byte stands next; looked for only once the last place is passed, so that no byte is looked at again. */
function nextOf(chunk: Uint8Array, byte: number, last: number, start: number): number {
  return last === -1 || last >= start ? last : chunk.indexOf(byte, start);
}
