// The list of 100 tools, about 110 KB, 8 in flight.
import { httpWorkload } from '../lib/http-workload.mjs';

const spec = {
  tools: 100,
  message: { kind: 'list', size: 100 },
  concurrency: 8,
  warmup: 400,
  count: 10_000,
  seconds: 2,
  rounds: 5,
};

export const run = (options) => httpWorkload(spec, options);
