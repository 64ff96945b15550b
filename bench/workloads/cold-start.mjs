// From spawn to the first answer of a tools/call over stdio.
import { coldStart } from '../lib/cold-start.mjs';

export const run = (options) => coldStart({ tools: 2 }, options);
