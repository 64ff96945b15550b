// The official SDK over HTTP.
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { listenAndAnnounce } from './shared/announce.mjs';
import { buildServer } from './shared/official.mjs';

const handle = toNodeHandler(createMcpHandler(buildServer));
await listenAndAnnounce(createServer((request, response) => void handle(request, response)));
