import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { TestContext } from 'node:test';

/** Clients that people use, in a folder of their own: their dependencies must not meet ours. */
const FOLDER = 'test/clients';

/** The main files of the clients, as their packages name them. */
const PROGRAMS = {
  inspector: '.bin/mcp-inspector',
  mcporter: '.bin/mcporter',
  'mcp-remote': '.bin/mcp-remote',
} as const;

/** Installs them where they aren't there yet. */
export function installFieldClients(): void {
  if (Object.values(PROGRAMS).every((program) => existsSync(`${FOLDER}/node_modules/${program}`))) return;
  const { status, stderr } = spawnSync('npm', ['ci', '--no-workspaces', '--no-audit', '--no-fund'], {
    cwd: FOLDER,
    encoding: 'utf8',
  });
  assert.equal(
    status,
    0,
    `the clients of ${FOLDER} are missing and could not be installed; run npm ci --no-workspaces there: ${stderr}`,
  );
}

export function programOf(client: keyof typeof PROGRAMS): string {
  return `${FOLDER}/node_modules/${PROGRAMS[client]}`;
}

/** A home of their own, so that nothing they remember matters. */
export async function newHome(t: TestContext): Promise<{ [name: string]: string }> {
  const home = await mkdtemp(join(tmpdir(), 'mcpwire-client-'));
  t.after(() => rm(home, { recursive: true, force: true }));
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    XDG_CONFIG_HOME: home,
    MCP_REMOTE_CONFIG_DIR: home,
    MCP_CATALOG_PATH: join(home, 'catalog.json'),
  };
}

/** Runs one of them to its end and gives what it printed; fails with all of its words where it fails. */
export function runFieldClient(
  client: keyof typeof PROGRAMS,
  args: readonly string[],
  env: { readonly [name: string]: string },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { env: { ...env }, timeout: 60_000, maxBuffer: 2 ** 24 };
    execFile(process.execPath, [programOf(client), ...args], options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${client} failed: ${error.message}\n${stdout}\n${stderr}`));
    });
  });
}
