// docs/connectors.md: What a call does
// An attempt of a call that died with its worker: it may have been sent.
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callConnector } from '../../../activities/connectors/call-connector.ts';
import { Connectors } from '../../../activities/connectors/connectors.ts';
import { readConnectors } from '../../../shared/settings/connectors.ts';
import { json, startTestServer, type TestServer } from '../../shared/locker-api/test-server.ts';

const HOUR_MS = 3_600_000;
let server: TestServer;
let connectors: Connectors;

beforeAll(async () => {
  server = await startTestServer(json(200, { number: 'INC-1' }));
  connectors = new Connectors(
    readConnectors(
      `connectors:
  plain: { address: "${server.url}", allow: ["GET,PUT,POST,DELETE /"] }
  keyed: { address: "${server.url}", allow: ["POST /"], idempotencyKeyHours: 2 }`,
      () => '',
    ),
  );
});
afterAll(async () => {
  await connectors.close();
  await server[Symbol.asyncDispose]();
});

/** The number that it keeps, or the code of its failure; and how often the other side was asked. */
async function secondAttempt(
  connector: string,
  method: string,
  { begunHoursAgo = 0, heartbeatDetails }: { begunHoursAgo?: number; heartbeatDetails?: unknown } = {},
): Promise<[outcome: unknown, requests: number]> {
  server.requests.length = 0;
  const scheduledTimestampMs = Date.now() - begunHoursAgo * HOUR_MS;
  const environment = new MockActivityEnvironment({ attempt: 2, scheduledTimestampMs, heartbeatDetails });
  const call = { connector, method, path: '/', keep: `\${body.number}`, idempotencyKey: 'key-1' };
  const outcome = await environment
    .run(() => callConnector(connectors, call))
    .catch((error: unknown) => (error instanceof ApplicationFailure ? error.type : error));
  return [outcome, server.requests.length];
}

const nothingDoneIn = (attempt: number) => ({ heartbeatDetails: { nothingDoneIn: attempt } });
const notSent = ['OutcomeUnknown', 0];
const sent = ['INC-1', 1];

it.each([
  ['a POST is not sent again where no key is honoured', 'plain', 'POST', {}, notSent],
  ['nor is a DELETE', 'plain', 'DELETE', {}, notSent],
  ['a GET is sent again', 'plain', 'GET', {}, sent],
  ['a PUT is sent again', 'plain', 'PUT', {}, sent],
  ['a POST is, if the last attempt reported that nothing was done', 'plain', 'POST', nothingDoneIn(1), sent],
  ['the report of an attempt before that does not count', 'plain', 'POST', nothingDoneIn(0), notSent],
  ['a POST is sent again while its key is honoured', 'keyed', 'POST', { begunHoursAgo: 1 }, sent],
  ['and not after that', 'keyed', 'POST', { begunHoursAgo: 3 }, notSent],
])('%s', async (_, connector, method, attempt, expected) => {
  expect(await secondAttempt(connector, method, attempt)).toEqual(expected);
});

it('a call that takes long beats, so that the death of its worker is seen early', async () => {
  const environment = new MockActivityEnvironment({ heartbeatTimeoutMs: 60 });
  const beaten = new Promise((resolve) => environment.on('heartbeat', resolve));
  const answer = server.reply;
  server.reply = async (response, request) => {
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
    server.reply = answer;
  }
});
