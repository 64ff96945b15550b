const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** How much of a line that is too long is kept, to look for its id. */
const HEAD = 1024;

export interface LineHandlers {
  /** One line without its line break and without a trailing CR; never empty. The bytes are valid during the call only. */
  line(bytes: Uint8Array): void;
  /** A line went over the bound; `head` is its beginning. The rest is skipped up to the next line break. */
  tooLong(head: Uint8Array): void;
}

/**
 * Cuts a byte stream into lines at 0x0A only: U+2028, U+0085 and a lone CR are data. Work is linear in the bytes,
 * whatever the chunks: pieces of a line are kept as they come and joined once.
 */
export class LineSplitter {
  readonly #maxBytes: number;
  readonly #handlers: LineHandlers;
  #pieces: Uint8Array[] = [];
  #held = 0;
  #skipping = false;

  constructor(maxBytes: number, handlers: LineHandlers) {
    this.#maxBytes = maxBytes;
    this.#handlers = handlers;
  }

  push(chunk: Uint8Array): void {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end === -1) break;
      this.#finish(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) this.#hold(start === 0 ? chunk : chunk.subarray(start));
  }

  /** The stream is over: what is left counts as a line. */
  end(): void {
    this.#finish(new Uint8Array(0));
  }

  #hold(piece: Uint8Array): void {
    if (this.#skipping) return;
    this.#pieces.push(piece);
    this.#held += piece.length;
    if (this.#held > this.#maxBytes) this.#overflow();
  }

  #finish(last: Uint8Array): void {
    if (this.#skipping) {
      this.#skipping = false;
      return;
    }
    let line = last;
    if (this.#held > 0) {
      this.#hold(last);
      if (this.#skipping) {
        this.#skipping = false;
        return;
      }
      line = concat(this.#pieces, this.#held);
      this.#clear();
    } else if (line.length > this.#maxBytes) {
      this.#handlers.tooLong(line.subarray(0, HEAD));
      return;
    }
    const length = line.length;
    if (length > 0 && line[length - 1] === CARRIAGE_RETURN) line = line.subarray(0, length - 1);
    if (!isBlank(line)) this.#handlers.line(line);
  }

  #overflow(): void {
    const head = concat(this.#pieces, this.#held, HEAD);
    this.#clear();
    this.#skipping = true;
    this.#handlers.tooLong(head);
  }

  #clear(): void {
    this.#pieces = [];
    this.#held = 0;
  }
}

function concat(pieces: readonly Uint8Array[], total: number, limit = total): Uint8Array {
  const joined = new Uint8Array(Math.min(total, limit));
  let at = 0;
  for (const piece of pieces) {
    if (at >= joined.length) break;
    joined.set(piece.length > joined.length - at ? piece.subarray(0, joined.length - at) : piece, at);
    at += piece.length;
  }
  return joined;
}

function isBlank(line: Uint8Array): boolean {
  for (let at = 0; at < line.length; at++) {
    const byte = line[at];
    if (byte !== 0x20 && byte !== 0x09 && byte !== CARRIAGE_RETURN) return false;
  }
  return true;
}
