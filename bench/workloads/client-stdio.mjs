// A client's small call over stdio, 32 in flight. Each client starts the server itself.
import { clientWorkload } from '../lib/client-workload.mjs';
import { peerFile } from '../lib/peers.mjs';

export const run = (options) => clientWorkload('stdio', peerFile('limit', 'stdio'), options);
