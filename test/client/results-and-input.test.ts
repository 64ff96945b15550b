import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Result } from 'mcpwire';
import { clientOf, silent } from '../support/scripted-connection.ts';

const DONE: Result = { resultType: 'complete', content: [{ type: 'text', text: 'done' }] };

test('a result without a type is complete, one of an unknown type is an error [BASE-10] [BASE-11]', async () => {
  assert.equal((await clientOf(() => ({ content: [] })).call('t')).isError, false);
  for (const resultType of ['task', 'maybe', 7]) {
    const client = clientOf(() => ({ ...DONE, resultType: resultType as string }));
    await assert.rejects(client.call('t'), { name: 'ProtocolViolationError', message: /BASE-10/ });
  }
  const asking = clientOf(() => ({ resultType: 'input_required', requestState: 's' }));
  await assert.rejects(asking.request('tools/list'), { name: 'ProtocolViolationError' });
});

test('structured content is checked against the schema of its tool, which is looked up once [TOOL-27]', async () => {
  let lists = 0;
  const client = clientOf(({ method, params }) => {
    if (method === 'tools/list') {
      lists++;
      return { resultType: 'complete', tools: ['good', 'bad', 'none'].map((name) => tool(name, OUTPUT)) };
    }
    const structuredContent = { good: { n: 1 }, bad: { n: 'one' } }[String(params['name'])];
    return { ...DONE, ...(structuredContent === undefined ? {} : { structuredContent }) };
  });
  assert.deepEqual((await client.call('good')).structured, { n: 1 });
  await assert.rejects(client.call('bad'), {
    name: 'ProtocolViolationError',
    message: /tool bad.*\/n.*TOOL-26.*one/s,
  });
  await assert.rejects(client.call('none'), { message: /gave no structuredContent/ });
  // Once to know them, once more because a result did not fit.
  assert.equal(lists, 2);
});

test('who wants it gets a result that breaks its schema all the same, and a report', async () => {
  const client = clientOf(
    ({ method }) =>
      method === 'tools/list'
        ? { resultType: 'complete', tools: [tool('bad', OUTPUT)] }
        : { ...DONE, structuredContent: { n: 'one' } },
    { invalidOutput: 'report' },
  );
  assert.deepEqual((await client.call('bad')).structured, { n: 'one' });
  assert.match(client.reports.join(), /invalid-output.*TOOL-26/s);
});

test('a schema that is broken or could hang the client quarantines its own tool alone', async () => {
  const hostile = { type: 'object', properties: { s: { type: 'string', pattern: '^(a+)+$' } } };
  const schemas: { readonly [name: string]: object } = {
    redos: hostile,
    broken: { type: 'object', properties: 7 },
    remote: { $ref: 'http://127.0.0.1:1/schema' },
    good: OUTPUT,
  };
  const client = clientOf(({ method, params }) =>
    method === 'tools/list'
      ? { resultType: 'complete', tools: Object.entries(schemas).map(([name, schema]) => tool(name, schema)) }
      : { ...DONE, structuredContent: params['name'] === 'good' ? { n: 'no' } : { s: `${'a'.repeat(50)}!` } },
  );
  for (const name of ['redos', 'broken', 'remote']) {
    assert.ok((await client.call(name)).structured !== undefined);
    assert.match(
      client.reports.join('\n'),
      new RegExp(`schema-quarantined: results of the tool ${name} are not checked`),
    );
  }
  await assert.rejects(client.call('good'), { name: 'ProtocolViolationError' });
});

test('requestState goes back byte for byte, and only where one came; nothing else is added [MRTR-18] [MRTR-19] [MRTR-22]', async () => {
  const sent: unknown[] = [];
  const client = clientOf(({ params }) => {
    const { _meta, ...rest } = params;
    sent.push(rest);
    if (sent.length === 1) return { resultType: 'input_required', requestState: ' ż\u2028"' };
    if (sent.length === 2) return ask({ a: question() });
    return DONE;
  }, ANSWERING);
  await client.call('t', { x: 1 });
  assert.deepEqual(sent, [
    { name: 't', arguments: { x: 1 } },
    { name: 't', arguments: { x: 1 }, requestState: ' ż\u2028"' },
    { name: 't', arguments: { x: 1 }, inputResponses: { a: { action: 'accept', content: { name: 'Ada' } } } },
  ]);
});

test('rounds and questions are bounded', async () => {
  const endless = clientOf(() => ask({ a: question() }), { ...ANSWERING, maxRounds: 3 });
  await assert.rejects(endless.call('t'), { name: 'LimitError', message: /3 rounds/ });
  const many = Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`q${index}`, question()]));
  await assert.rejects(clientOf(() => ask(many), ANSWERING).call('t'), {
    name: 'LimitError',
    message: /33 questions/,
  });
});

test('what a client never said it could do is not asked of it [MRTR-15] [SAMP-07]', async () => {
  const asks = {
    form: question(),
    url: { method: 'elicitation/create', params: { mode: 'url', message: '?', url: 'https://example.com' } },
    sample: { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } },
    roots: { method: 'roots/list' },
    other: { method: 'made/up', params: {} },
  };
  for (const [key, asked] of Object.entries(asks)) {
    await assert.rejects(
      clientOf(() => ask({ [key]: asked })).call('t'),
      { name: 'ProtocolViolationError' },
      key,
    );
  }
  const formsOnly = clientOf(() => ask({ url: asks.url }), { ...ANSWERING, elicitModes: ['form'] });
  await assert.rejects(formsOnly.call('t'), { name: 'ProtocolViolationError', message: /MRTR-15/ });
});

