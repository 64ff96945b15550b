import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ProtocolError as ClientProtocolError } from '@modelcontextprotocol/client';
import type { Client } from '@modelcontextprotocol/client';
import type { ExampleClient } from './example-client.ts';
import { overHttp, overStdio } from './example-client.ts';

const TRANSPORTS = { stdio: overStdio, HTTP: overHttp };

const GUIDE = '# Guide\n\nPour from a teapot.\n';

/** Ways out of the folder. The first ones lead to a file that exists. */
const OUTSIDE = [
  '../secret.md',
  'deep/../../secret.md',
  '%2e%2e/secret.md',
  '%2E%2E%2Fsecret.md',
  '%252e%252e/secret.md',
  '..%5Csecret.md',
  'TOP/secret.md',
  '/TOP/secret.md',
  'linked.md',
  'linked-folder/secret.md',
  'dangling.md',
  'loop.md',
  '.hidden.md',
  'node_modules/pack.md',
  'notes.txt',
  'deep',
  'folder.md',
  'guide.md/',
  'guide.md%00',
  '%00.md',
  'guide.md/guide.md',
  `${'x'.repeat(300)}.md`,
];

for (const [transport, connect] of Object.entries(TRANSPORTS)) {
  describe(`docs-server over ${transport}`, () => {
    let top: string;
    let docs: string;
    let connected: ExampleClient;
    let client: Client;

    before(async () => {
      top = await mkdtemp(join(tmpdir(), 'mcpwire-docs-'));
      docs = join(top, 'docs');
      await writeFolder(top, docs);
      connected = await connect(['.build/examples/docs-server/main.js', docs]);
      client = connected.client;
    });

    after(async () => {
      await connected.stop();
      await rm(top, { recursive: true });
    });

    test('lists the tool with both schemas', async () => {
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map((tool) => tool.name),
        ['search'],
      );
      assert.deepEqual(tools[0]?.inputSchema.required, ['query']);
      assert.deepEqual(tools[0]?.outputSchema?.['required'], ['matches', 'complete']);
    });

    test('finds lines, and tells of every file it has read', async () => {
      // Heard on the wire: the client forgets its `onprogress` when the answer comes in the same chunk.
      const from = connected.heard.length;
      const result = await client.callTool(
        { name: 'search', arguments: { query: 'TEAPOT' } },
        { onprogress: () => {} },
      );
      assert.deepEqual(result.structuredContent, {
        matches: [
          { file: 'deep/two words.md', line: 1, text: '# The teapot' },
          { file: 'guide.md', line: 3, text: 'Pour from a teapot.' },
        ],
        complete: true,
      });
      const progress = connected.heard
        .slice(from)
        .flatMap((message) =>
          'method' in message && message.method === 'notifications/progress' ? [message.params] : [],
        );
      assert.deepEqual(
        progress.map((params) => ({ ...params, progressToken: undefined })),
        [
          { progressToken: undefined, progress: 1, total: 2, message: 'deep/two words.md' },
          { progressToken: undefined, progress: 2, total: 2, message: 'guide.md' },
        ],
      );
    });

    test('stops at the limit and says so', async () => {
      const result = await client.callTool({ name: 'search', arguments: { query: 'teapot', limit: 1 } });
      assert.deepEqual(result.structuredContent, {
        matches: [{ file: 'deep/two words.md', line: 1, text: '# The teapot' }],
        complete: false,
      });
    });

    test('answers wrong arguments so that a model can mend them', async () => {
      const result = await client.callTool({ name: 'search', arguments: { query: '', limit: 0 } });
      assert.equal(result.isError, true);
      const [block] = result.content;
      assert.ok(block?.type === 'text');
      assert.match(block.text, /\/query/);
      assert.match(block.text, /\/limit/);
    });

    test('goes on after a search that its caller gave up', async () => {
      const controller = new AbortController();
      const search = client.callTool(
        { name: 'search', arguments: { query: 'teapot' } },
        { signal: controller.signal },
      );
      controller.abort();
      await assert.rejects(search);
      assert.equal((await client.listTools()).tools.length, 1);
    });

    test('lists every Markdown file as a resource, and nothing else', async () => {
      const { resources } = await client.listResources();
      assert.deepEqual(
        resources.map(({ uri, name, mimeType }) => ({ uri, name, mimeType })),
        [
          {
            uri: 'docs:///deep/two%20words.md',
            name: 'deep/two words.md',
            mimeType: 'text/markdown',
          },
          { uri: 'docs:///guide.md', name: 'guide.md', mimeType: 'text/markdown' },
        ],
      );
    });

    test('reads what it lists', async () => {
      const { contents } = await client.readResource({ uri: 'docs:///deep/two%20words.md' });
      assert.deepEqual(contents, [
        { uri: 'docs:///deep/two%20words.md', mimeType: 'text/markdown', text: '# The teapot\n' },
      ]);
    });

    test('[RES-02] [RES-08] files are listed and read as they are now', async () => {
      const uri = 'docs:///late.md';
      await assertNotFound(client, uri);
      await writeFile(join(docs, 'late.md'), 'first');
      assert.equal(await readText(client, uri), 'first');
      await writeFile(join(docs, 'late.md'), 'second');
      assert.equal(await readText(client, uri), 'second');
      assert.ok((await client.listResources()).resources.some((resource) => resource.uri === uri));
      await rm(join(docs, 'late.md'));
      await assertNotFound(client, uri);
      assert.ok(!(await client.listResources()).resources.some((resource) => resource.uri === uri));
    });

    for (const path of OUTSIDE) {
      test(`[RES-16] ${JSON.stringify(path)} does not lead out of the folder`, async () => {
        await assertNotFound(client, `docs:///${path.replace('TOP', top)}`);
      });
    }

    test('reads a link that stays inside', async () => {
      assert.match(await readText(client, 'docs:///inside-link.md'), /Pour from/);
    });

    test('completes the path of a document', async () => {
      const { resourceTemplates } = await client.listResourceTemplates();
      assert.equal(resourceTemplates[0]?.uriTemplate, 'docs:///{+path}');
      const { completion } = await client.complete({
        ref: { type: 'ref/resource', uri: 'docs:///{+path}' },
        argument: { name: 'path', value: 'de' },
      });
      // The first begins with it, the second contains it.
      assert.deepEqual(completion.values, ['deep/two words.md', 'guide.md']);
    });

    test('completes and fills in the prompt', async () => {
      const { completion } = await client.complete({
        ref: { type: 'ref/prompt', name: 'explain' },
        argument: { name: 'file', value: 'gui' },
      });
      assert.deepEqual(completion.values, ['guide.md']);
      const prompt = await client.getPrompt({
        name: 'explain',
        arguments: { file: 'guide.md', audience: 'a child' },
      });
      assert.deepEqual(prompt.messages, [
        {
          role: 'user',
          content: { type: 'text', text: 'Explain guide.md to a child. Keep to what it says.' },
        },
        {
          role: 'user',
          content: {
            type: 'resource',
            resource: { uri: 'docs:///guide.md', mimeType: 'text/markdown', text: GUIDE },
          },
        },
      ]);
    });

    test('has a prompt with one argument that may be left out', async () => {
      const { prompts } = await client.listPrompts();
      assert.deepEqual(
        prompts[0]?.arguments?.map(({ name, required }) => ({ name, required })),
        [
          { name: 'file', required: true },
          { name: 'audience', required: false },
        ],
      );
      await assert.rejects(
        client.getPrompt({ name: 'explain', arguments: { file: '../secret.md' } }),
        (error) => error instanceof ClientProtocolError && error.code === -32602,
      );
    });
  });
}

