import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { UrlElicitationRequiredError } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import type { LinkMaker } from '../../packages/mcpwire/src/legacy/back/upstream.ts';
import { MessageLink } from './message-link.ts';

type Send = Parameters<InMemoryTransport['send']>[0];

/** A link to an official v1 server in this process. */
export function sdkLink(server: McpServer): LinkMaker {
  return async (events) => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const link = new MessageLink(events, (message) => {
      // Not before the caller goes on, as on any wire.
      queueMicrotask(() => void near.send(message as unknown as Send).catch(() => {}));
    });
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- no event target
    near.onmessage = (message) => link.receive(message);
    await near.start();
    await server.connect(far);
    return link;
  };
}

const text = (words: string): { content: { type: 'text'; text: string }[] } => ({
  content: [{ type: 'text', text: words }],
});

const NAME_FORM = {
  type: 'object' as const,
  properties: { name: { type: 'string' as const } },
  required: ['name'],
};

/** An official v1 server whose tools ask in every way there is. */
export function askingServer(): McpServer {
  const server = new McpServer({ name: 'official', version: '1.0.0' }, { capabilities: { logging: {} } });
  const form = async (message: string): Promise<string> => {
    const { action, content } = await server.server.elicitInput({ message, requestedSchema: NAME_FORM });
    return `${action} ${JSON.stringify(content ?? null)}`;
  };
  server.registerTool('form', { inputSchema: { of: z.string() } }, async ({ of }) => text(await form(of)));
  server.registerTool('forms', { inputSchema: { count: z.number() } }, async ({ count }) => {
    const asks = Array.from({ length: count }, (_, index) => form(`number ${index}`));
    return text((await Promise.all(asks)).join('; '));
  });
  server.registerTool(
    'rounds',
    { inputSchema: { of: z.string(), count: z.number() } },
    async ({ of, count }) => {
      const answers: string[] = [];
      for (let round = 0; round < count; round++) answers.push(await form(`${of} ${round}`));
      return text(answers.join('; '));
    },
  );
  server.registerTool('url', {}, async () => {
    const { action } = await server.server.elicitInput({
      mode: 'url',
      message: 'Please look',
      url: 'https://example.com/look',
      elicitationId: 'e-1',
    });
    return text(action);
  });
  server.registerTool('sample', {}, async () => {
    const { content, model } = await server.server.createMessage({
      messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }],
      maxTokens: 10,
    });
    return text(`${model} ${JSON.stringify(content)}`);
  });
  server.registerTool('roots', {}, async () => text(JSON.stringify((await server.server.listRoots()).roots)));
  let opened = 0;
  server.registerTool('locked', { inputSchema: { times: z.number() } }, ({ times }) => {
    if (opened++ < times) {
      throw new UrlElicitationRequiredError([
        { mode: 'url', elicitationId: 'key', message: 'Please unlock', url: 'https://example.com/key' },
      ]);
    }
    return text('unlocked');
  });
  server.registerTool('steps', {}, async ({ sendNotification, _meta }) => {
    const progressToken = _meta?.progressToken;
    for (const progress of [1, 2]) {
      if (progressToken === undefined) break;
      await sendNotification({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 2 },
      });
    }
    await server.server.sendLoggingMessage({ level: 'info', data: 'stepping' });
    await server.server.sendLoggingMessage({ level: 'error', data: 'stumbling' });
    return text('stepped');
  });
  server.registerPrompt('asking', {}, async () => ({
    messages: [{ role: 'user', content: { type: 'text', text: await form('for the prompt') } }],
  }));
  server.registerResource('asking', 'test://asking', {}, async (uri) => ({
    contents: [{ uri: uri.href, text: await form('for the resource') }],
  }));
  return server;
}
