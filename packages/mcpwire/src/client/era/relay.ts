import type { Incoming, LinkEvents } from '../../transport/client/link.ts';

/** Takes a link's events before it is known who they are for. */
export class Relay implements LinkEvents {
  /** Resolves when the link is gone, though nobody closed it. */
  readonly ended: Promise<Error>;
  /** Who hears from now on. What came before belongs to no era, and nobody misses it. */
  target: LinkEvents | undefined;
  #end!: (error: Error) => void;

  constructor() {
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  incoming(message: Incoming): void {
    this.target?.incoming(message);
  }

  sessionLost(): void {
    this.target?.sessionLost?.();
  }

  missed(): void {
    this.target?.missed?.();
  }

  closed(error: Error): void {
    this.#end(error);
    this.target?.closed(error);
  }
}
