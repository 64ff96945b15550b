import { isJsonObject } from '../../protocol/json.ts';
import type { JsonObject } from '../../protocol/json.ts';

/** Requests that change nothing. */
const READS: ReadonlySet<string> = new Set([
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/get',
  'completion/complete',
]);

/** Which requests may be sent twice: those that read, and the tools of which their list says so. */
export class Repeatable {
  readonly #max: number;
  readonly #tools = new Set<string>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Learns from a result of `tools/list`. */
  learn({ tools }: JsonObject): void {
    if (!Array.isArray(tools)) return;
    for (const tool of tools) {
      if (!isJsonObject(tool) || typeof tool['name'] !== 'string') continue;
      const hints = isJsonObject(tool['annotations']) ? tool['annotations'] : {};
      this.#tools.delete(tool['name']);
      const isSafe = hints['readOnlyHint'] === true || hints['idempotentHint'] === true;
      if (isSafe && this.#tools.size < this.#max) this.#tools.add(tool['name']);
    }
  }

  has(method: string, { name }: JsonObject): boolean {
    return (
      READS.has(method) || (method === 'tools/call' && typeof name === 'string' && this.#tools.has(name))
    );
  }
}
