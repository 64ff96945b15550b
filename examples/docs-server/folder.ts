import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** The Markdown files below one folder. Paths are relative and use `/`; nothing outside can be reached. */
export interface Folder {
  /** Every file's path, sorted. */
  list(): Promise<string[]>;
  /** A file's text as it is now; undefined where there is no such file. */
  read(path: string, signal?: AbortSignal): Promise<string | undefined>;
}

/** Opens a folder. Throws where it isn't one. */
export async function openFolder(path: string): Promise<Folder> {
  const root = await realpath(path).catch(() => undefined);
  if (root === undefined || !(await stat(root)).isDirectory()) throw new Error(`there is no folder ${path}`);
  return {
    async list() {
      const files: string[] = [];
      await collect(root, '', files);
      return files.toSorted();
    },
    async read(file, signal) {
      if (!isServed(file)) return undefined;
      try {
        const real = await realpath(join(root, file));
        // A link may lead anywhere: what counts is where the file really is.
        if (!isServed(relative(root, real).split(sep).join('/'))) return undefined;
        return await readFile(real, { encoding: 'utf8', ...(signal === undefined ? {} : { signal }) });
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
  };
}

/** Links are not followed here: a link to a parent folder would never end. */
async function collect(root: string, below: string, files: string[]): Promise<void> {
  for (const entry of await readdir(join(root, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory() && isPlainName(entry.name)) await collect(root, path, files);
    else if (entry.isFile() && isServed(path)) files.push(path);
  }
}

/** Markdown below the folder: no absolute path, no `..`, nothing hidden, nothing installed. */
function isServed(path: string): boolean {
  return path.endsWith('.md') && path.split('/').every(isPlainName);
}

function isPlainName(name: string): boolean {
  return /^[^.\\:\0][^\\:\0]*$/.test(name) && name !== 'node_modules';
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && MISSING.has(String(error.code));
}

const MISSING: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENAMETOOLONG']);
