import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Endpoint } from '../transport/http/endpoint.ts';
import { refuseReadBody } from '../transport/http/endpoint.ts';
import { decodeUtf8 } from './decode-utf8.ts';
import { isAmbiguous, NodeHead } from './http-head.ts';
import { NodeReply } from './http-reply.ts';

/** A request as frameworks hand it over: perhaps with a body that a parser has read already. */
export type NodeRequest = IncomingMessage & { readonly body?: unknown };

/** Gives a Node request to an endpoint: its head, then its body within the bounds. */
export function serveRequest(endpoint: Endpoint, request: NodeRequest, response: ServerResponse): void {
  const reply = new NodeReply(response, endpoint.settings);
  if (isAmbiguous(request)) {
    endpoint.refuse(
      { status: 400, message: 'exactly one Host header and a path in the request line, please' },
      reply,
    );
    return;
  }
  const head = new NodeHead(request);
  const admission = endpoint.admit(head, reply);
  if (admission !== 'body') {
    cutLongBody(request, endpoint.settings.maxBodyBytes);
    if (admission !== undefined) response.on('close', () => admission.disconnected());
    return;
  }
  if (request.readableEnded) {
    if (request.body === undefined) refuseReadBody('set request.body', endpoint, reply);
    else postParsed(endpoint, head, request.body, reply, response);
    return;
  }
  readBody(endpoint, request, reply, (text) => post(endpoint, head, text, reply, response));
}

function post(
  endpoint: Endpoint,
  head: NodeHead,
  text: string | undefined,
  reply: NodeReply,
  response: ServerResponse,
): void {
  const call = endpoint.post(head, text, reply);
  if (call !== undefined) response.on('close', () => call.disconnected());
}

/** Takes a body that a framework has read already; its bytes are bounded here all the same. */
function postParsed(
  endpoint: Endpoint,
  head: NodeHead,
  body: unknown,
  reply: NodeReply,
  response: ServerResponse,
): void {
  const text = textOf(body);
  const size = text === undefined ? 0 : Buffer.byteLength(text);
  const refusal = endpoint.bodies.hold(size, size);
  endpoint.bodies.release(size);
  if (refusal === undefined) post(endpoint, head, text, reply, response);
  else endpoint.refuse(refusal, reply);
}

/** What a framework's parser made of the body: JSON, text or bytes. */
function textOf(body: unknown): string | undefined {
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array ? decodeUtf8(body) : JSON.stringify(body);
}

/** Collects the body within the bounds; `done` gets its text, or undefined where it is no UTF-8. */
function readBody(
  endpoint: Endpoint,
  request: IncomingMessage,
  reply: NodeReply,
  done: (text: string | undefined) => void,
): void {
  let chunks: Buffer[] | undefined;
  let first: Buffer | undefined;
  let size = 0;
  let over = false;
  const release = (): void => {
    endpoint.bodies.release(size);
    size = 0;
  };
  request.on('data', (chunk: Buffer) => {
    if (over) return;
    size += chunk.length;
    const refusal = endpoint.bodies.hold(chunk.length, size);
    if (refusal !== undefined) {
      over = true;
      release();
      endpoint.refuse({ ...refusal, headers: [...(refusal.headers ?? []), 'Connection', 'close'] }, reply);
      cutLongBody(request, 0);
      return;
    }
    if (first === undefined) first = chunk;
    else (chunks ??= [first]).push(chunk);
  });
  request.on('end', () => {
    if (over) return;
    over = true;
    const bytes = chunks === undefined ? first : Buffer.concat(chunks);
    release();
    done(bytes === undefined ? '' : decodeUtf8(bytes));
  });
  request.on('close', () => {
    if (!over) release();
    over = true;
  });
}

/** How much of a refused body is still read, so that the client gets to see the answer, and for how long. */
const SPILL_BYTES = 1024 * 1024;
const SPILL_MS = 1000;

/** After a refusal: reads a little more of the body, then cuts the connection. */
function cutLongBody(request: IncomingMessage, expected: number): void {
  if (request.complete || Number(request.headers['content-length'] ?? 0) <= expected) return;
  let spilled = 0;
  const timer = setTimeout(() => request.destroy(), SPILL_MS);
  request.on('data', (chunk: Buffer) => {
    spilled += chunk.length;
    if (spilled > SPILL_BYTES) request.destroy();
  });
  request.on('close', () => clearTimeout(timer));
}
