import { decodeHeaderValue, isHeaderSafe, readHeaderValue } from '../../protocol/header-value.ts';
import type { RequestMessage } from '../../protocol/message.ts';
import { isJsonObject } from '../../protocol/json.ts';
import { MetaKey } from '../../protocol/meta-keys.ts';
import { methodRow } from '../../protocol/methods.ts';
import { headerMismatch } from '../../protocol/protocol-error.ts';
import { isHandshake } from '../admit.ts';
import type { HttpHead } from './head.ts';

/**
 * Checks `MCP-Protocol-Version`, `Mcp-Method` and `Mcp-Name` against the body ("Server Validation", HTTP-72…78).
 * Throws -32020. The version comes first: nothing else is comparable when two versions speak.
 */
export function checkMirroredHeaders(message: RequestMessage, head: HttpHead): void {
  const meta = message.params['_meta'];
  const version = isJsonObject(meta) ? meta[MetaKey.protocolVersion] : undefined;
  // Where the body names no version, the missing field is the finding (BASE-52), not the header.
  if (typeof version === 'string') checkHeader(head, 'MCP-Protocol-Version', version);
  // An old client's handshake knows neither: it is answered with the versions that are served (VER-10).
  else if (head.header('mcp-protocol-version') === undefined && !isHandshake(message)) {
    throw headerMismatch('MCP-Protocol-Version is missing');
  }
}

/** The second half, after the body's own fields were found complete. */
export function checkMethodHeaders(message: RequestMessage, head: HttpHead): void {
  checkHeader(head, 'Mcp-Method', message.method);
  const source = methodRow(message.method)?.nameParam;
  if (source === undefined) return;
  const name = message.params[source];
  if (typeof name === 'string') checkHeader(head, 'Mcp-Name', name, true);
}

const NAMES = {
  'MCP-Protocol-Version': 'mcp-protocol-version',
  'Mcp-Method': 'mcp-method',
  'Mcp-Name': 'mcp-name',
} as const;

function checkHeader(head: HttpHead, name: keyof typeof NAMES, expected: string, encoded = false): void {
  const raw = head.header(NAMES[name]);
  if (raw === expected && isHeaderSafe(raw) && !(encoded && raw.startsWith('=?'))) return;
  if (raw === undefined) throw headerMismatch(`${name} is missing`);
  const value = encoded ? decodeHeaderValue(raw) : readHeaderValue(raw);
  if (value === undefined) throw headerMismatch(`${name} holds invalid characters or invalid Base64`);
  if (value !== expected) {
    throw headerMismatch(
      `${name} header ${JSON.stringify(value)} does not match the body's ${JSON.stringify(expected)}`,
    );
  }
}