test('a wrong answer of a handler is its own mistake, and never leaves the client [ELIC-46] [ROOT-04]', async () => {
  const wrong: readonly (readonly [object, RegExp])[] = [
    [{ onElicit: () => ({ action: 'accept', content: { name: 7 } }) }, /fits the form.*name/],
    [{ onElicit: () => ({ action: 'perhaps' }) }, /accept, decline or cancel/],
    [{ onElicit: () => undefined }, /object with an action/],
  ];
  for (const [options, message] of wrong) {
    const client = clientOf(() => ask({ a: question() }), options);
    await assert.rejects(client.call('t'), { name: 'UsageError', message });
  }
  const rootless = clientOf(() => ask({ r: { method: 'roots/list' } }), {
    roots: [{ uri: 'https://example.com' }],
  });
  await assert.rejects(rootless.call('t'), { name: 'UsageError', message: /file:\/\// });
});

test('a handler that fails ends the call with its error, and the questions beside it', async () => {
  let aborted = false;
  const client = clientOf(() => ask({ a: question('fail'), b: question('wait') }), {
    onElicit: ({ message }, { signal }) => {
      if (message === 'fail') throw new Error('no dialog');
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          aborted = true;
          reject(signal.reason as Error);
        });
      });
    },
  });
  await assert.rejects(client.call('t'), /no dialog/);
  assert.ok(aborted);
  assert.equal(client.pending, 0);
});

test('a call that is aborted while the user thinks ends at once', async () => {
  const controller = new AbortController();
  const client = clientOf(() => ask({ a: question() }), {
    onElicit: () => {
      setImmediate(() => controller.abort(new Error('enough')));
      return new Promise(() => {});
    },
  });
  await assert.rejects(client.call('t', {}, { signal: controller.signal }), /enough/);
});

test('the time in which the user thinks is not the time of the server [CANC-06]', async () => {
  let legs = 0;
  const client = clientOf(() => (legs++ === 0 ? ask({ a: question() }) : DONE), {
    timeoutMs: 50,
    maxTotalMs: 80,
    onElicit: async () => {
      const until = Date.now() + 120;
      while (Date.now() < until) await new Promise(setImmediate);
      return { action: 'accept', content: { name: 'Ada' } };
    },
  });
  assert.equal((await client.call('t')).text, 'done');
});

test('a server that never answers ends the call by time, and hears that it was cancelled [CANC-06] [CANC-07] [CANC-08]', async () => {
  let cancelled: unknown;
  const client = clientOf((request, exchange) => {
    exchange.signal.addEventListener('abort', () => {
      cancelled = exchange.signal.reason;
    });
    return silent(request, exchange);
  });
  const error: unknown = await client.call('t', {}, { timeoutMs: 30 }).catch((caught: unknown) => caught);
  assert.ok(error instanceof Error && error.name === 'TimeoutError');
  assert.match(error.message, /tools\/call.*30 ms/);
  assert.equal(cancelled, error);
  // One that doesn't listen can't hold the call.
  await assert.rejects(clientOf(() => new Promise(() => {})).call('t', {}, { timeoutMs: 30 }), {
    name: 'TimeoutError',
  });
  assert.equal(client.pending, 0);
});

test('progress keeps a call alive, up to a limit [CANC-09]', async () => {
  const client = clientOf(async ({ params }, exchange) => {
    const { progressToken = 0 } = params._meta;
    for (let progress = 1; !exchange.signal.aborted; progress++) {
      await exchange.notify({ method: 'notifications/progress', params: { progressToken, progress } });
      await new Promise(setImmediate);
      if (progress > 3 && Date.now() - started > 150 && params['name'] === 'ends') return DONE;
    }
    throw exchange.signal.reason;
  });
  let started = Date.now();
  assert.equal((await client.call('ends', {}, { timeoutMs: 60 })).text, 'done');
  started = Date.now();
  await assert.rejects(client.call('never', {}, { timeoutMs: 60, maxTotalMs: 200 }), {
    name: 'TimeoutError',
    message: /200 ms, whatever progress/,
  });
  assert.ok(Date.now() - started < 5000);
});

test('functions of the application that throw are reported, and break nothing', async () => {
  const client = clientOf(async ({ params }, exchange) => {
    const { progressToken = 0 } = params._meta;
    await exchange.notify({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
    return DONE;
  });
  const result = await client.call(
    't',
    {},
    {
      onProgress: () => {
        throw new Error('bar is closed');
      },
    },
  );
  assert.equal(result.text, 'done');
  assert.match(client.reports.join(), /callback-failed: onProgress threw/);
});

const OUTPUT = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
const ANSWERING = { onElicit: () => ({ action: 'accept' as const, content: { name: 'Ada' } }) };

function tool(name: string, outputSchema: object): object {
  return { name, inputSchema: { type: 'object' }, outputSchema };
}

function question(message = 'Name?'): object {
  const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
  return { method: 'elicitation/create', params: { message, requestedSchema } };
}

function ask(inputRequests: { readonly [key: string]: object }): Result {
  return { resultType: 'input_required', inputRequests };
}
