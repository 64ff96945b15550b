import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { testMount } from './mount-tests.ts';
import type { Mount } from './run-mount.ts';
import { runMount, runtimeFile } from './run-mount.ts';

const FOLDER = '.build/test/mounts';

/** What wrangler would write for this worker. */
const CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "counter", worker = .counter)],
  sockets = [(name = "http", address = "localhost:0", http = (), service = "counter")],
);
const counter :Workerd.Worker = (
  modules = [(name = "workers", esModule = embed "workers.bundle.js")],
  compatibilityDate = "2026-11-01",
  compatibilityFlags = ["enable_request_signal"],
);
`;

const start = (): Promise<Mount> => {
  // As wrangler does it: one module, without Node's.
  execFileSync(runtimeFile('.bin/esbuild'), [
    'examples/mounts/workers.ts',
    '--bundle',
    '--format=esm',
    '--conditions=workerd,worker,browser',
    '--log-level=warning',
    `--outfile=${FOLDER}/workers.bundle.js`,
  ]);
  writeFileSync(`${FOLDER}/workers.capnp`, CONFIG);
  return runMount({
    command: runtimeFile('.bin/workerd'),
    args: ['serve', `${FOLDER}/workers.capnp`, '--control-fd=1'],
    port: /"event":"listen".*"port":(\d+)/,
  });
};

// As long as it writes nothing, workerd does not see that the other side closed its half.
testMount('Workers', start, { seesOnlyResets: true });
