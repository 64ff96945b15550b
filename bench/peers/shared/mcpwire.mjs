// The server under test, written as its documentation shows.
import { createServer } from 'mcpwire/server';
import { serverInfo, tools } from './tools.mjs';

export const server = tools.reduce(
  (chain, { name, description, input, output, run }) =>
    chain.tool(name, { description, input, ...(output && { output }) }, run),
  createServer(serverInfo),
);
