// The official SDK's server, built the way its documentation recommends: a factory that makes a fresh
// server, with the schemas hoisted out of it because the factory runs on every HTTP request.
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { serverInfo, tools } from './tools.mjs';

const registrations = tools.map(({ name, description, input, output, run }) => ({
  name,
  config: {
    description,
    inputSchema: fromJsonSchema(input),
    ...(output && { outputSchema: fromJsonSchema(output) }),
  },
  call: output ? (args) => structured(run(args)) : (args) => text(run(args)),
}));

export function buildServer() {
  const server = new McpServer(serverInfo, { capabilities: { tools: {} } });
  for (const { name, config, call } of registrations) server.registerTool(name, config, call);
  return server;
}

function structured(value) {
  return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value };
}

function text(value) {
  return { content: [{ type: 'text', text: value }] };
}
