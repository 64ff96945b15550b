/** Something changed that subscribers may want to hear of. Events say what, never how: they can be merged. */
export type ChangeEvent =
  | { readonly type: 'tools' | 'prompts' | 'resources' }
  | { readonly type: 'resource'; readonly uri: string };

/** Brings change events to every subscription that is open, wherever it is. */
export interface ChangeBus {
  publish(event: ChangeEvent): void;
  /** Returns the way to stop listening. */
  subscribe(listener: (event: ChangeEvent) => void): () => void;
}

/** A bus within one process: the default. */
export class MemoryChangeBus implements ChangeBus {
  readonly #listeners = new Set<(event: ChangeEvent) => void>();

  publish(event: ChangeEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  subscribe(listener: (event: ChangeEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
