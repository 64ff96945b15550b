import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createServer, DefinitionError } from 'mcpwire/server';
import { rulesServer } from '../fixtures/rules-server.ts';
import { serve } from '../support/http-peer.ts';
import { assertError, at, call, listAt, request, textOf } from '../support/messages.ts';
import { WIRES } from '../support/wires.ts';

const INFO = { name: 's', version: '1' };

test('every tool is listed with an input schema that is an object [TOOL-05] [TOOL-10] [TOOL-11] [BASE-38]', async (t) => {
  const peer = await serve(t, rulesServer());
  const { json } = await peer.post(request(1, 'tools/list'));
  const tools = listAt(json, 'result', 'tools');
  assert.ok(tools.length > 20);
  for (const tool of tools) assert.equal(at(tool, 'inputSchema', 'type'), 'object');
  const plain = tools.find((tool) => at(tool, 'name') === 'nothing');
  assert.deepEqual(plain, { name: 'nothing', inputSchema: { type: 'object', additionalProperties: false } });
});

test('a schema that is none can not be defined [TOOL-10] [BASE-36] [BASE-37] [BASE-38]', () => {
  const server = createServer(INFO);
  const wrong = [
    { type: 'string' },
    {},
    { type: 'object', properties: [] },
    { type: 'object', required: 'x' },
    { type: 'object', properties: { a: { type: 'text' } } },
    { type: 'object', properties: { a: null } },
    { $schema: 'http://json-schema.org/draft-04/schema#', type: 'object' },
  ];
  for (const input of wrong) {
    assert.throws(() => server.tool('t', { input }, () => ''), DefinitionError, JSON.stringify(input));
  }
});

test('a schema that points to the network is refused, and nothing is fetched [BASE-39] [BASE-40] [BASE-42]', async (t) => {
  const asked: string[] = [];
  const { fetch } = globalThis;
  globalThis.fetch = (input) => {
    asked.push(input instanceof Request ? input.url : input.toString());
    return Promise.reject(new Error('no network'));
  };
  t.after(() => {
    globalThis.fetch = fetch;
  });
  const server = createServer(INFO);
  for (const $ref of ['https://schemas.example/a.json', 'http://127.0.0.1:1/a.json', '//schemas.example/a']) {
    const input = { type: 'object', properties: { a: { $ref } } };
    assert.throws(() => server.tool('t', { input }, () => ''), DefinitionError, $ref);
  }
  assert.deepEqual(asked, []);
});

