import type { BodyBudget } from './body-budget.ts';
import type { HttpHead, Refusal } from './head.ts';
import type { Disconnectable } from './legacy-front.ts';
import type { HttpSettings } from './options.ts';
import type { HttpReply } from './reply.ts';

/**
 * What a runtime adapter drives. It calls `admit` with the head, reads the body within the budget, then calls `post`;
 * what comes back wants to know when the client is gone.
 */
export interface Endpoint {
  readonly settings: HttpSettings;
  readonly bodies: BodyBudget;
  /** Answers what can be answered without a body. `body`: the body is to be read and given to `post`. */
  admit(head: HttpHead, reply: HttpReply): 'body' | Disconnectable | undefined;
  /** Takes the text of a body; undefined where the bytes were no UTF-8. */
  post(head: HttpHead, text: string | undefined, reply: HttpReply): Disconnectable | undefined;
  /** Sends a refusal: such a request was never a message. */
  refuse(refusal: Refusal, reply: HttpReply): void;
}

/** Refuses a request whose body somebody has read before: waiting for it would never end. `remedy` is for the log. */
export function refuseReadBody(remedy: string, endpoint: Endpoint, reply: HttpReply): void {
  endpoint.settings.report({
    kind: 'body-gone',
    message: `the body was read before mcpwire got the request: mount it before body parsers, or ${remedy}`,
  });
  endpoint.refuse({ status: 500, message: 'the server is mounted wrongly: its log says how' }, reply);
}
