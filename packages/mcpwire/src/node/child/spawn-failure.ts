import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import process from 'node:process';
import { SpawnError } from '../../transport/client/errors.ts';

/** What is said of a process that could not be started: the system's `ENOENT` names neither what is missing nor where. */
export function spawnFailure(
  cause: NodeJS.ErrnoException,
  command: string,
  cwd: string | undefined,
  env: { readonly [name: string]: string },
): SpawnError {
  const folder = cwd ?? process.cwd();
  if (!isFolder(folder)) {
    return new SpawnError(
      `can't start ${quoted(command)}: its working folder ${folder} doesn't exist`,
      command,
      [],
      cause,
    );
  }
  if (hasPath(command)) {
    const file = isAbsolute(command) ? command : resolve(folder, command);
    const why = fileProblem(file) ?? cause.message;
    return new SpawnError(`can't start ${quoted(command)}: ${file} ${why}`, command, [], cause);
  }
  const searched = searchPath(env);
  if (cause.code === 'ENOENT') {
    const where = searched.length === 0 ? 'PATH is empty' : `searched ${searched.join(delimiter)}`;
    return new SpawnError(
      `can't start ${quoted(command)}: not found on PATH (${where})`,
      command,
      searched,
      cause,
    );
  }
  const found = searched.map((each) => join(each, command)).find((file) => isFile(file));
  const why = (found === undefined ? undefined : fileProblem(found)) ?? cause.message;
  return new SpawnError(
    `can't start ${quoted(command)}: ${found ?? command} ${why}`,
    command,
    searched,
    cause,
  );
}

function searchPath(env: { readonly [name: string]: string }): readonly string[] {
  const name = Object.keys(env).find((each) => each.toUpperCase() === 'PATH');
  const path = name === undefined ? undefined : env[name];
  return (path ?? '').split(delimiter).filter((each) => each !== '');
}

function hasPath(command: string): boolean {
  return command.includes('/') || (process.platform === 'win32' && command.includes('\\'));
}

function fileProblem(file: string): string | undefined {
  try {
    if (statSync(file).isDirectory()) return 'is a folder';
    accessSync(file, constants.X_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'EACCES' ? 'may not be executed' : "doesn't exist";
  }
}

function isFile(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch {
    return false; // there is none, or none that may be seen
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false; // there is none, or none that may be seen
  }
}

function quoted(command: string): string {
  return JSON.stringify(command);
}
