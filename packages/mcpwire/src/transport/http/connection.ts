import type { Disconnectable } from './legacy-front.ts';

/** A client's connection, known before what it carries is. */
export class Connection implements Disconnectable {
  #target: Disconnectable | undefined;
  isGone = false;

  attach(target: Disconnectable): void {
    this.#target = target;
    if (this.isGone) target.disconnected();
  }

  disconnected(): void {
    this.isGone = true;
    this.#target?.disconnected();
  }
}
