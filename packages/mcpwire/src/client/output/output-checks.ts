import type { CompiledSchema } from '../../json-schema/compile-schema.ts';
import type { SchemaBounds } from '../../json-schema/schema-bounds.ts';
import { isJsonObject } from '../../protocol/json.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { ProtocolViolationError } from '../../transport/client/errors.ts';
import type { Reporter } from '../../transport/report.ts';

/** Most schemas that are kept compiled. */
const MOST_COMPILED = 1000;

/**
 * Checks structured results against the output schemas of their tools (TOOL-27). Schemas are compiled when they are first
 * needed, once for each content. One that can't be used quarantines its own tool: its results come unchecked, and that is
 * reported.
 */
export class OutputChecks {
  readonly #bounds: SchemaBounds | undefined;
  readonly #report: Reporter;
  readonly #maxTools: number;
  #hasToldTooLong = false;
  readonly #tools = new Map<string, KnownTool>();
  /** By the text of the schema: many tools share one. */
  readonly #compiled = new Map<string, CompiledSchema>();

  /** `maxTools`: most tools that are remembered. */
  constructor(bounds: SchemaBounds | undefined, report: Reporter, maxTools: number) {
    this.#maxTools = maxTools;
    this.#bounds = bounds;
    this.#report = report;
  }

  /** Takes note of a listed tool. */
  learn(name: string, schema: unknown): void {
    this.#tools.delete(name);
    this.#tools.set(name, isJsonObject(schema) ? { schema } : NO_SCHEMA);
    trim(this.#tools, this.#maxTools);
  }

  knows(name: string): boolean {
    return this.#tools.has(name);
  }

  /** The list of tools changed: what is known of them may be wrong. */
  forget(): void {
    this.#tools.clear();
  }

  /** True where nothing is wrong with the structured content, as far as a look tells: nearly always. */
  quick(name: string, structured: unknown): boolean {
    const tool = this.#tools.get(name);
    if (tool === undefined || tool === NO_SCHEMA) return true;
    return structured !== undefined && tool.compiled?.quick(structured) === true;
  }

  /** Throws a `ProtocolViolationError` where the structured content of a successful result isn't what was promised. */
  async check(name: string, structured: unknown): Promise<void> {
    const tool = this.#tools.get(name);
    if (tool?.schema === undefined) return;
    if (structured === undefined) {
      throw new ProtocolViolationError(
        `the tool ${name} has an output schema and gave no structuredContent`,
        'TOOL-26',
        '',
      );
    }
    tool.compiled ??= await this.#compile(name, tool.schema);
    const issues = tool.compiled.quick(structured) ? [] : await tool.compiled.check(structured);
    if (issues.length === 0) return;
    const what = issues.map(({ path, message }) => (path === '' ? message : `${path} ${message}`)).join('; ');
    throw new ProtocolViolationError(
      `the structured content of the tool ${name} does not fit its output schema: ${what}`,
      'TOOL-26',
      JSON.stringify(structured) ?? '',
    );
  }

  async #compile(name: string, schema: JsonObject): Promise<CompiledSchema> {
    const text = JSON.stringify(schema);
    const known = this.#compiled.get(text);
    if (known !== undefined) return known;
    const { compileOutput } = await import('./compile-output.ts');
    let compiled = UNCHECKED;
    try {
      compiled = compileOutput(schema, this.#bounds, () => this.#tellTooLong(name));
    } catch (error) {
      this.#report({
        kind: 'schema-quarantined',
        message: `results of the tool ${name} are not checked: ${error instanceof Error ? error.message : String(error)}`,
      });
    }
    this.#compiled.set(text, compiled);
    trim(this.#compiled, MOST_COMPILED);
    return compiled;
  }

  #tellTooLong(name: string): void {
    if (this.#hasToldTooLong) return;
    this.#hasToldTooLong = true;
    this.#report({
      kind: 'unchecked-results',
      message: `a result of the tool ${name} has too much text for the patterns of its output schema and is not checked`,
    });
  }
}

interface KnownTool {
  readonly schema?: JsonObject;
  compiled?: CompiledSchema;
}

const NO_SCHEMA: KnownTool = {};

/** Stands for a schema that can't be used. */
const UNCHECKED: CompiledSchema = { quick: () => true, check: () => Promise.resolve([]) };

function trim(map: Map<string, unknown>, most: number): void {
  if (map.size <= most) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
