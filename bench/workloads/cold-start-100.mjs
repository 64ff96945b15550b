// From spawn to the first answer, on a server with 100 tools.
import { coldStart } from '../lib/cold-start.mjs';

export const run = (options) => coldStart({ tools: 100 }, options);
