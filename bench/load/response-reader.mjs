// Reads HTTP/1.1 responses one at a time from a keep-alive connection: just enough for a cheap load
// generator, and strict, so that a peer that answers anything unexpected is noticed.
const blankLine = Buffer.from('\r\n\r\n');
const lastChunk = '0\r\n\r\n';

export class ResponseReader {
  #parts = [];
  #length = 0;
  #head;

  /** The body, once it is complete. */
  push(part) {
    this.#parts.push(part);
    this.#length += part.length;
    this.#head ??= parseHead(this.#join());
    if (!this.#head) return undefined;
    return this.#head.chunked ? this.#chunkedBody() : this.#plainBody();
  }

  #plainBody() {
    const end = this.#head.length + this.#head.contentLength;
    if (this.#length < end) return undefined;
    if (this.#length > end) throw new Error('bytes after the end of the response');
    return this.#finish();
  }

  #chunkedBody() {
    const last = this.#parts.at(-1);
    const tail = last.length >= lastChunk.length ? last : this.#join();
    if (tail.toString('latin1', tail.length - lastChunk.length) !== lastChunk) return undefined;
    const bytes = this.#join();
    const body = decodeChunks(bytes.subarray(this.#head.length));
    if (body) this.#finish();
    return body;
  }

  #finish() {
    const body = this.#join().subarray(this.#head.length);
    this.#parts = [];
    this.#length = 0;
    this.#head = undefined;
    return body;
  }

  #join() {
    if (this.#parts.length > 1) this.#parts = [Buffer.concat(this.#parts)];
    return this.#parts[0];
  }
}

function parseHead(bytes) {
  const end = bytes.indexOf(blankLine);
  if (end === -1) return undefined;
  const text = bytes.toString('latin1', 0, end).toLowerCase();
  if (!text.startsWith('http/1.1 200 ')) throw new Error(`${text} ${bytes.subarray(end, end + 500)}`);
  if (!/\ncontent-type: *application\/json/.test(text)) throw new Error(`not JSON: ${text}`);
  if (/\nconnection: *close/.test(text)) throw new Error('the peer closes the connection');
  const chunked = /\ntransfer-encoding: *chunked/.test(text);
  const contentLength = /\ncontent-length: *(\d+)/.exec(text)?.[1];
  if (!chunked && contentLength === undefined) throw new Error(`no length: ${text}`);
  return { length: end + blankLine.length, chunked, contentLength: Number(contentLength) };
}

/** Undefined when a chunk that happens to end like the last one isn't the last. */
function decodeChunks(bytes) {
  const parts = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.toString('latin1', at, end), 16);
    if (size === 0) return Buffer.concat(parts);
    parts.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
  return undefined;
}
