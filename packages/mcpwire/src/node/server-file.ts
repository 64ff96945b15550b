import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { isJsonObject, jsonType } from '../protocol/json.ts';
import type { JsonObject } from '../protocol/json.ts';
import { UsageError } from '../protocol/usage-error.ts';
import type { UrlTarget } from '../client/connect-http.ts';
import type { StdioTarget } from './child/child-options.ts';

/**
 * The entry of a server in a file such as `.mcp.json`, `claude_desktop_config.json` or `.vscode/mcp.json`: `mcpServers`
 * or `servers`, with a `command` or a `url` each. `${NAME}`, `${env:NAME}` and `${NAME:-default}` are replaced by
 * variables of the environment. Throws a `UsageError` that says what is wrong and where.
 */
export async function readServerEntry(file: string, name: string): Promise<StdioTarget | UrlTarget> {
  const parsed = parse(await read(file), file);
  const servers = parsed['mcpServers'] ?? parsed['servers'];
  if (!isJsonObject(servers)) {
    throw new UsageError(`${file}: it needs an object "mcpServers" or "servers", got ${jsonType(servers)}`);
  }
  const entry = Object.hasOwn(servers, name) ? servers[name] : undefined;
  if (entry === undefined) {
    throw new UsageError(
      `${file}: there is no server ${JSON.stringify(name)}; there are ${Object.keys(servers).join(', ') || 'none'}`,
    );
  }
  if (!isJsonObject(entry)) {
    throw new UsageError(`${file}: ${name} must be an object, got ${jsonType(entry)}`);
  }
  return targetOf(entry, `${file}: ${name}`);
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} can't be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function parse(content: string, file: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isJsonObject(value)) throw new UsageError(`${file}: it must hold an object, got ${jsonType(value)}`);
  return value;
}

function targetOf(entry: JsonObject, where: string): StdioTarget | UrlTarget {
  const { command, url } = entry;
  if (command !== undefined && url !== undefined) {
    throw new UsageError(`${where} has both a command and a url: which one is meant?`);
  }
  if (url !== undefined) {
    const headers = texts(entry['headers'], `${where}.headers`);
    return { url: text(url, `${where}.url`), ...(headers === undefined ? {} : { headers }) };
  }
  const args = entry['args'] ?? [];
  if (!Array.isArray(args)) throw new UsageError(`${where}.args must be an array, got ${jsonType(args)}`);
  const env = texts(entry['env'], `${where}.env`);
  const cwd = entry['cwd'];
  return {
    command: text(command, `${where}.command`),
    args: args.map((arg: unknown, index) => text(arg, `${where}.args[${index}]`)),
    ...(env === undefined ? {} : { env }),
    ...(cwd === undefined ? {} : { cwd: text(cwd, `${where}.cwd`) }),
  };
}

function texts(value: unknown, where: string): { readonly [name: string]: string } | undefined {
  if (value === undefined) return undefined;
  if (!isJsonObject(value)) throw new UsageError(`${where} must be an object, got ${jsonType(value)}`);
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, text(each, `${where}.${name}`)]),
  );
}

function text(value: unknown, where: string): string {
  if (typeof value !== 'string') throw new UsageError(`${where} must be a string, got ${jsonType(value)}`);
  return value.replaceAll(VARIABLE, (_all, name: string, fallback: string | undefined) => {
    const found = process.env[name] ?? fallback;
    if (found === undefined) {
      throw new UsageError(`${where} needs the environment variable ${name}, which is not set`);
    }
    return found;
  });
}

const VARIABLE = /\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;
