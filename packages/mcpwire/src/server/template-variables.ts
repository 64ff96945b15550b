/** The variables of a URI template, read from its literal type. Those of a query (`{?q,lang}`) may be absent. */
export type TemplateVariables<U extends string> = string extends U
  ? { readonly [name: string]: string }
  : { readonly [K in Names<PathExpressions<U>>]: string } & {
      readonly [K in Names<OptionalExpressions<U>>]?: string;
    };

/** Every variable's name. */
export type VariableName<U extends string> = string extends U
  ? string
  : Names<PathExpressions<U> | OptionalExpressions<U>>;

type Expressions<U extends string, Found = never> = U extends `${string}{${infer E}}${infer Rest}`
  ? Expressions<Rest, Found | E>
  : Found;

type OptionalOperator = '?' | '&' | '#' | '.' | '/' | ';';
type OptionalExpressions<U extends string> =
  Expressions<U> extends infer E ? (E extends `${OptionalOperator}${infer L}` ? L : never) : never;
type PathExpressions<U extends string> =
  Expressions<U> extends infer E
    ? E extends `${OptionalOperator}${string}`
      ? never
      : E extends `+${infer L}`
        ? L
        : E
    : never;

type Names<L> = L extends `${infer N},${infer Rest}` ? N | Names<Rest> : L extends string ? L : never;
