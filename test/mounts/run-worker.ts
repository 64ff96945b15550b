import { writeFileSync } from 'node:fs';
import { buildSync } from 'esbuild';
import type { Mount } from './run-mount.ts';
import { runMount, runtimeFile } from './run-mount.ts';

/** Runs a worker in the runtime itself. The example's file is what wrangler would take as `main`. */
export function runWorker(name: string, entry: string): Promise<Mount> {
  const base = `.build/test/mounts/${name}`;
  // As wrangler does it: one module, without Node's.
  buildSync({
    entryPoints: [entry],
    outfile: `${base}.bundle.js`,
    bundle: true,
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    logLevel: 'warning',
  });
  writeFileSync(`${base}.capnp`, config(`${name}.bundle.js`));
  return runMount({
    command: runtimeFile('.bin/workerd'),
    args: ['serve', `${base}.capnp`, '--control-fd=1'],
    port: /"event":"listen".*"port":(\d+)/,
  });
}

/** What wrangler would tell the runtime. */
function config(bundle: string): string {
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const main :Workerd.Worker = (
  modules = [(name = "main", esModule = embed "${bundle}")],
  compatibilityDate = "2026-11-01",
  compatibilityFlags = ["enable_request_signal"],
);
`;
}
