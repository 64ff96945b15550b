import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Slots } from '../../async/slots.ts';
import type { Handler } from '../../protocol/handler.ts';
import { OpenStreams } from '../../transport/http/open-streams.ts';
import { DEFAULT_SESSION_BOUNDS } from '../front/reply.ts';
import { LegacySession } from '../front/session.ts';
import { KeptStreams } from './kept-streams.ts';
import { DEFAULT_STREAM_BOUNDS } from './resumable-stream.ts';
import { SessionStreams } from './session-streams.ts';
import { DEFAULT_TABLE_BOUNDS, SessionTable } from './session-table.ts';
import type { HeldSession } from './session-table.ts';

const FACTS = { version: '2025-11-25', clientCapabilities: {}, clientInfo: { name: 'c', version: '1' } };
const FOREVER = Number.POSITIVE_INFINITY;

/** Never answers: a request of it keeps its session busy. */
const silent: Handler = () => new Promise(() => {});

function make(): Pick<HeldSession, 'session' | 'streams'> {
  const options = {
    handle: silent,
    bounds: DEFAULT_SESSION_BOUNDS,
    report: () => {},
    slots: new Slots(FOREVER),
  };
  return {
    session: new LegacySession(FACTS, { transport: 'test' }, options),
    streams: new SessionStreams({
      bounds: DEFAULT_STREAM_BOUNDS,
      open: new OpenStreams(1000),
      kept: new KeptStreams(DEFAULT_TABLE_BOUNDS),
    }),
  };
}

function occupy(held: HeldSession | undefined): void {
  const reply = { send: () => Promise.resolve(), finish: () => {} };
  held?.session.request(
    { kind: 'request', id: 1, method: 'tools/list', params: {} },
    { transport: 'test' },
    reply,
  );
}

function tableOf(bounds: Partial<typeof DEFAULT_TABLE_BOUNDS>, now = () => 0): SessionTable {
  return new SessionTable({ ...DEFAULT_TABLE_BOUNDS, ...bounds }, now);
}

test('a principal has at most so many sessions: its own longest unused makes room, never another’s', (t) => {
  let now = 0;
  const table = tableOf({ maxSessionsPerPrincipal: 2 }, () => now++);
  t.after(() => table.close());
  const add = (id: string, principal: string) => table.add({ id, principal, until: FOREVER }, make);
  add('b1', 'bob');
  add('a1', 'alice');
  add('a2', 'alice');
  table.find('a1', 'alice');
  add('a3', 'alice');
  assert.equal(table.find('a2', 'alice'), undefined);
  for (const [id, principal] of [
    ['b1', 'bob'],
    ['a1', 'alice'],
    ['a3', 'alice'],
  ] as const) {
    assert.equal(table.find(id, principal)?.id, id);
  }
});

test('a principal whose sessions are all busy gets no other one', (t) => {
  const table = tableOf({ maxSessionsPerPrincipal: 1 });
  t.after(() => table.close());
  occupy(table.add({ id: 'a1', principal: 'alice', until: FOREVER }, make));
  assert.equal(table.add({ id: 'a2', principal: 'alice', until: FOREVER }, make), undefined);
  assert.notEqual(table.add({ id: 'b1', principal: 'bob', until: FOREVER }, make), undefined);
});

test('callers that nobody tells apart are counted in all only', (t) => {
  const table = tableOf({ maxSessionsPerPrincipal: 1, maxSessions: 3 });
  t.after(() => table.close());
  for (const id of ['1', '2', '3', '4']) table.add({ id, principal: '', until: FOREVER }, make);
  assert.equal(table.size, 3);
});

test('a session is found by its own principal alone', (t) => {
  const table = tableOf({});
  t.after(() => table.close());
  table.add({ id: 'a1', principal: 'alice', until: FOREVER }, make);
  assert.equal(table.find('a1', 'bob'), undefined);
  assert.equal(table.find('a1', 'alice')?.id, 'a1');
});

test('an expired session is forgotten when it is looked for', (t) => {
  let now = 0;
  const table = tableOf({}, () => now);
  t.after(() => table.close());
  table.add({ id: '1', principal: '', until: 10 }, make);
  now = 9;
  assert.equal(table.find('1', '')?.id, '1');
  now = 10;
  assert.equal(table.find('1', ''), undefined);
  assert.equal(table.size, 0);
});

test('an ended session stays ended; of very many the oldest ends are forgotten', (t) => {
  const table = tableOf({});
  t.after(() => table.close());
  table.end('first');
  assert.equal(table.hasEnded('first'), true);
  for (let count = 0; count < 10_000; count++) table.end(`${count}`);
  assert.equal(table.hasEnded('first'), false);
  assert.equal(table.hasEnded('0'), true);
});
