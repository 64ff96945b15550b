import type { Completer } from 'mcpwire/server';
import type { Folder } from './folder.ts';

/** Suggests files: first those whose path begins with what was typed, then those that contain it. */
export function completePath(folder: Folder): Completer {
  return async (typed) => {
    const wanted = typed.toLowerCase();
    const found = (await folder.list()).filter((path) => path.toLowerCase().includes(wanted));
    const begins = (path: string): boolean => path.toLowerCase().startsWith(wanted);
    return [...found.filter(begins), ...found.filter((path) => !begins(path))];
  };
}
