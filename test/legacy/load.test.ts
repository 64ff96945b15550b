import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHttpFixture } from '../support/fixture-process.ts';
import { headersFor, HttpPeer } from '../support/http-peer.ts';
import { initialize, legacyCall, LEGACY_VERSIONS } from '../support/legacy-messages.ts';
import { postLegacy } from '../support/legacy-wire.ts';
import { at, call, textOf } from '../support/messages.ts';
import type { RawConnection } from '../support/raw-http.ts';
import { headerLines, openConnection, rawPost } from '../support/raw-http.ts';

const SESSIONS = 1000;
const CALLS = 100;
const CONNECTIONS = 32;

const MIB = 2 ** 20;

interface Memory {
  readonly heap: number;
  readonly rss: number;
}

async function memoryOf(peer: HttpPeer): Promise<Memory> {
  const answer = await peer.post(call('memory', 'memory'));
  return JSON.parse(textOf(answer.json)) as Memory;
}

test(
  `${SESSIONS} sessions × ${CALLS} calls, interleaved with as many modern ones on the same connections: every answer reaches its caller, and memory is bounded [issue 3]`,
  { timeout: 300_000 },
  async (t) => {
    const fixture = await startHttpFixture(t, {}, 'run-legacy-http.js');
    const peer = new HttpPeer(fixture.port);
    const before = await memoryOf(peer);
    const sessions = await openSessions(peer);
    const held = await memoryOf(peer);
    assert.ok(
      held.heap - before.heap < 40 * MIB,
      `${SESSIONS} sessions hold ${(held.heap - before.heap) / MIB} MiB`,
    );
    const connections = await Promise.all(
      Array.from({ length: CONNECTIONS }, () => openConnection(fixture.port)),
    );
    t.after(() => {
      for (const connection of connections) connection.close();
    });
    let next = 0;
    await Promise.all(
      connections.map(async (connection) => {
        for (let turn = next++; turn < SESSIONS * CALLS; turn = next++) {
          const session = sessions[turn % SESSIONS];
          assert.ok(session !== undefined);
          await checkCall(
            connection,
            legacyLines(fixture.port, session),
            legacyCall(turn, 'echo', nonce(turn)),
          );
          const modern = call(turn, 'echo', nonce(-turn - 1));
          await checkCall(connection, modernLines(fixture.port, modern), modern);
        }
      }),
    );
    const after = await memoryOf(peer);
    const growth = (after.heap - held.heap) / MIB;
    t.diagnostic(
      `${2 * SESSIONS * CALLS} calls; heap ${Math.round(held.heap / MIB)} → ${Math.round(after.heap / MIB)} MiB, RSS ${Math.round(after.rss / MIB)} MiB`,
    );
    assert.ok(growth < 24, `the heap grew by ${growth} MiB`);
    assert.ok(after.rss < 400 * MIB, `RSS ${after.rss / MIB} MiB`);
  },
);

interface Session {
  readonly id: string;
  readonly version: string;
}

async function openSessions(peer: HttpPeer): Promise<readonly Session[]> {
  const sessions: Session[] = [];
  while (sessions.length < SESSIONS) {
    const version = LEGACY_VERSIONS[sessions.length % LEGACY_VERSIONS.length] ?? '';
    const some = await Promise.all(
      Array.from({ length: 20 }, () => postLegacy(peer, initialize(version, { roots: {} }))),
    );
    for (const answer of some) sessions.push({ id: String(answer.headers['mcp-session-id']), version });
  }
  assert.equal(new Set(sessions.map((session) => session.id)).size, SESSIONS);
  return sessions;
}

function nonce(turn: number): { text: string } {
  return { text: `nonce ${turn} ${'x'.repeat(Math.abs(turn) % 7)}` };
}

async function checkCall(
  connection: RawConnection,
  lines: readonly string[],
  message: object,
): Promise<void> {
  connection.write(rawPost(lines, JSON.stringify(message)));
  const { status, body } = await connection.next();
  assert.equal(status, 200, body);
  const answer: unknown = JSON.parse(body);
  assert.equal(at(answer, 'id'), at(message, 'id'));
  assert.equal(textOf(answer), at(message, 'params', 'arguments', 'text'));
  const isModern = at(message, 'params', '_meta') !== undefined;
  assert.equal(at(answer, 'result', 'resultType') === 'complete', isModern);
}

function legacyLines(port: number, session: Session): readonly string[] {
  return [
    `Host: 127.0.0.1:${port}`,
    'Content-Type: application/json',
    `Mcp-Session-Id: ${session.id}`,
    ...(session.version >= '2025-06-18' ? [`MCP-Protocol-Version: ${session.version}`] : []),
  ];
}

function modernLines(port: number, message: unknown): readonly string[] {
  return [`Host: 127.0.0.1:${port}`, ...headerLines(headersFor(message))];
}
