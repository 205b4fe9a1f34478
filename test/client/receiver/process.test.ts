// The receiver as a process of its own: it starts from its environment alone, says what it lacks, stops when asked, and no request
// ends it.
import { randomUUID } from 'node:crypto';
import { expect, inject, onTestFinished, test } from 'vitest';
import { readReceiverSettings } from '../../../client/receiver/settings.ts';
import { searchAttributes } from '../../../contract/flows/search-attributes.ts';
import type { Child } from '../../../local/child-process.ts';
import { startTemporalServer } from '../../../local/temporal/server.ts';
import { unmatchedId } from '../../../shared/routing/keep-unmatched.ts';
import { hostileRequests } from '../../service/http/hostile-requests.ts';
import { sendAndHangUp } from '../../service/http/raw-http.ts';
import { nodeProgramOfTest } from '../../support/processes/node-program.ts';
import { eachSampled } from '../../support/suite.ts';
import { newTaskQueue, temporalClient } from '../../support/temporal.ts';
import { bodyOf, post, signed } from './callbacks-sent.ts';
import { CALLBACK_KEY } from './flows-and-receiver.ts';

const startProcess = (variables: Readonly<Record<string, string>> = {}): Child =>
  nodeProgramOfTest(['client/receiver/main.ts'], {
    variables: {
      TEMPORAL_ADDRESS: inject('temporalAddress'),
      LOCKER_CALLBACK_KEY: CALLBACK_KEY,
      LOCKERFLOW_TASK_QUEUE: newTaskQueue(),
      CALLBACK_PORT: '0',
      ...variables,
    },
  });

const urlOf = async (child: Child): Promise<string> => String((await child.logged('receiver started')).url);

const linesOf = (child: Child): string[] => child.out().trim().split('\n');

const endOf = async (child: Child) => ({ code: await child.exitCode, said: child.err() });

