import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HttpPeer } from '../support/http-peer.ts';
import { at, call, request } from '../support/messages.ts';
import { testMount } from './mount-tests.ts';
import { runWorker } from './run-worker.ts';

// As long as it writes nothing, workerd does not see that the other side closed its half.
testMount('Workers', () => runWorker('workers', 'examples/mounts/workers.ts'), { seesOnlyResets: true });

test('on Workers, clients that left take nothing from those who come', { timeout: 60_000 }, async (t) => {
  const worker = await runWorker('bounded-worker', 'test/mounts/bounded-worker.ts');
  t.after(() => worker.stop());
  const peer = new HttpPeer(worker.port);
  for (const id of [1, 2]) {
    const counting = await peer.open(call(id, 'count', { to: 9999 }, { progressToken: 'p' }));
    await counting.next();
    counting.close();
    const listening = await peer.open(
      request(id, 'subscriptions/listen', { notifications: { resourceSubscriptions: ['test://page'] } }),
    );
    assert.equal(at(await listening.next(), 'method'), 'notifications/subscriptions/acknowledged');
    // A timer of the request before would be gone with it.
    assert.equal(await listening.comment(), ':');
    await new HttpPeer(worker.port, '/update').send('POST', {});
    assert.equal(at(await listening.next(), 'method'), 'notifications/resources/updated');
    listening.close();
    await listening.ended;
  }
  assert.equal((await peer.post(call(3, 'count', { to: 1 }))).status, 200);
});
