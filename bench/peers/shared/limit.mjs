// The bare limit: parse, call, stringify. It checks nothing, so no library that checks can beat it by much.
import { serverInfo, tools } from './tools.mjs';

const byName = new Map(tools.map((tool) => [tool.name, tool]));
const _meta = { 'io.modelcontextprotocol/serverInfo': serverInfo };
const list = tools.map(({ name, description, input, output }) => ({
  name,
  description,
  inputSchema: input,
  ...(output && { outputSchema: output }),
}));

export function answer(text) {
  const { id, method, params } = JSON.parse(text);
  return JSON.stringify({
    jsonrpc: '2.0',
    id,
    result: results[method](params),
  });
}

const results = {
  'tools/list': listTools,
  'tools/call': callTool,
  // Clients ask before anything else.
  'server/discover': () => ({
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {} },
    ttlMs: 0,
    cacheScope: 'private',
    _meta,
  }),
};

// Stringified again for every request, on purpose: that is what a program without a cache pays.
function listTools() {
  return { resultType: 'complete', tools: list, ttlMs: 0, cacheScope: 'private', _meta };
}

function callTool({ name, arguments: args }) {
  const tool = byName.get(name);
  const value = tool.run(args);
  if (!tool.output) return { resultType: 'complete', content: [{ type: 'text', text: value }], _meta };
  return {
    resultType: 'complete',
    content: [{ type: 'text', text: JSON.stringify(value) }],
    structuredContent: value,
    _meta,
  };
}
