/** The head of an HTTP request, whatever the runtime. */
export interface HttpHead {
  /** Upper case, as on the wire. */
  readonly method: string;
  /** Path and query, as on the wire. */
  readonly target: string;
  /** Value of a header by its lower-case name; undefined where it is absent. */
  header(name: string): string | undefined;
}

/** A request that is turned away before any handler sees it. */
export interface Refusal {
  readonly status: number;
  /** Why, in a sentence; becomes the body. */
  readonly message: string;
  /** Flat list: name, value, name, value. */
  readonly headers?: readonly string[];
}
