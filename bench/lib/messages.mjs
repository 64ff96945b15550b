// The requests that are sent and the check that each answer must pass. Every id has seven digits, so that
// a request keeps its length and the load generator can write the next id into the same bytes.
import { deepStrictEqual, strictEqual } from 'node:assert/strict';

export const firstId = 1_000_000;
const lastId = 9_999_999;

const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** kind: `add`, `legacyAdd`, `echo` (size = characters of text), `list` (size = number of tools). */
export function createMessage({ kind, size }) {
  return { add, legacyAdd, echo, list }[kind](size);
}

/** Never the same id twice on one connection. */
export function idCounter() {
  let next = firstId;
  return () => {
    if (next > lastId) throw new Error('the load ran out of ids');
    return next++;
  };
}

function add() {
  return {
    method: 'tools/call',
    name: 'add',
    // The sum depends on the id: an answer that belongs to another request is caught.
    body: (id) => call(id, 'add', { a: id, b: 2 }),
    check(id, response) {
      const value = { sum: id + 2 };
      checkContent(complete(id, response), JSON.stringify(value));
      deepStrictEqual(response.result.structuredContent, value);
    },
  };
}

/** The same call in a session of the legacy era. */
function legacyAdd() {
  return {
    method: 'tools/call',
    isLegacy: true,
    body(id) {
      const params = { name: 'add', arguments: { a: id, b: 2 } };
      return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
    },
    check(id, response) {
      const value = { sum: id + 2 };
      strictEqual(response.id, id, 'id');
      deepStrictEqual(response.result, {
        content: [{ type: 'text', text: JSON.stringify(value) }],
        structuredContent: value,
      });
    },
  };
}

function echo(size) {
  const text = prose(size);
  return {
    method: 'tools/call',
    name: 'echo',
    body: (id) => call(id, 'echo', { text }),
    check: (id, response) => checkContent(complete(id, response), text),
    onlyIdVaries: true,
  };
}

function list(size) {
  return {
    method: 'tools/list',
    body: (id) => request(id, 'tools/list', {}),
    check(id, response) {
      const { tools, nextCursor } = complete(id, response);
      strictEqual(nextCursor, undefined, 'the list must come in one page');
      strictEqual(new Set(tools.map((tool) => tool.name)).size, size, 'number of tools');
      for (const tool of tools) strictEqual(tool.inputSchema.type, 'object', tool.name);
      strictEqual(tools.find((tool) => tool.name === 'add').outputSchema.type, 'object');
    },
    onlyIdVaries: true,
  };
}

function call(id, name, args) {
  return request(id, 'tools/call', { name, arguments: args });
}

function request(id, method, params) {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } });
}

function complete(id, response) {
  strictEqual(response.id, id, 'id');
  strictEqual(response.result?.resultType, 'complete', JSON.stringify(response).slice(0, 500));
  strictEqual(response.result.isError ?? false, false, JSON.stringify(response).slice(0, 500));
  return response.result;
}

function checkContent({ content }, text) {
  strictEqual(content.length, 1);
  strictEqual(content[0].type, 'text');
  // Not deepStrictEqual: its message would print a mebibyte.
  if (content[0].text !== text) throw new Error(`unexpected text: ${content[0].text.slice(0, 200)}`);
}

/** Text as people send it: lines with a few characters that JSON must escape, and no digits. */
function prose(length) {
  const line = 'The quick brown fox said "good morning" to the lazy dog.\n';
  return line.repeat(Math.ceil(length / line.length)).slice(0, length);
}
