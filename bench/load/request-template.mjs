// The bytes of one HTTP request, made once; the next id is written into them in place.
import { firstId } from '../lib/messages.mjs';
import { legacyVersion } from './legacy-session.mjs';

export function requestTemplate(message, { port, path }, session) {
  const body = message.body(firstId);
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    ...(session === undefined ? modernHeaders(message) : legacyHeaders(session)),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  const bytes = Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
  const places = [...indexesOf(bytes, String(firstId))];

  return (id) => {
    for (const place of places) bytes.latin1Write(String(id), place);
    return bytes;
  };
}

function modernHeaders(message) {
  return [
    'MCP-Protocol-Version: 2026-07-28',
    `Mcp-Method: ${message.method}`,
    ...(message.name ? [`Mcp-Name: ${message.name}`] : []),
  ];
}

function legacyHeaders(session) {
  return [`MCP-Protocol-Version: ${legacyVersion}`, `Mcp-Session-Id: ${session}`];
}

function* indexesOf(bytes, needle) {
  for (let at = bytes.indexOf(needle); at !== -1; at = bytes.indexOf(needle, at + 1)) yield at;
}
