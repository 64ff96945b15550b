import { isJsonObject } from '../../../protocol/json.ts';
import type { JsonObject } from '../../../protocol/json.ts';
import { findParamHeaders } from '../../../protocol/param-headers.ts';
import type { ParamHeader } from '../../../protocol/param-headers.ts';
import type { Reporter } from '../../report.ts';

/** Most tools that are remembered. */
const MOST_TOOLS = 10_000;

/**
 * Which parameters of which tool are mirrored into headers, as the lists that pass through a link say. Tools that can't be
 * called over HTTP by the rules are taken out of the list (HTTP-46, HTTP-47).
 */
export class ParamMemory {
  readonly #tools = new Map<string, readonly ParamHeader[]>();
  readonly #report: Reporter;

  constructor(report: Reporter) {
    this.#report = report;
  }

  of(tool: unknown): readonly ParamHeader[] | undefined {
    return typeof tool === 'string' ? this.#tools.get(tool) : undefined;
  }

  /** The result of `tools/list` without the tools that are invalid. */
  learn(result: JsonObject): JsonObject {
    const { tools } = result;
    if (!Array.isArray(tools)) return result;
    const valid = tools.filter((tool: unknown) => this.#learn(tool));
    return valid.length === tools.length ? result : { ...result, tools: valid };
  }

  #learn(tool: unknown): boolean {
    if (!isJsonObject(tool) || typeof tool['name'] !== 'string' || !isJsonObject(tool['inputSchema'])) {
      return true;
    }
    const headers = findParamHeaders(tool['inputSchema']);
    if ('message' in headers) {
      this.#tools.delete(tool['name']);
      this.#report({
        kind: 'tool-excluded',
        method: 'tools/list',
        message: `the tool ${JSON.stringify(tool['name'])} is left out [HTTP-46]: ${headers.path} ${headers.message}`,
      });
      return false;
    }
    this.#tools.set(tool['name'], headers);
    if (this.#tools.size > MOST_TOOLS) {
      const [oldest] = this.#tools.keys();
      if (oldest !== undefined) this.#tools.delete(oldest);
    }
    return true;
  }
}
