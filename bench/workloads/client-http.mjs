// A client's small call over HTTP, 32 in flight.
import { clientWorkload } from '../lib/client-workload.mjs';
import { startHttpPeer } from '../lib/http-peer.mjs';

export async function run(options) {
  const server = await startHttpPeer('limit');
  try {
    return await clientWorkload('http', server.url, options);
  } finally {
    await server.stop();
  }
}
