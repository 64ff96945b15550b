import type { InferOutput, SchemaLike } from '../../json-schema/schema.ts';
import type { CreateMessageRequestParams, CreateMessageResult, Root } from '../../protocol/input.ts';

/** A form for the user: a message and the fields, as a flat object of primitives (client/elicitation, "Form Mode"). */
export interface ElicitForm<S extends SchemaLike> {
  readonly message: string;
  readonly schema: S;
}

/** What a user did with a form. A decline is a value, not an exception. */
export type Elicited<T> =
  | { readonly action: 'accept'; readonly content: T }
  | { readonly action: 'decline'; readonly content?: undefined }
  | { readonly action: 'cancel'; readonly content?: undefined };

/** A page for the user to visit (client/elicitation, "URL Mode"). */
export interface ElicitUrl {
  readonly message: string;
  readonly url: string;
}

/** What a user did with a URL. `accept` is consent to open it, not the end of what happens there. */
export interface ElicitedUrl {
  readonly action: 'accept' | 'decline' | 'cancel';
}

/** What a client may be able to do for a handler. */
export type Ask = 'elicit' | 'elicitUrl' | 'sample' | 'sampleWithTools' | 'roots';

/**
 * Asking the client in the middle of the work, as if it were one function (basic/patterns/mrtr). Each ask has a key of
 * the author's, unique within the handler. Where the answer isn't known yet, the call is suspended and the handler runs
 * again from the top once it is: answered asks and finished steps return at once then. So everything with an effect
 * belongs into a `step`, and what is asked must not depend on anything that changes from run to run.
 */
export interface Asking {
  /** Asks the user to fill in a form. Rejects with -32021 where the client can't be asked. */
  elicit<S extends SchemaLike>(key: string, form: ElicitForm<S>): Promise<Elicited<InferOutput<S>>>;
  /** Asks the user to visit a page. */
  elicitUrl(key: string, page: ElicitUrl): Promise<ElicitedUrl>;
  /** Asks the client's model for a message. */
  sample(key: string, params: CreateMessageRequestParams): Promise<CreateMessageResult>;
  /** Asks the client for its roots. */
  roots(key?: string): Promise<readonly Root[]>;
  /** Runs a function once in the whole call: later rounds get its result, which must be JSON, without running it. */
  step<T>(name: string, run: () => T | Promise<T>): Promise<T>;
  /** Whether the client can be asked this. */
  can(ask: Ask): boolean;
}
