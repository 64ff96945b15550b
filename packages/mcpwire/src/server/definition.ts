import type { Middleware } from '../protocol/handler.ts';
import type { CompiledMethod } from './custom-method.ts';
import type { CompiledPrompt } from './prompt.ts';
import type { CompiledResource, CompiledTemplate } from './resource.ts';
import type { CompiledTool } from './tool.ts';
import { normalizeUri } from './uri.ts';

/** Everything that a server offers, at one moment. Never changed: a change makes a new one. */
export interface Definition {
  readonly tools: ReadonlyMap<string, CompiledTool>;
  readonly resources: ReadonlyMap<string, CompiledResource>;
  /** The same resources under what `URL` makes of their URIs: clients may send that spelling. */
  readonly resourcesByNormalUri: ReadonlyMap<string, CompiledResource>;
  readonly templates: ReadonlyMap<string, CompiledTemplate>;
  readonly prompts: ReadonlyMap<string, CompiledPrompt>;
  readonly methods: ReadonlyMap<string, CompiledMethod>;
  readonly middleware: readonly Middleware[];
}

/** The lists that a change touched, as subscribers know them. */
export type ChangedList = 'tools' | 'prompts' | 'resources';

/** A definition in the making. */
export class Draft {
  readonly tools: Map<string, CompiledTool>;
  readonly resources: Map<string, CompiledResource>;
  readonly templates: Map<string, CompiledTemplate>;
  readonly prompts: Map<string, CompiledPrompt>;
  readonly methods: Map<string, CompiledMethod>;
  readonly middleware: Middleware[];
  readonly changed = new Set<ChangedList>();

  constructor(from?: Definition | Draft) {
    this.tools = new Map(from?.tools);
    this.resources = new Map(from?.resources);
    this.templates = new Map(from?.templates);
    this.prompts = new Map(from?.prompts);
    this.methods = new Map(from?.methods);
    this.middleware = [...(from?.middleware ?? [])];
  }

  freeze(): Definition {
    const resources = new Map(this.resources);
    return {
      tools: new Map(this.tools),
      resources,
      resourcesByNormalUri: new Map([...resources].map(([uri, resource]) => [normalizeUri(uri), resource])),
      templates: new Map(this.templates),
      prompts: new Map(this.prompts),
      methods: new Map(this.methods),
      middleware: [...this.middleware],
    };
  }
}
