// The receiver as a process of its own: it starts from its environment alone, says what it lacks, and stops when asked.
import { randomUUID } from 'node:crypto';
import { expect, inject, onTestFinished, test } from 'vitest';
import { searchAttributes } from '../../../contract/flows/search-attributes.ts';
import type { Child } from '../../../scripts/child-process.ts';
import { startTemporalServer } from '../../../scripts/temporal/server.ts';
import { parkedId } from '../../../shared/routing/park.ts';
import { nodeProgramOfTest } from '../../support/processes/node-program.ts';
import { isLongSuite } from '../../support/suite.ts';
import { newTaskQueue, temporalClient } from '../../support/temporal.ts';
import { bodyOf, post, signed } from './callbacks-sent.ts';
import { CALLBACK_KEY } from './flows-and-receiver.ts';

const startProcess = (variables: Readonly<Record<string, string>>): Child =>
  nodeProgramOfTest(['client/receiver/main.ts'], { variables: { CALLBACK_PORT: '0', ...variables } });

const urlOf = async (child: Child): Promise<string> => String((await child.logged('receiver started')).url);

const linesOf = (child: Child): string[] => child.out().trim().split('\n');

const endOf = async (child: Child) => ({ code: await child.exitCode, said: child.err() });

test('takes callbacks until it is asked to stop, and logs nothing of their content', async () => {
  const client = await temporalClient();
  const child = startProcess({
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    LOCKER_CALLBACK_KEY: CALLBACK_KEY,
    LOCKERFLOW_TASK_QUEUE: newTaskQueue(),
  });
  const url = await urlOf(child);
  const uid = randomUUID();
  const sent = signed(uid, bodyOf(uid, 'ReadyForPickup', { description: 'for Anna' }));
  expect((await post(url, sent)).status).toBe(202);
  expect((await post(url, { ...sent, headers: {} })).status).toBe(401);
  await client.workflow.getHandle(parkedId(uid)).terminate();

  await child.signal('SIGTERM');
  expect(await endOf(child)).toEqual({ code: 0, said: '' });
  const told = linesOf(child).map((line) => JSON.parse(line));
  expect(told).toMatchObject([
    { msg: 'receiver started' },
    { msg: 'callback', status: 202, shipmentUid: uid, became: 'parked' },
    {
      level: 40,
      msg: 'callback refused (form): x-callback-hmac is missing',
      status: 401,
      shipmentUid: null,
      claimedShipmentUid: uid,
      became: 'unauthentic',
    },
    { msg: 'receiver stopped' },
  ]);
  expect(child.out()).not.toMatch(/Anna|whsec|v1,/);
});

test.runIf(isLongSuite)(
  'an unsigned flood fills no log: few are logged, shortened, and the rest is counted',
  async () => {
    const child = startProcess({
      TEMPORAL_ADDRESS: inject('temporalAddress'),
      LOCKER_CALLBACK_KEY: CALLBACK_KEY,
      LOCKERFLOW_TASK_QUEUE: newTaskQueue(),
    });
    const url = await urlOf(child);
    const chosen = 'chosen by a stranger '.repeat(2_900);
    const body = bodyOf(chosen, 'ReadyForPickup');
    const unsigned = { headers: { 'content-type': 'application/json' }, body };
    const forged = signed(chosen, body, { key: 'whsec_c29tZSBvdGhlciBrZXkgdGhhbiBvdXJz' });
    for (let number = 0; number < 60; number += 1)
      expect((await post(url, number % 2 === 0 ? unsigned : forged)).status).toBe(401);
    await child.signal('SIGTERM');
    await endOf(child);
    const told = linesOf(child)
      .map((line) => JSON.parse(line))
      .filter(({ why }) => why !== undefined);
    for (const reason of ['form', 'key']) {
      const ofReason = told.filter(({ why }) => why === reason);
      const counts = ofReason.map(({ count = 1 }) => count);
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(30);
      expect(counts[0]).toBe(1);
    }
    expect(Math.max(...linesOf(child).map((line) => line.length))).toBeLessThan(1_000);
  },
);

test.runIf(isLongSuite)(
  'stops when asked while Temporal is not available, even with waiting callbacks',
  async () => {
    const { address, stop } = await startTemporalServer({ searchAttributes });
    onTestFinished(stop);
    const child = startProcess({ TEMPORAL_ADDRESS: address, LOCKER_CALLBACK_KEY: CALLBACK_KEY });
    const url = await urlOf(child);
    await stop();
    const uid = randomUUID();
    const sent = signed(uid, bodyOf(uid, 'ReadyForPickup'));
    // Its sender does not wait for the answer: the client of Temporal tries for 18 s.
    const gone = fetch(url, { method: 'POST', ...sent, signal: AbortSignal.timeout(1_000) });
    await expect(gone).rejects.toThrow('aborted due to timeout');
    await child.signal('SIGTERM');
    expect(await endOf(child)).toEqual({ code: 0, said: '' });
  },
);

test('does not start with wrong settings, and names each of them', async () => {
  const wrong = { CALLBACK_BODY_LIMIT_BYTES: 'much', LOCKER_CALLBACK_HMAC_ALGORITHM: 'md5' };
  const { code, said } = await endOf(startProcess(wrong));
  expect(code).toBe(1);
  for (const name of [...Object.keys(wrong), 'LOCKER_CALLBACK_KEY']) expect(said).toContain(name);
});

test.runIf(isLongSuite)('does not start with a limit of bodies that Temporal would not take', async () => {
  const { code, said } = await endOf(
    startProcess({ LOCKER_CALLBACK_KEY: CALLBACK_KEY, CALLBACK_BODY_LIMIT_BYTES: '2000000' }),
  );
  expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining('262144') });
});

test.runIf(isLongSuite)('does not start without Temporal, and says where it looked', async () => {
  const variables = { TEMPORAL_ADDRESS: '127.0.0.1:1', LOCKER_CALLBACK_KEY: CALLBACK_KEY };
  const { code, said } = await endOf(startProcess(variables));
  expect({ code, said }).toMatchObject({
    code: 1,
    said: expect.stringMatching(/^lockerflow-receiver: Temporal cannot be reached at 127\.0\.0\.1:1; .*\n$/),
  });
});