test('takes callbacks until it is asked to stop, and logs nothing of their content', async () => {
  const client = await temporalClient();
  const child = startProcess();
  const url = await urlOf(child);
  const uid = randomUUID();
  const sent = signed(uid, bodyOf(uid, 'ReadyForPickup', { description: 'for Anna' }));
  expect((await post(url, sent)).status).toBe(202);
  expect((await post(url, { ...sent, headers: {} })).status).toBe(401);
  await client.workflow.getHandle(unmatchedId(uid)).terminate();

  await child.signal('SIGTERM');
  expect(await endOf(child)).toEqual({ code: 0, said: '' });
  const told = linesOf(child).map((line) => JSON.parse(line));
  expect(told).toMatchObject([
    { msg: 'receiver started' },
    { msg: 'callback', status: 202, shipmentUid: uid, became: 'unmatched' },
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

test('an unsigned flood fills no log: few are logged, shortened, and the rest is counted', {
  tags: 'long',
}, async () => {
  const child = startProcess();
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
});

test('stops when asked while Temporal is not available, even with waiting callbacks', {
  tags: 'long',
}, async () => {
  const { address, stop } = await startTemporalServer({ searchAttributes });
  onTestFinished(stop);
  const child = startProcess({ TEMPORAL_ADDRESS: address });
  const url = await urlOf(child);
  await stop();
  const uid = randomUUID();
  const sent = signed(uid, bodyOf(uid, 'ReadyForPickup'));
  // Its sender does not wait for the answer: the client of Temporal tries for 18 s.
  const gone = fetch(url, { method: 'POST', ...sent, signal: AbortSignal.timeout(1_000) });
  await expect(gone).rejects.toThrow('aborted due to timeout');
  await child.signal('SIGTERM');
  expect(await endOf(child)).toEqual({ code: 0, said: '' });
});

test('does not start with wrong settings, and names each of them with what was expected', async () => {
  const wrong = {
    // More than Temporal would take.
    CALLBACK_BODY_LIMIT_BYTES: ['2000000', '.*262144'],
    CALLBACK_LOG_LEVEL: ['loud', 'must be one of .*silent'],
    CALLBACK_PORT: ['70000', '.*65535'],
    LOCKER_CALLBACK_HMAC_ALGORITHM: ['md5', ''],
    LOCKER_CALLBACK_KEY: ['', ''],
    LOCKER_CALLBACK_STRICT: ['perhaps', 'must be true or false'],
    KEEP_UNMATCHED_FOR: ['30 days', ''],
  } as const;
  const settings = Object.fromEntries(Object.entries(wrong).map(([name, [value]]) => [name, value]));
  const { code, said } = await endOf(startProcess(settings));
  expect(code).toBe(1);
  expect(said).toContain('The callback receiver cannot start; these settings are wrong:\n');
  for (const [name, [, words]] of Object.entries(wrong)) expect(said).toMatch(RegExp(`  ${name}: ${words}`));
});

test('an empty setting counts as absent', () => {
  const empty = { LOCKER_CALLBACK_KEY: CALLBACK_KEY, CALLBACK_LOG_LEVEL: '', CALLBACK_PORT: '' };
  expect(readReceiverSettings(empty)).toMatchObject({ logLevel: 'info', port: 8090 });
});

test('does not start without Temporal, and says where it looked', { tags: 'long' }, async () => {
  const { code, said } = await endOf(startProcess({ TEMPORAL_ADDRESS: '127.0.0.1:1' }));
  expect({ code, said }).toMatchObject({
    code: 1,
    said: expect.stringMatching(/^lockerflow-receiver: Temporal cannot be reached at 127\.0\.0\.1:1; .*\n$/),
  });
});

// Nothing that a request holds ends the process, signed or not; it takes the next callback as before.
async function expectToServe(child: Child, url: string): Promise<void> {
  expect(child.hasEnded(), child.err()).toBe(false);
  const uid = randomUUID();
  expect((await post(url, signed(uid, bodyOf(uid, 'ReadyForPickup')))).status).toBe(202);
  await (await temporalClient()).workflow.getHandle(unmatchedId(uid)).terminate();
}

eachSampled(
  test,
  ['true', 'false'],
  2,
)('no unsigned request ends the process, with strict %s', async (strict) => {
  const child = startProcess({ LOCKER_CALLBACK_STRICT: strict });
  const url = await urlOf(child);
  const genuine = bodyOf(randomUUID(), 'ReadyForPickup');
  for (const path of ['/callbacks', '/health/ready', '/'])
    for (const [what, bytes] of Object.entries(hostileRequests(path, genuine))) {
      const answer = await sendAndHangUp(url, bytes);
      expect(child.hasEnded(), `${path}, ${what}`).toBe(false);
      expect(answer, `${path}, ${what}`).not.toMatch(/^HTTP\/1\.1 5/);
    }
  await expectToServe(child, url);
});

const oddUids = [
  'a"b',
  "a'b",
  'a\\b',
  'a\nb',
  'a\u0000b',
  '🔑',
  ' ',
  '../..',
  'x'.repeat(900),
  'x'.repeat(5_000),
];
const oddMessages: Readonly<Record<string, (uid: string) => string>> = {
  'no state': (uid) => JSON.stringify({ messageType: 'ShipmentStatusUpdate', message: { shipmentUid: uid } }),
  'a state that is not a text': (uid) => bodyOf(uid, 'x', { stateCode: { a: 1 } }),
  'a very long state': (uid) => bodyOf(uid, 'x'.repeat(20_000)),
  'a moment that is none': (uid) => bodyOf(uid, 'ReadyForPickup', { stateStart: '9999999-99-99' }),
  'a moment that is a number': (uid) => bodyOf(uid, 'ReadyForPickup', { stateStart: 1e300 }),
  'a case number that is not a text': (uid) => bodyOf(uid, 'ReadyForPickup', { referenceCaseNo: [1] }),
  'a case number that closes a quote': (uid) =>
    bodyOf(uid, 'ReadyForPickup', { referenceCaseNo: "' OR 1=1" }),
  'a very long case number': (uid) => bodyOf(uid, 'ReadyForPickup', { referenceCaseNo: 'c'.repeat(20_000) }),
  'a type of its own': (uid) => JSON.stringify({ messageType: 'Ping', message: { shipmentUid: uid } }),
  'a type that is very long': (uid) =>
    JSON.stringify({ messageType: 'P'.repeat(20_000), message: { shipmentUid: uid } }),
  'a deep message': (uid) =>
    `{"messageType":"Ping","message":${'['.repeat(5_000)}"${uid}"${']'.repeat(5_000)}}`,
};

test('no signed request ends the process, and none is promised to be taken later that never can be', {
  tags: 'long',
}, async () => {
  const child = startProcess();
  const url = await urlOf(child);
  const client = await temporalClient();
  const bodies = [
    ...oddUids.map((uid) => ({ what: `the uid ${uid.slice(0, 20)}`, uid, bodyOf: () => bodyOf(uid, 'x') })),
    ...Object.entries(oddMessages).map(([what, bodyOf]) => ({ what, uid: randomUUID(), bodyOf })),
  ];
  const sendAll = bodies.map(async ({ what, uid, bodyOf }) => {
    const { status } = await post(url, signed(uid, bodyOf(uid)));
    expect(status, what).toBeLessThan(500);
    await client.workflow
      .getHandle(unmatchedId(uid))
      .terminate()
      .catch(() => undefined);
  });
  await Promise.all(sendAll);
  await expectToServe(child, url);
});
