// Serves a folder of Markdown: main.js [folder] on stdin and stdout, main.js [folder] --http [port] on HTTP.
import process from 'node:process';
import { serveHttp, serveStdio } from 'mcpwire/node';
import { docsServer } from './docs-server.ts';
import { openFolder } from './folder.ts';
import { readOptions } from './options.ts';

const options = readOptions(process.argv.slice(2));
try {
  const server = docsServer(await openFolder(options.folder));
  if (options.port === undefined) {
    await serveStdio(server);
  } else {
    const http = await serveHttp(server, { port: options.port });
    console.log(http.url);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void http.close());
  }
} catch (error) {
  console.error(`docs-server: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
