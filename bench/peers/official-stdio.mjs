// The official SDK over stdio.
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { buildServer } from './shared/official.mjs';

serveStdio(buildServer);
