// Starts the docs-server on both transports, drives it with the official client, and tells what they say.
import process from 'node:process';
import { isDeepStrictEqual } from 'node:util';
import { printer } from './print.ts';
import { overHttp, overStdio } from './connect.ts';
import { talk } from './talk.ts';

const folder = process.argv[2] ?? 'docs';
const print = printer(process.stdout);
try {
  print.title('Two programs talk over the Model Context Protocol');
  print.text(
    'The server is examples/docs-server, made with mcpwire. It serves the Markdown files of a folder.',
    'The client is the official one, @modelcontextprotocol/client. The two share nothing but the protocol.',
    'Here is every message between them, as it passed: → from the client, ← from the server.',
    'The JSON is put in order and shortened: … stands for what is left out.',
  );

  print.title('Part 1: over stdio');
  print.text(
    'The client starts the server as a child process. A message is one line of JSON on stdin or stdout.',
  );
  const stdio = await talk(await overStdio(folder, print), print);

  print.title('Part 2: over HTTP');
  print.text(
    'The same server, now behind an address. A request is one POST, and its response is the answer.',
  );
  const http = await talk(await overHttp(folder, print), print);

  print.title('Summary');
  if (!isDeepStrictEqual(stdio.results, http.results)) {
    throw new Error('the two transports gave different answers');
  }
  for (const [name, { requests, notifications }] of Object.entries({ stdio, HTTP: http })) {
    print.text(
      `${name}: ${requests} requests, all answered as they should be; ${notifications} notifications.`,
    );
  }
  print.text(
    'Both transports gave the same answers: they serve one definition, examples/docs-server.',
    'It serves your own Markdown, too: node .build/examples/docs-server/main.js <folder> --http 3000',
  );
} catch (error) {
  console.error(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
