import type { FetchLike } from '@modelcontextprotocol/client';
import type { Narrator } from './narrator.ts';

/** Headers that carry a part of the protocol. */
const MATTERS = ['accept', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

/** A `fetch` that lets a narrator hear what passes, message by message as they come. */
export function tappedFetch(narrator: Narrator): FetchLike {
  return async (url, init) => {
    const headers = new Headers(init?.headers);
    if (typeof init?.body === 'string') {
      narrator.sent(JSON.parse(init.body), [
        `POST ${new URL(url).pathname}`,
        ...MATTERS.flatMap((name) => (headers.has(name) ? [`${name}: ${headers.get(name)}`] : [])),
      ]);
    }
    const response = await fetch(url, init);
    if (response.body === null) return response;
    const { status } = response;
    const type = response.headers.get('content-type') ?? '';
    const head = [`HTTP ${status}`, `content-type: ${type}`];
    return new Response(response.body.pipeThrough(tap(narrator, type, head)), {
      status,
      headers: response.headers,
    });
  };
}

/** Lets the bytes through and tells of each message that is complete. */
function tap(narrator: Narrator, type: string, head: string[]): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  let text = '';
  const tell = (json: string): void => narrator.received(JSON.parse(json), head.splice(0));
  return new TransformStream({
    transform(chunk, controller) {
      text += decoder.decode(chunk, { stream: true });
      if (type === 'text/event-stream') {
        const events = text.split('\n\n');
        text = events.pop() ?? '';
        for (const event of events) if (event.startsWith('data: ')) tell(event.slice('data: '.length));
      }
      controller.enqueue(chunk);
    },
    flush() {
      if (type === 'application/json') tell(text);
    },
  });
}
