import assert from 'node:assert/strict';
import process from 'node:process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Client } from 'mcpwire/client';
import { connect } from 'mcpwire/node';
import type { ConnectOptions } from 'mcpwire/node';
import { outcome } from '../support/outcome.ts';

const PEER = fileURLToPath(new URL('run-bad-stdio.js', import.meta.url));

/** How a call of `bad` must end: with an error of this name and text, or with this text of the tool. */
interface Expected {
  readonly error?: string;
  readonly message?: RegExp;
  readonly text?: string;
  /** What is reported besides. */
  readonly reported?: RegExp;
  /** Whether the same connection serves the next call. */
  readonly goesOn?: false;
}

/** Short, so that what ends by time ends soon; everything else must end long before. */
const OPTIONS: ConnectOptions = {
  timeoutMs: 1500,
  maxTotalMs: 3000,
  connectTimeoutMs: 4000,
  probeMs: 500,
  exitMs: 300,
  termMs: 300,
  maxLineBytes: 1024 * 1024,
};
/** Longest that anything here may take. */
const BOUND_MS = 15_000;

const CASES: { readonly [misbehaviour: string]: Expected } = {
  'mute-call': { error: 'TimeoutError', message: /tools\/call.*1500 ms/ },
  'dies-mid-call': { error: 'ConnectionClosedError', message: /exited with code 7.*database is on fire/s },
  killed: { error: 'ConnectionClosedError', message: /SIGKILL/ },
  noise: { text: 'done', reported: /\[info\] loading/ },
  'pretty-prints': { error: 'TimeoutError', message: /no messages.*"\{"/s, reported: /STDIO-04/ },
  'splits-utf8': { text: 'żółć 🎉\u2028' },
  'id-as-string': { error: 'TimeoutError', message: /never sent/, reported: /BASE-06/ },
  'wrong-id': { error: 'TimeoutError', message: /999999/, reported: /BASE-06/ },
  'two-answers': { text: 'done' },
  'result-and-error': { error: 'ProtocolViolationError', message: /BASE-02.*both/s },
  'neither-result-nor-error': { error: 'ProtocolViolationError', message: /this has none/ },
  'error-is-a-string': { error: 'ProtocolViolationError', message: /it broke/ },
  'result-is-a-string': { error: 'ProtocolViolationError', message: /result must be an object/ },
  'no-jsonrpc': { error: 'ProtocolViolationError', message: /jsonrpc must be/ },
  'error-without-id': { error: 'PeerError', message: /something broke/ },
  'not-utf8': { error: 'ProtocolViolationError', message: /TRN-01/ },
  'endless-line': { error: 'ProtocolViolationError', message: /more than 1048576 bytes/ },
  'slow-drip': { error: 'TimeoutError', message: /1500 ms/ },
  'nested-too-deep': { error: 'ProtocolViolationError', message: /nested deeper than 64/ },
  'too-many-values': { error: 'ProtocolViolationError', message: /more than 100000 values/ },
  'unknown-result-type': { error: 'ProtocolViolationError', message: /maybe/ },
  'asks-without-end': { error: 'LimitError', message: /10 rounds/ },
  'asks-unasked-for': { error: 'ProtocolViolationError', message: /elicitation/ },
  'progress-without-end': { error: 'TimeoutError', message: /3000 ms/ },
  'notification-flood': { text: 'done' },
  'request-flood': { text: 'done', reported: /TRN-03/ },
  'closes-stdout': { error: 'ConnectionClosedError', message: /SIGTERM/ },
  'closes-stdin': { error: 'TimeoutError', message: /1500 ms/ },
};

/** These can't be spoken to any more, and their process lives on: the next call has to end too. */
const STUCK = ['slow-drip', 'endless-line', 'closes-stdin'];

for (const [misbehaviour, expected] of Object.entries(CASES)) {
  test(
    `a stdio server that misbehaves (${misbehaviour}) ends the call in time, and says how`,
    { timeout: BOUND_MS },
    async (t) => {
      const reports: string[] = [];
      const client = await connectTo(misbehaviour, reports);
      t.after(() => client.close());
      const { error, text } = await outcome(client.call('bad', {}));
      assert.equal(error?.name, expected.error, `${String(error)} ${text ?? ''}`);
      if (expected.message !== undefined) assert.match(error?.message ?? '', expected.message);
      assert.equal(text, expected.text);
      if (expected.reported !== undefined) assert.match(reports.join('\n'), expected.reported);
      // Whatever it did: the next call is served, by the same process or by another one.
      const next = await outcome(client.call('echo', {}));
      if (STUCK.includes(misbehaviour)) assert.ok(next.error !== undefined);
      else assert.equal(next.text, 'done', String(next.error));
    },
  );
}

const STARTS: { readonly [misbehaviour: string]: readonly [error: string, message: RegExp] } = {
  mute: ['TimeoutError', /4000 ms/],
  'exits-at-once': ['ConnectionClosedError', /exited with code 2.*API_KEY is not set/s],
  'never-reads': ['TimeoutError', /4000 ms/],
  'noise-without-end': ['TimeoutError', /still starting/],
};

for (const [misbehaviour, [name, message]] of Object.entries(STARTS)) {
  test(
    `connecting to a stdio server that misbehaves (${misbehaviour}) ends in time, and says how`,
    { timeout: BOUND_MS },
    async () => {
      const { error } = await outcome(connectTo(misbehaviour, []).then(() => ({})));
      assert.equal(error?.name, name, String(error));
      assert.match(error?.message ?? '', message);
    },
  );
}

test(
  'a server that ignores its closed stdin and SIGTERM is ended by SIGKILL [STDIO-12]',
  { timeout: BOUND_MS },
  async () => {
    const client = await connectTo('ignores-sigterm', []);
    assert.equal((await client.call('echo', {})).text, 'done');
    await client.close();
  },
);

function connectTo(misbehaviour: string, reports: string[]): Promise<Client> {
  return connect(
    { command: process.execPath, args: [PEER, misbehaviour] },
    { ...OPTIONS, report: ({ kind, message }) => reports.push(`${kind}: ${message}`) },
  );
}
