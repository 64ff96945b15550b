import { isJsonObject } from '../../protocol/json.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { SessionCall } from './session-call.ts';

/**
 * The URLs that one request has asked its client to open (2025-11-25 client/elicitation, "URL Mode"). What goes on there
 * ends outside of the protocol, so each has an id, and the client is told when it is done.
 */
export class OpenUrls {
  readonly #ids = new Map<string, string>();

  /** The id for this question. Asked again, it is the same one. */
  idFor(key: string): string {
    const id = this.#ids.get(key) ?? crypto.randomUUID();
    this.#ids.set(key, id);
    return id;
  }

  /** Where the person did not consent nothing was opened. */
  settle(inputResponses: JsonObject): void {
    for (const [key, answer] of Object.entries(inputResponses)) {
      if (isJsonObject(answer) && answer['action'] !== 'accept') this.#ids.delete(key);
    }
  }

  /** Tells the client that what a URL was opened for is done: the handler asks for it no longer. */
  async complete(asked: JsonObject, call: SessionCall): Promise<void> {
    for (const [key, elicitationId] of this.#ids) {
      if (Object.hasOwn(asked, key)) continue;
      this.#ids.delete(key);
      await call.notify({ method: 'notifications/elicitation/complete', params: { elicitationId } });
    }
  }
}
