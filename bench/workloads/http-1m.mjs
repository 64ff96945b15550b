// 1 MiB of text in, the same out, 8 in flight.
import { httpWorkload } from '../lib/http-workload.mjs';

const spec = {
  message: { kind: 'echo', size: 1024 * 1024 },
  concurrency: 8,
  warmup: 60,
  count: 1_000,
  seconds: 3,
  rounds: 5,
};

export const run = (options) => httpWorkload(spec, options);
