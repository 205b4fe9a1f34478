// Nothing that a request holds ends the receiver's process, signed or not; it takes the next callback as before.
import { randomUUID } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import { parkedId } from '../../../shared/routing/park.ts';
import { hostileRequests } from '../../service/http/hostile-requests.ts';
import { sendAndHangUp } from '../../service/http/raw-http.ts';
import { nodeProgramOfTest } from '../../support/processes/node-program.ts';
import { isLongSuite, spreadOf } from '../../support/suite.ts';
import { newTaskQueue, temporalClient } from '../../support/temporal.ts';
import { bodyOf, post, signed } from './callbacks-sent.ts';
import { CALLBACK_KEY } from './flows-and-receiver.ts';

async function startReceiverProcess(variables: Readonly<Record<string, string>> = {}) {
  const child = nodeProgramOfTest(['client/receiver/main.ts'], {
    variables: {
      TEMPORAL_ADDRESS: inject('temporalAddress'),
      LOCKER_CALLBACK_KEY: CALLBACK_KEY,
      LOCKERFLOW_TASK_QUEUE: newTaskQueue(),
      CALLBACK_PORT: '0',
      ...variables,
    },
  });
  const { url } = await child.logged('receiver started');
  return { child, url: String(url) };
}

async function expectToServe({
  child,
  url,
}: Awaited<ReturnType<typeof startReceiverProcess>>): Promise<void> {
  expect(child.hasEnded(), child.err()).toBe(false);
  const uid = randomUUID();
  expect((await post(url, signed(uid, bodyOf(uid, 'ReadyForPickup')))).status).toBe(202);
  await (await temporalClient()).workflow.getHandle(parkedId(uid)).terminate();
}

test.each(spreadOf(['true', 'false'], 2))(
  'no unsigned request ends the process, with strict %s',
  async (strict) => {
    const receiver = await startReceiverProcess({ LOCKER_CALLBACK_STRICT: strict });
    const genuine = bodyOf(randomUUID(), 'ReadyForPickup');
    for (const path of ['/callbacks', '/health/ready', '/'])
      for (const [what, bytes] of Object.entries(hostileRequests(path, genuine))) {
        const answer = await sendAndHangUp(receiver.url, bytes);
        expect(receiver.child.hasEnded(), `${path}, ${what}`).toBe(false);
        expect(answer, `${path}, ${what}`).not.toMatch(/^HTTP\/1\.1 5/);
      }
    await expectToServe(receiver);
  },
);

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

test.runIf(isLongSuite)(
  'no signed request ends the process, and none is promised to be taken later that never can be',
  async () => {
    const receiver = await startReceiverProcess();
    const client = await temporalClient();
    const bodies: [what: string, uid: string, body: string][] = [
      ...oddUids.map((uid): [string, string, string] => [
        `the uid ${uid.slice(0, 20)}`,
        uid,
        bodyOf(uid, 'x'),
      ]),
      ...Object.entries(oddMessages).map(([what, body]): [string, string, string] => {
        const uid = randomUUID();
        return [what, uid, body(uid)];
      }),
    ];
    const sendAll = bodies.map(async ([what, uid, body]) => {
      const { status } = await post(receiver.url, signed(uid, body));
      expect(status, what).toBeLessThan(500);
      await client.workflow
        .getHandle(parkedId(uid))
        .terminate()
        .catch(() => undefined);
    });
    await Promise.all(sendAll);
    await expectToServe(receiver);
  },
);
