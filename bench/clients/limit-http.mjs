// undici's request on a pool: the same message and the same headers, and nothing checked.
import { Pool } from 'undici';
import { measure, meta, target } from './shared.mjs';

const url = new URL(target);
const pool = new Pool(url.origin, { connections: 32 });
const headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'add',
};
let id = 0;
await measure(async (a) => {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: ++id,
    method: 'tools/call',
    params: { name: 'add', arguments: { a, b: 2 }, _meta: meta },
  });
  const response = await pool.request({ path: url.pathname, method: 'POST', headers, body });
  return JSON.parse(await response.body.text()).result.structuredContent.sum;
});
await pool.close();
