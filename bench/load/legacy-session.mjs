// The handshake of the legacy era: every connection of a legacy load has a session of its own.
import { strictEqual } from 'node:assert/strict';
import { request } from 'node:http';

export const legacyVersion = '2025-11-25';

/** Answers the id of a new session. */
export async function openSession({ port, path }) {
  const params = {
    protocolVersion: legacyVersion,
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  return new Promise((resolve, reject) => {
    const call = request({ port, path, host: '127.0.0.1', method: 'POST', headers, agent: false });
    call.on('response', (response) => {
      response.resume();
      strictEqual(response.statusCode, 200, 'initialize');
      resolve(response.headers['mcp-session-id']);
    });
    call.on('error', reject);
    call.end(body);
  });
}
