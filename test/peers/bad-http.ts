import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { TestContext } from 'node:test';
import { listening } from '../support/listening.ts';

/** An HTTP server that misbehaves in the one way that it is told, when the tool `bad` is called; see `run-bad-stdio.ts`. */

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly name?: string };
}

export type HttpMisbehaviour = (message: Message, response: ServerResponse, request: IncomingMessage) => void;

export const DONE = { resultType: 'complete', content: [{ type: 'text', text: 'done' }] };

export interface BadHttpServer {
  readonly url: string;
  /** Heads of the requests that came, newest last. */
  readonly requests: readonly {
    readonly method: string;
    readonly path: string;
    readonly headers: IncomingMessage['headers'];
  }[];
}

export async function startBadHttp(t: TestContext, misbehave: HttpMisbehaviour): Promise<BadHttpServer> {
  const requests: { method: string; path: string; headers: IncomingMessage['headers'] }[] = [];
  const server = createServer((request, response) => {
    requests.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers });
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () =>
      answer(body === '' ? {} : (JSON.parse(body) as Message), request, response, misbehave),
    );
  });
  return { url: await listening(t, server), requests };
}

/** Writes a response message as JSON. */
export function json(response: ServerResponse, message: object, status = 200): void {
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', ...message }));
}

function answer(
  message: Message,
  request: IncomingMessage,
  response: ServerResponse,
  misbehave: HttpMisbehaviour,
): void {
  const { id, method, params } = message;
  if (method === 'server/discover') {
    const result = {
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      ttlMs: 0,
      cacheScope: 'private',
    };
    json(response, { id, result });
  } else if (method === 'tools/call' && params?.name === 'bad') {
    misbehave(message, response, request);
  } else if (method === 'tools/call') {
    json(response, { id, result: DONE });
  } else {
    json(response, { id, error: { code: -32601, message: `no method ${String(method)}` } }, 404);
  }
}
