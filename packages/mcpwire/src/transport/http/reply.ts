/** The way back to an HTTP client, whatever the runtime. */
export interface HttpReply {
  /** Sends a whole answer. `headers` is a flat list of names and values, added to the usual ones. */
  send(status: number, contentType: string | undefined, body: string, headers?: readonly string[]): void;
  /** Starts an event stream. */
  openStream(headers?: readonly string[]): void;
  /** Writes to the stream; the promise resolves when the client can take more. */
  write(text: string): Promise<void> | undefined;
  /** Ends the stream after `text`. */
  endStream(text: string): void;
}