test('a schema is read as 2020-12 unless it says otherwise [BASE-32] [BASE-35] [BASE-36]', async (t) => {
  const tuple = { type: 'array', prefixItems: [{ type: 'string' }], items: false };
  const old = { type: 'array', items: [{ type: 'string' }], additionalItems: false };
  const server = createServer(INFO)
    .tool('new', { input: { type: 'object', properties: { a: tuple } } }, () => 'ok')
    .tool(
      'old',
      {
        input: { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', properties: { a: old } },
      },
      () => 'ok',
    );
  const peer = await serve(t, server);
  for (const name of ['new', 'old']) {
    assert.equal(textOf((await peer.post(call(1, name, { a: ['x'] }))).json), 'ok');
    assert.equal(at((await peer.post(call(1, name, { a: [1] }))).json, 'result', 'isError'), true);
    assert.equal(at((await peer.post(call(1, name, { a: ['x', 'y'] }))).json, 'result', 'isError'), true);
  }
});

test('a tool name has 1 to 128 plain characters, counts its case and is unique [TOOL-13] [TOOL-14] [TOOL-15] [TOOL-16] [TOOL-17]', async (t) => {
  const server = createServer(INFO);
  for (const name of ['', 'a'.repeat(129), 'a b', 'a,b', 'a/b', 'é', 'a\n', 'a:b']) {
    assert.throws(() => server.tool(name, {}, () => ''), DefinitionError, name);
  }
  server
    .tool('a'.repeat(128), {}, () => '')
    .tool('A.b_c-9', {}, () => 'upper')
    .tool('a.b_c-9', {}, () => 'lower');
  assert.throws(() => server.tool('a.b_c-9', {}, () => ''), DefinitionError);
  const peer = await serve(t, server);
  assert.equal(textOf((await peer.post(call(1, 'A.b_c-9'))).json), 'upper');
  assert.equal(textOf((await peer.post(call(1, 'a.b_c-9'))).json), 'lower');
});

for (const [wire, start] of Object.entries(WIRES)) {
  test(`an unknown tool, and a call that is none, are -32602 over ${wire} [TOOL-28] [TOOL-31]`, async (t) => {
    const peer = await start(t);
    for (const name of ['unknown', 'Echo', '', 'hasOwnProperty', 'valueOf', '__defineGetter__']) {
      assertError(await peer.ask(call(1, name)), 1, -32602, /^Unknown tool: /);
    }
    for (const name of [undefined, null, 5, ['echo'], {}]) {
      assertError(
        await peer.ask(request(1, 'tools/call', { name })),
        1,
        -32602,
        /params\.name must be a string/,
      );
    }
    for (const args of ['x', 5, ['x'], true]) {
      const message = request(1, 'tools/call', { name: 'echo', arguments: args });
      assertError(await peer.ask(message), 1, -32602, /params\.arguments must be an object/);
    }
  });

  test(`tools named like members of every object are tools over ${wire} [TOOL-28]`, async (t) => {
    const peer = await start(t);
    for (const name of ['__proto__', 'constructor', 'toString']) {
      assert.equal(textOf(await peer.ask(call(1, name))), `the tool named ${name}`);
    }
  });

  test(`arguments that don't fit the schema are the model's to mend over ${wire} [TOOL-29] [TOOL-31]`, async (t) => {
    const peer = await start(t);
    for (const args of [{}, { text: 5 }, { text: null }, { Text: 'x' }]) {
      const answer = await peer.ask(call(1, 'echo', args));
      assert.equal(at(answer, 'result', 'isError'), true);
      assert.match(textOf(answer), /^Invalid arguments for tool echo:\n- .*text/s);
    }
    assert.equal(at(await peer.ask(call(1, 'nothing', { extra: 1 })), 'result', 'isError'), true);
    const bare = await peer.ask(request(1, 'tools/call', { name: 'nothing' }));
    assert.deepEqual(at(bare, 'result', 'content'), []);
  });

  test(`structured output conforms to its schema and stands in a text too; what doesn't conform stays here, over ${wire} [TOOL-25] [TOOL-26]`, async (t) => {
    const peer = await start(t);
    const good = await peer.ask(call(1, 'measure'));
    assert.deepEqual(at(good, 'result', 'structuredContent'), { length: 7 });
    assert.equal(textOf(good), '{"length":7}');
    const bad = await peer.ask(call(1, 'output_wrong'));
    assert.equal(at(bad, 'result', 'isError'), true);
    assert.equal(at(bad, 'result', 'structuredContent'), undefined);
    assert.doesNotMatch(JSON.stringify(bad), /size/);
  });
}

test('a full result is held to the output schema as well [TOOL-26]', async (t) => {
  const output = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
  const server = createServer(INFO, { report: () => {} })
    .tool('good', { output }, () => ({ content: [], structuredContent: { n: 1 } }))
    .tool('wrong', { output }, () => ({ content: [], structuredContent: { n: 'one' } }))
    .tool('none', { output }, () => ({ content: [], structuredContent: undefined }))
    .tool('error', { output }, () => ({ content: [{ type: 'text', text: 'no' }], isError: true }));
  const peer = await serve(t, server);
  const ask = async (name: string): Promise<unknown> => at((await peer.post(call(1, name))).json, 'result');
  assert.deepEqual(at(await ask('good'), 'structuredContent'), { n: 1 });
  for (const name of ['wrong', 'none']) {
    assert.equal(at(await ask(name), 'isError'), true);
    assert.equal(at(await ask(name), 'structuredContent'), undefined);
  }
  assert.equal(at(await ask('error'), 'content', 0, 'text'), 'no');
});

test('what a caller may not see does not exist for it: not in the list, not by its name [TOOL-32] [CACHE-26] [RES-14]', async (t) => {
  const peer = await serve(t, rulesServer());
  const admin = { 'X-Admin': 'yes' };
  const listed = async (method: string, member: string, headers: object): Promise<boolean> => {
    const { json } = await peer.post(request(1, method), { ...headers });
    return JSON.stringify(at(json, 'result', member)).includes(member === 'prompts' ? 'hidden' : 'secret');
  };
  for (const [method, member] of [
    ['tools/list', 'tools'],
    ['resources/list', 'resources'],
    ['prompts/list', 'prompts'],
  ] as const) {
    assert.equal(await listed(method, member, {}), false);
    assert.equal(await listed(method, member, admin), true);
    assert.equal(await listed(method, member, {}), false);
  }
  const uses = [
    call(1, 'secret'),
    request(1, 'resources/read', { uri: 'test://secret' }),
    request(1, 'prompts/get', { name: 'hidden' }),
  ];
  for (const message of uses) {
    assertError((await peer.post(message)).json, 1, -32602);
    assert.equal((await peer.post(message, admin)).status, 200);
  }
  const unknown = await peer.post(call(1, 'secret2'));
  const hidden = await peer.post(call(1, 'secret'));
  assert.equal(hidden.text.replaceAll('secret', ''), unknown.text.replaceAll('secret2', ''));
});
