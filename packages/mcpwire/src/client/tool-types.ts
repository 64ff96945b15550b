/** What a server's type says of one tool: what it is called with, and its structured content. */
interface ToolTypes {
  readonly args: unknown;
  readonly structured: unknown;
}

/** Tools of a server that is known at run time alone. */
export interface AnyTools {
  readonly [name: string]: {
    readonly args: { readonly [name: string]: unknown };
    readonly structured: unknown;
  };
}

/** The tools of a server's type, as in `connect<typeof server>()`; any tools for everything else. */
export type ToolsOf<S> = S extends { readonly '~tools'?: infer T }
  ? Extract<T, object> extends infer Tools extends object
    ? Tools
    : AnyTools
  : AnyTools;

export type ArgsOf<T, N extends keyof T> = T[N] extends ToolTypes ? T[N]['args'] : never;
export type StructuredOf<T, N extends keyof T> = T[N] extends ToolTypes ? T[N]['structured'] : unknown;

/** The arguments may be left out where none is needed. */
export type CallParams<Args, Options> = {} extends Args
  ? [args?: Args, options?: Options]
  : [args: Args, options?: Options];
