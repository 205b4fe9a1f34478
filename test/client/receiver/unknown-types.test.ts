// Messages of a type that the receiver does not know, from a vendor that signs nothing but the shipmentUid: they are
// taken and kept, unless `strict` wants the whole body signed.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Received } from '../../../client/receiver/receive-callback.ts';
import { type Receiver, startReceiver } from '../../../client/receiver/server.ts';
import { readReceiverSettings } from '../../../client/receiver/settings.ts';
import { connectClient, newTaskQueue } from '../../support/temporal.ts';
import { bodyOf, hmacByOpenssl, post, signed } from './callbacks-sent.ts';
import { CALLBACK_KEY } from './flows-and-receiver.ts';

const received: Received[] = [];
const receivers = new Map<'strict' | 'lenient', Receiver>();

let temporal: Awaited<ReturnType<typeof connectClient>>;
beforeAll(async () => {
  temporal = await connectClient();
  for (const kind of ['strict', 'lenient'] as const) {
    const settings = readReceiverSettings({
      CALLBACK_PORT: '0',
      LOCKER_CALLBACK_KEY: CALLBACK_KEY,
      LOCKER_CALLBACK_STRICT: String(kind === 'strict'),
      LOCKERFLOW_TASK_QUEUE: newTaskQueue(),
    });
    receivers.set(
      kind,
      await startReceiver(temporal.client, { ...settings, onReceived: (one) => received.push(one) }),
    );
  }
});
afterAll(async () => {
  for (const { workflowIds } of received)
    for (const id of workflowIds) await temporal.client.workflow.getHandle(id).terminate();
  for (const receiver of receivers.values()) await receiver.close();
  await temporal.close();
});

const ping = (message: unknown) => JSON.stringify({ messageType: 'LockerReport', message });
const hashed = (uid: string, body: string) => ({
  body,
  headers: { 'x-callback-hmac': hmacByOpenssl(CALLBACK_KEY, uid).toString('base64') },
});
const send = async (kind: 'strict' | 'lenient', sent: Parameters<typeof post>[1]) => {
  const { status } = await post(receivers.get(kind)?.url ?? '', sent);
  return { status, became: received.at(-1)?.became };
};

test('one with a valid HMAC of its shipmentUid is kept', async () => {
  const uid = randomUUID();
  expect(await send('lenient', hashed(uid, ping({ shipmentUid: uid, note: 'x' })))).toEqual({
    status: 202,
    became: 'unmatched',
  });
});

test('half a surrogate pair is refused, and not to be sent again', async () => {
  const uid = randomUUID();
  const body = bodyOf(uid, 'ReadyForPickup').replace('}}', ',"referenceCaseNo":"\\ud800"}}');
  expect(await send('strict', signed(uid, body))).toEqual({ status: 400, became: 'malformed' });
  expect(received.at(-1)?.refused?.words).toContain('message.referenceCaseNo: has half a surrogate pair');
});

test('where the whole body has to be signed, that HMAC is not enough', async () => {
  const uid = randomUUID();
  const body = ping({ shipmentUid: uid, note: 'y' });
  const refused = { status: 401, became: 'unauthentic' };
  expect(await send('strict', hashed(uid, body))).toEqual(refused);
  expect(await send('strict', signed(uid, body))).toMatchObject({
    status: 202,
  });
});

test.each([
  ['the HMAC of another uid', () => hashed(randomUUID(), ping({ shipmentUid: randomUUID() }))],
  ['no HMAC', () => ({ headers: {}, body: ping({ shipmentUid: randomUUID() }) })],
  ['no shipmentUid', () => hashed('', ping({}))],
  ['an empty shipmentUid', () => hashed('', ping({ shipmentUid: '' }))],
  ['a shipmentUid that is not a text', () => hashed('[object Object]', ping({ shipmentUid: {} }))],
  ['no message', () => hashed('', ping(null))],
  [
    'one uid under two names',
    () => hashed('one', '{"messageType":"LockerReport","message":{"shipmentUid":"one","ShipmentUid":"two"}}'),
  ],
])('with %s it is refused', async (_, sent) => {
  expect(await send('lenient', sent())).toEqual({ status: 401, became: 'unauthentic' });
});
