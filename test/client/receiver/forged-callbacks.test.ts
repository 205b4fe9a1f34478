// @module-tag invariant
// Nothing that is not the service's own reaches Temporal: every forgery is refused alike, with nothing of why.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { isAuthentic } from '../../../client/receiver/authenticity.ts';
import { readReceiverSettings } from '../../../client/receiver/settings.ts';
import type { Unmatched } from '../../../contract/flows/unmatched-callback.ts';
import { callbackHeaders, hmacAlgorithms, hmacEncodings } from '../../../contract/wire/callback.ts';
import { unmatchedId } from '../../../shared/routing/keep-unmatched.ts';
import { bodyOf, hmacByOpenssl, post, type Sent, signed } from './callbacks-sent.ts';
import { CALLBACK_KEY, flowsAndReceiver } from './flows-and-receiver.ts';

const running = flowsAndReceiver();
let issue: { workflowId: string; shipmentUid: string };
beforeAll(async () => {
  issue = await running.at.issue();
});

const genuine = () => signed(issue.shipmentUid, bodyOf(issue.shipmentUid, 'ReadyForPickup'));
const without = (sent: Sent, name: string): Sent => ({
  ...sent,
  headers: Object.fromEntries(Object.entries(sent.headers).filter(([header]) => header !== name)),
});
const withHeader = (sent: Sent, name: string, value: string): Sent => ({
  ...sent,
  headers: { ...sent.headers, [name]: value },
});
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const otherKey = 'whsec_c29tZSBvdGhlciBrZXkgdGhhbiBvdXJz';

const forgeries: Readonly<Record<string, () => Sent>> = {
  'not signed at all': () => ({ headers: { 'content-type': 'application/json' }, body: genuine().body }),
  'without the HMAC': () => without(genuine(), callbackHeaders.hmac),
  'without the signature of the body': () => without(genuine(), callbackHeaders.webhookSignature),
  'without the moment of the attempt': () => without(genuine(), callbackHeaders.webhookTimestamp),
  'signed with another key': () =>
    signed(issue.shipmentUid, bodyOf(issue.shipmentUid, 'ReadyForPickup'), { key: otherKey }),
  'altered after it was signed': () => ({
    ...genuine(),
    body: bodyOf(issue.shipmentUid, 'Cancelled'),
  }),
  'with the HMAC of another shipment': () =>
    withHeader(genuine(), callbackHeaders.hmac, hmacByOpenssl(CALLBACK_KEY, randomUUID()).toString('base64')),
  'hashed with another algorithm': () =>
    withHeader(
      genuine(),
      callbackHeaders.hmac,
      hmacByOpenssl(CALLBACK_KEY, issue.shipmentUid, 'sha512').toString('base64'),
    ),
  'hashed in another encoding': () =>
    withHeader(
      genuine(),
      callbackHeaders.hmac,
      hmacByOpenssl(CALLBACK_KEY, issue.shipmentUid).toString('hex'),
    ),
  'with an empty HMAC': () => withHeader(genuine(), callbackHeaders.hmac, ''),
  'replayed after an hour': () =>
    signed(issue.shipmentUid, bodyOf(issue.shipmentUid, 'ReadyForPickup'), { at: minutesAgo(60) }),
  'replayed with a new moment': () => {
    const old = signed(issue.shipmentUid, bodyOf(issue.shipmentUid, 'ReadyForPickup'), {
      at: minutesAgo(60),
    });
    return withHeader(old, callbackHeaders.webhookTimestamp, String(Math.floor(Date.now() / 1_000)));
  },
  'from an hour ahead': () =>
    signed(issue.shipmentUid, bodyOf(issue.shipmentUid, 'ReadyForPickup'), { at: minutesAgo(-60) }),
  'of a version that is not known': () =>
    withHeader(
      genuine(),
      callbackHeaders.webhookSignature,
      genuine().headers[callbackHeaders.webhookSignature]?.replace('v1,', 'v2,') ?? '',
    ),
  'with the uid under two names': () => {
    const body = genuine().body.replace('{"shipmentUid"', `{"ShipmentUID":"${randomUUID()}","shipmentUid"`);
    return withHeader({ ...genuine(), body }, 'content-type', 'application/json');
  },
  empty: () => ({ ...genuine(), body: '' }),
  'not JSON': () => ({ ...genuine(), body: '<xml/>' }),
};

