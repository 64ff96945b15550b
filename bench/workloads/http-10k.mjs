// 10 KiB of text in, the same out, 8 in flight.
import { httpWorkload } from '../lib/http-workload.mjs';

const spec = {
  message: { kind: 'echo', size: 10 * 1024 },
  concurrency: 8,
  warmup: 4_000,
  count: 50_000,
  seconds: 2,
  rounds: 5,
};

export const run = (options) => httpWorkload(spec, options);
