export interface Options {
  readonly folder: string;
  /** Undefined: stdio. */
  readonly port: number | undefined;
}

/** Reads `[folder] [--http [port]]`. By default the repository's own docs, on stdio. */
export function readOptions(args: readonly string[]): Options {
  const at = args.indexOf('--http');
  if (at === -1) return { folder: args[0] ?? 'docs', port: undefined };
  const next = args[at + 1];
  const hasPort = next !== undefined && /^\d+$/.test(next);
  const rest = args.filter((_, index) => index !== at && !(hasPort && index === at + 1));
  return { folder: rest[0] ?? 'docs', port: hasPort ? Number(next) : 3000 };
}