describe('a callback', () => {
  test.each(Object.entries(forgeries))('%s is refused with 401 and an empty answer', async (_, forgery) => {
    const answer = await post(running.url, forgery());
    expect([answer.status, await answer.text()]).toEqual([401, '']);
    // Nor do its headers tell why.
    const names = ['connection', 'content-length', 'date', 'keep-alive'];
    expect(names).toEqual(expect.arrayContaining([...answer.headers.keys()]));
  });

  test('that is signed but is not a callback is refused with 400', async () => {
    for (const body of ['{"messageType": "ShipmentStatusUpdate"}', '[]', 'null', '"text"', '{"message": {}}'])
      expect((await post(running.url, signed(issue.shipmentUid, body))).status, body).toBe(400);
  });

  test('over the size limit is refused with 413', async () => {
    const body = bodyOf(issue.shipmentUid, 'ReadyForPickup', { description: 'x'.repeat(70_000) });
    expect((await post(running.url, signed(issue.shipmentUid, body))).status).toBe(413);
  });

  test('must be a POST; other methods are refused', async () => {
    expect((await fetch(running.url)).status).toBe(405);
    expect((await fetch(new URL('/other', running.url), { method: 'POST' })).status).toBe(404);
  });

  test('that is genuine reaches the flow, and none of the forged did', async () => {
    expect(await running.reportHistory(issue.workflowId)).toEqual([]);
    const unmatched = running.at.client.workflow.getHandle(unmatchedId(issue.shipmentUid));
    expect(await unmatched.query<Unmatched>('unmatched')).toMatchObject({ kept: [], settled: [] });
    expect((await post(running.url, genuine())).status).toBe(204);
    expect((await running.reportHistory(issue.workflowId)).map(({ stateCode }) => stateCode)).toEqual([
      'ReadyForPickup',
    ]);
  });

  test('signed by the former key or the new one is taken while both are valid', () => {
    const { authenticity } = readReceiverSettings({ LOCKER_CALLBACK_KEY: `${otherKey} ${CALLBACK_KEY}` });
    for (const key of [otherKey, CALLBACK_KEY]) {
      const { headers, body } = signed('uid', bodyOf('uid', 'Completed'), { key });
      expect(isAuthentic(authenticity, headers, Buffer.from(body), 'uid')).toBe(true);
    }
  });

  test('that has several signatures is taken for any that is right, and for none that is wrong', () => {
    const { authenticity } = readReceiverSettings({ LOCKER_CALLBACK_KEY: CALLBACK_KEY });
    const { headers, body } = signed('uid', bodyOf('uid', 'Completed'));
    const right = headers[callbackHeaders.webhookSignature] ?? '';
    const wrong = signed('uid', bodyOf('uid', 'Completed'), { key: otherKey }).headers[
      callbackHeaders.webhookSignature
    ];
    const isTaken = (signatures: string) =>
      isAuthentic(
        authenticity,
        { ...headers, [callbackHeaders.webhookSignature]: signatures },
        Buffer.from(body),
        'uid',
      );
    expect([`${wrong} ${right}`, `v1a,x ${right}`, right].map(isTaken)).toEqual([true, true, true]);
    expect([`${wrong} ${wrong}`, right.slice(3), `${right}x`, 'v1,', ''].map(isTaken)).not.toContain(true);
  });

  test.each(
    hmacAlgorithms.flatMap((algorithm) => hmacEncodings.map((encoding) => [algorithm, encoding] as const)),
  )(
    'of a vendor with %s in %s needs that very HMAC, and no signature unless strict',
    (algorithm, encoding) => {
      const { authenticity } = readReceiverSettings({
        LOCKER_CALLBACK_KEY: 'their-key',
        LOCKER_CALLBACK_STRICT: 'false',
        LOCKER_CALLBACK_HMAC_HEADER: 'X-Their-Hash',
        LOCKER_CALLBACK_HMAC_ALGORITHM: algorithm,
        LOCKER_CALLBACK_HMAC_ENCODING: encoding,
      });
      const hash = hmacByOpenssl('their-key', 'uid', algorithm).toString(encoding);
      const body = Buffer.from(bodyOf('uid', 'Completed'));
      expect(isAuthentic(authenticity, { 'x-their-hash': hash }, body, 'uid')).toBe(true);
      expect(isAuthentic(authenticity, { 'x-their-hash': hash }, body, 'other')).toBe(false);
      expect(isAuthentic({ ...authenticity, strict: true }, { 'x-their-hash': hash }, body, 'uid')).toBe(
        false,
      );
    },
  );

  test('needs the API key where that is how it is authenticated', () => {
    const { authenticity } = readReceiverSettings({
      LOCKER_CALLBACK_KEY: 'their-key',
      LOCKER_CALLBACK_AUTH: 'ApiKey',
      LOCKER_CALLBACK_STRICT: 'false',
    });
    const keyed = (key: string) =>
      isAuthentic(authenticity, { [callbackHeaders.apiKey]: key }, Buffer.from('{}'), 'uid');
    expect([keyed('their-key'), keyed('another'), keyed('')]).toEqual([true, false, false]);
  });
});

test.each(['whsec_AB=', 'whsec_', 'whsec_a*b', `${CALLBACK_KEY} whsec_AB=`])(
  'the key %s is refused at the start: its signature could not be checked',
  (keys) => {
    const failure = () => readReceiverSettings({ LOCKER_CALLBACK_KEY: keys });
    expect(failure).toThrow(/LOCKER_CALLBACK_KEY: .*base64/);
    // The rest of a key is a secret.
    expect(failure).not.toThrow(/AB=|a\*b/);
  },
);
