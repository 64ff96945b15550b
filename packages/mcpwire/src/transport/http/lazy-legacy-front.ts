import { Connection } from './connection.ts';
import type { HttpHead } from './head.ts';
import type { Disconnectable, LegacyFront } from './legacy-front.ts';
import type { Reporter } from '../report.ts';
import type { HttpReply } from './reply.ts';

/** The legacy era, loaded when its first message comes: many servers never see one. */
export class LazyLegacyFront implements LegacyFront {
  readonly #load: () => Promise<LegacyFront>;
  #loading: Promise<LegacyFront> | undefined;
  #front: LegacyFront | undefined;

  readonly #report: Reporter;

  constructor(load: () => Promise<LegacyFront>, report: Reporter) {
    this.#load = load;
    this.#report = report;
  }

  post(value: unknown, head: HttpHead, reply: HttpReply): Disconnectable | undefined {
    if (this.#front !== undefined) return this.#front.post(value, head, reply);
    return this.#later((front) => front.post(value, head, reply), reply);
  }

  get(head: HttpHead, reply: HttpReply): Disconnectable | undefined {
    if (this.#front !== undefined) return this.#front.get(head, reply);
    return this.#later((front) => front.get(head, reply), reply);
  }

  delete(head: HttpHead, reply: HttpReply): void {
    this.#later((front) => {
      front.delete(head, reply);
      return undefined;
    }, reply);
  }

  async close(): Promise<void> {
    // Where it could not be loaded, that was told, and there is nothing to close.
    const front = await this.#loading?.catch(() => undefined);
    await front?.close();
  }

  abort(): void {
    this.#front?.abort();
  }

  #later(use: (front: LegacyFront) => Disconnectable | undefined, reply: HttpReply): Connection {
    const connection = new Connection();
    this.#loading ??= this.#load();
    this.#loading
      .then((front) => {
        this.#front = front;
        const target = use(front);
        if (target !== undefined) connection.attach(target);
      })
      .catch((error: unknown) => {
        this.#report({
          kind: 'legacy-failed',
          message: 'a message of the legacy era was answered 500',
          error,
        });
        reply.send(500, 'text/plain; charset=utf-8', 'the legacy era could not be loaded\n');
      });
    return connection;
  }
}
