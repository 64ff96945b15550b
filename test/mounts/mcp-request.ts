import { request } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly type: string | undefined;
  readonly text: string;
}

/** A request as a modern client would send it, with a `Host` of one's choice. */
export interface Sent {
  readonly request: ClientRequest;
  readonly response: Promise<IncomingMessage>;
}

export interface Envelope {
  readonly method: string;
  readonly params?: { readonly [name: string]: unknown };
  readonly progressToken?: string;
  readonly host?: string;
}

/** Sends one request to `/mcp`. */
export function send(port: number, { method, params = {}, progressToken, host }: Envelope): Sent {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method,
    params: {
      ...params,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
        ...(progressToken === undefined ? {} : { progressToken }),
      },
    },
  });
  const sent = request({
    host: 'localhost',
    port,
    path: '/mcp',
    method: 'POST',
    agent: false,
    headers: {
      Host: host ?? `localhost:${port}`,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
      ...(typeof params['name'] === 'string' ? { 'Mcp-Name': params['name'] } : {}),
    },
  });
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve);
    sent.once('error', reject);
  });
  sent.end(body);
  return { request: sent, response };
}

/** Sends one request and reads its whole answer. */
export async function ask(port: number, envelope: Envelope): Promise<Answer> {
  const response = await send(port, envelope).response;
  response.setEncoding('utf8');
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode ?? 0, type: response.headers['content-type'], text };
}

/** The messages of an event stream. */
export function events(stream: string): unknown[] {
  return stream
    .split('\n\n')
    .filter((event) => event.startsWith('data: '))
    .map((event): unknown => JSON.parse(event.slice('data: '.length)));
}
