// Tells the harness where an HTTP peer listens, and serves its figures on a second port: the same program
// for every peer, so that none of them pays for it on its own port.
import { createServer } from 'node:http';

export async function announce(url) {
  const stats = createServer((request, response) => {
    if (request.url === '/__gc') collect();
    else if (request.url !== '/__stats') return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(figures()));
  });
  await new Promise((resolve) => stats.listen(0, '127.0.0.1', resolve));
  const { port, pathname } = new URL(url);
  console.log(JSON.stringify({ port: Number(port), path: pathname, stats: stats.address().port }));
}

/** Listens on a free loopback port, then announces it. */
export async function listenAndAnnounce(server) {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  await announce(`http://127.0.0.1:${server.address().port}/mcp`);
}

function figures() {
  return { cpu: process.cpuUsage(), memory: process.memoryUsage() };
}

function collect() {
  if (!globalThis.gc) throw new Error('/__gc needs --expose-gc');
  // Twice: what the first pass frees can release more, finalizers among it.
  globalThis.gc();
  globalThis.gc();
}
