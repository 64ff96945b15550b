import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { request as httpRequest } from 'node:http';
import type { TestContext } from 'node:test';
import type { ServeHttpOptions } from 'mcpwire/node';
import { serveHttp } from 'mcpwire/node';
import type { Server } from 'mcpwire/server';
import { encodeHeaderValue } from './header-value.ts';
import { EventReader } from './event-reader.ts';
import { at, PROTOCOL_VERSION } from './messages.ts';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON; undefined where it is none. */
  readonly json: unknown;
}

/** Headers to add or, with undefined, to leave out. */
export type HeaderChanges = { readonly [name: string]: string | readonly string[] | undefined };

/** The headers of a good request with this message. */
export function headersFor(message: unknown): { [name: string]: string } {
  const name = at(message, 'params', 'name') ?? at(message, 'params', 'uri');
  return {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': String(at(message, 'params', '_meta', PROTOCOL_VERSION)),
    'Mcp-Method': String(at(message, 'method')),
    ...(typeof name === 'string' ? { 'Mcp-Name': isPlain(name) ? name : encodeHeaderValue(name) } : {}),
  };
}

/** Whether a header can hold the text as it is. */
function isPlain(text: string): boolean {
  return /^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/.test(text);
}

/** A client of an HTTP endpoint that can be as odd as a test wants it. Each request has a connection of its own. */
export class HttpPeer {
  readonly port: number;
  readonly path: string;

  constructor(port: number, path = '/mcp') {
    this.port = port;
    this.path = path;
  }

  /** Posts a message with the headers it needs and reads the whole answer. */
  async post(message: unknown, changes: HeaderChanges = {}): Promise<HttpAnswer> {
    return this.send('POST', { ...headersFor(message), ...changes }, JSON.stringify(message));
  }

  /** Posts a message and gives its answer as messages: those of an event stream, or the one of a JSON body. */
  async exchange(message: unknown, changes: HeaderChanges = {}): Promise<readonly unknown[]> {
    const answer = await this.post(message, changes);
    if (answer.headers['content-type'] !== 'text/event-stream') return [answer.json];
    return answer.text
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice(6)) as unknown);
  }

  /** Posts a message whose answer must be an event stream. */
  async open(message: unknown, changes: HeaderChanges = {}): Promise<EventReader> {
    const { response } = await this.start(
      'POST',
      { ...headersFor(message), ...changes },
      JSON.stringify(message),
    );
    return new EventReader(response);
  }

  async send(method: string, headers: HeaderChanges, body: string | Uint8Array = ''): Promise<HttpAnswer> {
    const { response } = await this.start(method, headers, body);
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    return { status: response.statusCode ?? 0, headers: response.headers, text, json: parse(text) };
  }

  /** Sends a request and resolves with the head of its response; `abort` closes the connection. */
  start(
    method: string,
    headers: HeaderChanges,
    body: string | Uint8Array = '',
  ): Promise<{ response: IncomingMessage; abort: () => void }> {
    const present = Object.entries(headers).filter(([, value]) => value !== undefined);
    return new Promise((resolve, reject) => {
      const request = httpRequest({
        agent: false,
        host: '127.0.0.1',
        port: this.port,
        path: this.path,
        method,
        headers: Object.fromEntries(present) as { [name: string]: string },
      });
      request.on('response', (response) => resolve({ response, abort: () => request.destroy() }));
      request.on('error', reject);
      // As bytes: Node would write the head in the body's encoding, a string's, otherwise.
      request.end(typeof body === 'string' ? Buffer.from(body) : body);
    });
  }
}

/** Serves on a free port until the test is over. */
export async function serve(
  t: TestContext,
  server: Server,
  options: ServeHttpOptions = {},
): Promise<HttpPeer> {
  const http = await serveHttp(server, { port: 0, report: () => {}, drainMs: 1000, ...options });
  t.after(() => http.close());
  return new HttpPeer(http.port, options.path);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
