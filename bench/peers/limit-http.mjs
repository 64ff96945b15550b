// Bare node:http: no checks, no routing.
import { createServer } from 'node:http';
import { listenAndAnnounce } from './shared/announce.mjs';
import { answer } from './shared/limit.mjs';

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = answer(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  });
});

await listenAndAnnounce(server);
