export interface Options {
  readonly folder: string;
  /** Undefined: stdio. */
  readonly port: number | undefined;
}

/** Reads `[folder] [--http [port]]`. By default the repository's own docs, on stdio. */
export function readOptions(args: readonly string[]): Options {
  const at = args.indexOf('--http');
  const [before, after] = at === -1 ? [args, []] : [args.slice(0, at), args.slice(at + 1)];
  const port = after.find((argument) => /^\d+$/.test(argument));
  const folder = [...before, ...after].find((argument) => argument !== port);
  return { folder: folder ?? 'docs', port: at === -1 ? undefined : Number(port ?? 3000) };
}
