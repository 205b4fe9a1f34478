// docs/connectors.md: What a call does
// An attempt of a call that died with its worker: it may have been sent.
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callConnector } from '../../../activities/connectors/call-connector.ts';
import { Connectors } from '../../../activities/connectors/connectors.ts';
import { readConnectors } from '../../../shared/settings/connectors.ts';
import { json, type Peer, startPeer } from '../../shared/locker-api/peer.ts';

const HOUR_MS = 3_600_000;
let peer: Peer;
let connectors: Connectors;

beforeAll(async () => {
  peer = await startPeer(json(200, { number: 'INC-1' }));
  connectors = new Connectors(
    readConnectors(
      `connectors:
  plain: { address: "${peer.url}", allow: ["GET,PUT,POST,DELETE /"] }
  keyed: { address: "${peer.url}", allow: ["POST /"], idempotencyKeyHours: 2 }`,
      () => '',
    ),
  );
});
afterAll(async () => {
  await connectors.close();
  await peer[Symbol.asyncDispose]();
});

/** The number that it keeps, or the code of its failure; and how often the other side was asked. */
async function secondAttempt(
  connector: string,
  method: string,
  { begunHoursAgo = 0, heartbeatDetails }: { begunHoursAgo?: number; heartbeatDetails?: unknown } = {},
): Promise<[outcome: unknown, requests: number]> {
  peer.requests.length = 0;
  const scheduledTimestampMs = Date.now() - begunHoursAgo * HOUR_MS;
  const environment = new MockActivityEnvironment({ attempt: 2, scheduledTimestampMs, heartbeatDetails });
  const call = { connector, method, path: '/', keep: `\${body.number}`, idempotencyKey: 'key-1' };
  const outcome = await environment
    .run(() => callConnector(connectors, call))
    .catch((error: unknown) => (error instanceof ApplicationFailure ? error.type : error));
  return [outcome, peer.requests.length];
}

it.each(['POST', 'DELETE'])('a %s is not sent again where no key is honoured', async (method) => {
  expect(await secondAttempt('plain', method)).toEqual(['OutcomeUnknown', 0]);
});

it.each(['GET', 'PUT'])('a %s is sent again', async (method) => {
  expect(await secondAttempt('plain', method)).toEqual(['INC-1', 1]);
});

it('a POST is sent again if the attempt before it reported that nothing was done', async () => {
  expect(await secondAttempt('plain', 'POST', { heartbeatDetails: { nothingDoneIn: 1 } })).toEqual([
    'INC-1',
    1,
  ]);
});

it('the report of an earlier attempt does not count for the last one', async () => {
  expect(await secondAttempt('plain', 'POST', { heartbeatDetails: { nothingDoneIn: 0 } })).toEqual([
    'OutcomeUnknown',
    0,
  ]);
});

it('a call that takes long beats, so that the death of its worker is seen early', async () => {
  const environment = new MockActivityEnvironment({ heartbeatTimeoutMs: 60 });
  const beaten = new Promise((resolve) => environment.on('heartbeat', resolve));
  const answer = peer.reply;
  peer.reply = async (response, request) => {
    await beaten;
    return answer(response, request);
  };
  const call = {
    connector: 'plain',
    method: 'POST',
    path: '/',
    keep: `\${body.number}`,
    idempotencyKey: 'key-1',
  };
  try {
    expect(await environment.run(() => callConnector(connectors, call))).toBe('INC-1');
  } finally {
    peer.reply = answer;
  }
});

it('a POST is sent again for as long as its key is honoured', async () => {
  expect(await secondAttempt('keyed', 'POST', { begunHoursAgo: 1 })).toEqual(['INC-1', 1]);
  expect(await secondAttempt('keyed', 'POST', { begunHoursAgo: 3 })).toEqual(['OutcomeUnknown', 0]);
});
