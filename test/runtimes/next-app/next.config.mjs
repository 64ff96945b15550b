import { fileURLToPath } from 'node:url';

// The example and the library lie outside this folder.
const root = fileURLToPath(new URL('../../..', import.meta.url));

export default { turbopack: { root }, outputFileTracingRoot: root };
