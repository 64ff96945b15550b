import type { JsonObject } from '../../protocol/json.ts';
import type { Leg } from './leg.ts';

/** Where the progress of one request goes: to the leg that is open, nowhere while there is none. */
export class ProgressRoute {
  leg: Leg | undefined;
  #last = -Infinity;

  /** Progress rises with every notification, also from one leg to the next (PROG-03). */
  tell(params: JsonObject): void {
    const { progress } = params;
    const token = this.leg?.progressToken;
    if (typeof progress !== 'number' || !(progress > this.#last) || token === undefined) return;
    this.#last = progress;
    this.leg?.notify({ method: 'notifications/progress', params: { ...params, progressToken: token } });
  }
}

/**
 * The progress tokens that the server is given. Callers choose theirs without knowing of one another, so each request
 * gets one that is unique here, and an integer, as the official client has always sent (PROG-02).
 */
export class ProgressTokens {
  readonly #routes = new Map<number, ProgressRoute>();
  #next = 1;

  mint(route: ProgressRoute): number {
    const token = this.#next++;
    this.#routes.set(token, route);
    return token;
  }

  release(token: number | undefined): void {
    if (token !== undefined) this.#routes.delete(token);
  }

  /** False where no open request has the token: progress may come too late. */
  hear(params: JsonObject): boolean {
    const { progressToken: token } = params;
    // Some servers give a number back as a text.
    const own = typeof token === 'string' ? Number(token) : token;
    const route = typeof own === 'number' ? this.#routes.get(own) : undefined;
    route?.tell(params);
    return route !== undefined;
  }
}
