import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { connect as connectWithFetch } from 'mcpwire/client';
import type { Client } from 'mcpwire/client';
import { connect } from 'mcpwire/node';
import type { ConnectOptions } from 'mcpwire/node';
import { outcome } from '../support/outcome.ts';
import { DONE, json, startBadHttp } from './bad-http.js';
import type { HttpMisbehaviour } from './bad-http.js';

interface Case {
  readonly misbehave: HttpMisbehaviour;
  readonly error?: string;
  readonly message?: RegExp;
  readonly text?: string;
  readonly reported?: RegExp;
}

const OPTIONS: ConnectOptions = {
  timeoutMs: 1500,
  maxTotalMs: 3000,
  maxBodyBytes: 1024 * 1024,
  maxEventBytes: 256 * 1024,
};
const BOUND_MS = 10_000;

const sse = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream' });
const event = (message: object): string => `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;

const CASES: { readonly [name: string]: Case } = {
  'never answers': { misbehave: () => {}, error: 'TimeoutError', message: /1500 ms/ },
  'answers with a web page': {
    misbehave: (_message, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>login</html>'),
    error: 'ProtocolViolationError',
    message: /text\/html.*HTTP-15.*login/s,
  },
  'lies about its content type': {
    misbehave: (_message, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('<html>'),
    error: 'ProtocolViolationError',
    message: /not JSON/,
  },
  'answers 202 without a body': {
    misbehave: (_message, response) => response.writeHead(202).end(),
    error: 'ProtocolViolationError',
    message: /202/,
  },
  'answers with an empty body': {
    misbehave: (_message, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(),
    error: 'ProtocolViolationError',
    message: /BASE-02/,
  },
  'has an endless body': {
    misbehave: (_message, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = (): boolean =>
        !response.destroyed && response.write('x'.repeat(65_536), () => setImmediate(more));
      more();
    },
    error: 'ProtocolViolationError',
    message: /more than 1048576 bytes/,
  },
  'drips its body': {
    misbehave: (_message, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    },
    error: 'TimeoutError',
  },
  'cuts its body off': {
    misbehave: (_message, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"jsonrpc":', () => response.destroy());
    },
    error: 'ConnectionClosedError',
    message: /cut its answer off/,
  },
  'hangs up without an answer': {
    misbehave: (_message, response) => response.destroy(),
    error: 'UnreachableError',
    message: /whether the request was read is not known/,
  },
  'answers another id': {
    misbehave: (_message, response) => json(response, { id: 4711, result: DONE }),
    error: 'ProtocolViolationError',
    message: /4711.*BASE-06/s,
  },
  'answers the id as a string': {
    misbehave: ({ id }, response) => json(response, { id: String(id), result: DONE }),
    error: 'ProtocolViolationError',
    message: /BASE-06/,
  },
  'sends result and error': {
    misbehave: ({ id }, response) =>
      json(response, { id, result: DONE, error: { code: 1, message: 'both' } }),
    error: 'ProtocolViolationError',
    message: /both/,
  },
  'sends an error without an id': {
    misbehave: (_message, response) => json(response, { error: { code: -32603, message: 'broken' } }, 500),
    error: 'PeerError',
    message: /broken/,
  },
  'answers 401 for ever': {
    misbehave: (_message, response) => response.writeHead(401, { 'www-authenticate': 'Bearer' }).end(),
    error: 'HttpError',
    message: /401.*authorization/s,
  },
  'answers 502 with a page': {
    misbehave: (_message, response) =>
      response.writeHead(502, { 'content-type': 'text/html' }).end('bad gateway'),
    error: 'HttpError',
    message: /502.*bad gateway/s,
  },
  'redirects to another origin': {
    misbehave: (_message, response) => response.writeHead(307, { location: 'http://127.0.0.1:1/mcp' }).end(),
    error: 'HttpError',
    message: /another origin/,
  },
  'redirects without end': {
    misbehave: (_message, response) => response.writeHead(307, { location: '/mcp' }).end(),
    error: 'HttpError',
    message: /maxRedirects/,
  },
  'turns the POST into a GET': {
    misbehave: (_message, response) => response.writeHead(302, { location: '/elsewhere' }).end(),
    error: 'HttpError',
    message: /POST into a GET/,
  },
  'is not UTF-8': {
    misbehave: (_message, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.from([0x22, 0xff, 0x22])),
    error: 'ProtocolViolationError',
    message: /TRN-01/,
  },
  'nests too deeply': {
    misbehave: ({ id }, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(`{"jsonrpc":"2.0","id":${String(id)},"result":{"a":${'['.repeat(5000)}${']'.repeat(5000)}}}`),
    error: 'ProtocolViolationError',
    message: /deeper than 64/,
  },
  'answers as a stream in single bytes': {
    misbehave: ({ id }, response) => {
      sse(response);
      const bytes = Buffer.from(
        `: hi\r\n\r\n${event({ id, result: { ...DONE, content: [{ type: 'text', text: 'żółć' }] } })}`,
      );
      const write = (at: number): void => {
        if (at < bytes.length) response.write(bytes.subarray(at, at + 1), () => write(at + 1));
      };
      write(0);
    },
    text: 'żółć',
  },
  'ends its stream before the response': {
    misbehave: (_message, response) =>
      sse(response).end(
        event({ method: 'notifications/progress', params: { progressToken: 1, progress: 1 } }),
      ),
    error: 'ConnectionClosedError',
    message: /before the response/,
  },
  'sends an event without end': {
    misbehave: (_message, response) => {
      sse(response).write('data: ');
      const more = (): boolean =>
        !response.destroyed && response.write('x'.repeat(65_536), () => setImmediate(more));
      more();
    },
    error: 'ProtocolViolationError',
    message: /event of more than 262144 bytes/,
  },
  'keeps its stream alive for ever': {
    misbehave: (_message, response) => {
      sse(response);
      const timer = setInterval(() => response.write(': alive\n\n'), 20);
      response.on('close', () => clearInterval(timer));
    },
    error: 'TimeoutError',
  },
  'sends requests on its stream': {
    misbehave: ({ id }, response) =>
      sse(response).end(event({ id: 1, method: 'roots/list', params: {} }) + event({ id, result: DONE })),
    text: 'done',
    reported: /TRN-03/,
  },
  'answers twice on its stream': {
    misbehave: ({ id }, response) =>
      sse(response).end(event({ id, result: DONE }) + event({ id, error: { code: 1, message: 'no' } })),
    text: 'done',
  },
  'holds its stream open after the response': {
    misbehave: ({ id }, response) => sse(response).write(event({ id, result: DONE })),
    text: 'done',
  },
  'sends events that are no messages': {
    misbehave: (_message, response) => sse(response).end('data: hello\n\n'),
    error: 'ProtocolViolationError',
    message: /hello/,
  },
  'floods its stream': {
    misbehave: ({ id }, response) => {
      sse(response);
      const note = event({
        method: 'notifications/message',
        params: { level: 'info', data: 'x'.repeat(100) },
      });
      for (let count = 0; count < 50; count++) response.write(note.repeat(1000));
      response.end(event({ id, result: DONE }));
    },
    text: 'done',
  },
};

const SENDERS: { readonly [name: string]: (url: string, options: ConnectOptions) => Promise<Client> } = {
  'the pool': connect,
  fetch: connectWithFetch,
};

for (const [sender, open] of Object.entries(SENDERS)) {
  for (const [name, { misbehave, ...expected }] of Object.entries(CASES)) {
    test(
      `an HTTP server that ${name} ends the call in time, and says how (${sender})`,
      { timeout: BOUND_MS },
      async (t) => {
        const reports: string[] = [];
        const server = await startBadHttp(t, misbehave);
        const client = await open(server.url, {
          ...OPTIONS,
          report: ({ kind, message }) => reports.push(`${kind}: ${message}`),
        });
        t.after(() => client.close());
        const { error, text } = await outcome(client.call('bad', {}));
        assert.equal(error?.name, expected.error, `${String(error)} ${text ?? ''}`);
        if (expected.message !== undefined) assert.match(error?.message ?? '', expected.message);
        assert.equal(text, expected.text);
        if (expected.reported !== undefined) assert.match(reports.join('\n'), expected.reported);
        assert.equal((await client.call('echo', {})).text, 'done');
        assert.equal(client.pending, 0);
      },
    );
  }
}

test(
  'a server that nobody reaches is named, with its address and the reason',
  { timeout: BOUND_MS },
  async () => {
    const { error } = await outcome(connect('http://127.0.0.1:1/mcp').then(() => ({})));
    assert.equal(error?.name, 'UnreachableError');
    assert.match(error?.message ?? '', /127\.0\.0\.1:1.*nothing listens there \(ECONNREFUSED\)/);
  },
);

test(
  'what is no MCP server of any revision is told apart, with what each attempt met',
  { timeout: BOUND_MS },
  async (t) => {
    const server = await startBadHttp(t, () => {});
    const { error } = await outcome(
      connect(server.url.replace('/mcp', '/'), { era: 'legacy' }).then(() => ({})),
    );
    assert.equal(error?.name, 'EraNegotiationError');
    assert.match(error?.message ?? '', /initialize.*GET of HTTP\+SSE/s);
  },
);
