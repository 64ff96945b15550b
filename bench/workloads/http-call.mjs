// A small checked call, 32 in flight.
import { httpWorkload } from '../lib/http-workload.mjs';

export const spec = {
  message: { kind: 'add' },
  concurrency: 32,
  warmup: 8_000,
  count: 100_000,
  seconds: 2,
  rounds: 7,
};

export const run = (options) => httpWorkload(spec, options);