async function writeFolder(top: string, docs: string): Promise<void> {
  await mkdir(join(docs, 'deep'), { recursive: true });
  await mkdir(join(docs, 'node_modules'));
  await mkdir(join(docs, 'folder.md'));
  await mkdir(join(top, 'elsewhere'));
  await writeFile(join(top, 'secret.md'), 'secret teapot');
  await writeFile(join(top, 'elsewhere', 'secret.md'), 'secret teapot');
  await writeFile(join(docs, 'guide.md'), GUIDE);
  await writeFile(join(docs, 'deep', 'two words.md'), '# The teapot\n');
  await writeFile(join(docs, 'notes.txt'), 'a teapot that is no Markdown');
  await writeFile(join(docs, '.hidden.md'), 'a hidden teapot');
  await writeFile(join(docs, 'node_modules', 'pack.md'), 'an installed teapot');
  await symlink(join(top, 'secret.md'), join(docs, 'linked.md'));
  await symlink(join(top, 'elsewhere'), join(docs, 'linked-folder'));
  await symlink(join(top, 'nowhere.md'), join(docs, 'dangling.md'));
  await symlink(join(docs, 'loop.md'), join(docs, 'loop.md'));
  await symlink(join(docs, 'guide.md'), join(docs, 'inside-link.md'));
}

async function readText(client: Client, uri: string): Promise<string> {
  const [contents] = (await client.readResource({ uri })).contents;
  assert.ok(contents !== undefined && 'text' in contents);
  return contents.text;
}

async function assertNotFound(client: Client, uri: string): Promise<void> {
  await assert.rejects(client.readResource({ uri }), (error) => {
    assert.ok(error instanceof ClientProtocolError, String(error));
    assert.equal(error.code, -32602);
    assert.match(error.message, /not found/i);
    return true;
  });
}
