import process from 'node:process';

/**
 * A stdio server that misbehaves in the one way that its argument names, and else is a small modern server with the
 * tools `echo` and `bad`: it misbehaves when `bad` is called, or from its start.
 */

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly _meta?: { readonly progressToken?: unknown } };
}

type Misbehaviour = (message: Message) => void;

const out = (text: string | Uint8Array): boolean => process.stdout.write(text);
const send = (message: object): boolean => out(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const DONE = { resultType: 'complete', content: [{ type: 'text', text: 'done' }] };
const answer = (message: Message, more: object = {}): boolean =>
  send({ id: message.id, result: { ...DONE, ...more } });
const forever = (write: () => void): void => {
  setInterval(write, 1);
};

/** What happens when `bad` is called. */
const ON_CALL: { readonly [name: string]: Misbehaviour } = {
  'mute-call': () => {},
  'dies-mid-call': () => {
    process.stderr.write('fatal: the database is on fire\n', () => process.exit(7));
  },
  deaf: (message) => {
    answer(message);
    process.stdin.pause();
    forever(() => {});
  },
  killed: () => process.kill(process.pid, 'SIGKILL'),
  noise: (message) => {
    out('[info] loading\n{"level":30,"msg":"ready"}\nundefined\n');
    answer(message);
  },
  'pretty-prints': (message) => {
    out(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: DONE }, null, 2)}\n`);
  },
  'splits-utf8': (message) => {
    const bytes = Buffer.from(
      `${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { ...DONE, content: [{ type: 'text', text: 'żółć 🎉\u2028' }] } })}\n`,
    );
    const write = (at: number): void => {
      if (at < bytes.length) process.stdout.write(bytes.subarray(at, at + 1), () => write(at + 1));
    };
    write(0);
  },
  'id-as-string': (message) => send({ id: String(message.id), result: DONE }),
  'wrong-id': () => send({ id: 999_999, result: DONE }),
  'two-answers': (message) => {
    answer(message);
    answer(message, { content: [{ type: 'text', text: 'again' }] });
  },
  'result-and-error': (message) =>
    send({ id: message.id, result: DONE, error: { code: -32603, message: 'both' } }),
  'neither-result-nor-error': (message) => send({ id: message.id }),
  'error-is-a-string': (message) => send({ id: message.id, error: 'it broke' }),
  'result-is-a-string': (message) => send({ id: message.id, result: 'done' }),
  'no-jsonrpc': (message) => out(`${JSON.stringify({ id: message.id, result: DONE })}\n`),
  'error-without-id': () => send({ error: { code: -32603, message: 'something broke' } }),
  'not-utf8': (message) =>
    out(
      Buffer.concat([
        Buffer.from(
          `{"jsonrpc":"2.0","id":${String(message.id)},"result":{"content":[{"type":"text","text":"`,
        ),
        Buffer.from([0xff, 0xfe]),
        Buffer.from('"}]}}\n'),
      ]),
    ),
  'endless-line': (message) => {
    out(`{"jsonrpc":"2.0","id":${String(message.id)},"result":{"content":[{"type":"text","text":"`);
    const more = (): boolean => process.stdout.write('x'.repeat(65_536), () => setImmediate(more));
    more();
  },
  'slow-drip': (message) => {
    out(`{"jsonrpc":"2.0","id":${String(message.id)},"result":{`);
    forever(() => out(' '));
  },
  'nested-too-deep': (message) =>
    out(
      `{"jsonrpc":"2.0","id":${String(message.id)},"result":{"a":${'['.repeat(5000)}${']'.repeat(5000)}}}\n`,
    ),
  'too-many-values': (message) =>
    out(`{"jsonrpc":"2.0","id":${String(message.id)},"result":{"a":[${'0,'.repeat(200_000)}0]}}\n`),
  'unknown-result-type': (message) => answer(message, { resultType: 'maybe' }),
  'asks-without-end': (message) =>
    send({ id: message.id, result: { resultType: 'input_required', requestState: 'again' } }),
  'asks-unasked-for': (message) =>
    send({
      id: message.id,
      result: {
        resultType: 'input_required',
        inputRequests: {
          name: { method: 'elicitation/create', params: { message: '?', requestedSchema: {} } },
        },
      },
    }),
  'progress-without-end': (message) => {
    let progress = 0;
    const progressToken = message.params?._meta?.progressToken;
    forever(() =>
      send({ method: 'notifications/progress', params: { progressToken, progress: ++progress } }),
    );
  },
  'notification-flood': (message) => {
    for (let sent = 0; sent < 50_000; sent++) {
      send({ method: 'notifications/message', params: { level: 'info', data: 'x'.repeat(100) } });
    }
    answer(message);
  },
  'request-flood': (message) => {
    for (let id = 0; id < 5000; id++) send({ id, method: 'roots/list', params: {} });
    answer(message);
  },
  'closes-stdout': () => process.stdout.end(() => forever(() => {})),
  'closes-stdin': () => {
    process.stdin.destroy();
    forever(() => {});
  },
};

/** What happens from the start. */
const ON_START: { readonly [name: string]: () => void } = {
  mute: () => forever(() => {}),
  'exits-at-once': () => {
    process.stderr.write('error: API_KEY is not set\n', () => process.exit(2));
  },
  'never-reads': () => {
    process.stdin.pause();
    forever(() => {});
  },
  'noise-without-end': () => forever(() => out('still starting …\n')),
  'ignores-sigterm': () => {
    process.on('SIGTERM', () => {});
    forever(() => {});
    serve();
  },
};

const [mode = ''] = process.argv.slice(2);
const start = ON_START[mode];
if (start !== undefined) start();
else if (ON_CALL[mode] !== undefined) serve();
else throw new Error(`no misbehaviour ${mode}`);

function serve(): void {
  let rest = '';
  process.stdin.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) receive(JSON.parse(line) as Message);
  });
}

function receive(message: Message): void {
  if (message.method === 'server/discover') {
    send({
      id: message.id,
      result: {
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {} },
        ttlMs: 0,
        cacheScope: 'private',
      },
    });
  } else if (message.method === 'tools/list') {
    const tools = ['echo', 'bad'].map((name) => ({ name, inputSchema: { type: 'object' } }));
    send({ id: message.id, result: { resultType: 'complete', tools, ttlMs: 0, cacheScope: 'private' } });
  } else if (message.method === 'tools/call') {
    if (message.params?.name === 'bad' && ON_CALL[mode] !== undefined) ON_CALL[mode](message);
    else answer(message);
  } else if (message.id !== undefined && message.method !== undefined) {
    send({ id: message.id, error: { code: -32601, message: `no method ${message.method}` } });
  }
}
