// architecture: Unknown outcome
// An attempt of an operation that died with its worker: where the service honours no key, it is not sent a second time.
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ActivityDependencies } from '../../../activities/activity-dependencies.ts';
import { callLockerApi } from '../../../activities/flow-files/call-locker-api.ts';
import { readServiceProfile, serviceProfileSettings } from '../../../contract/wire/service-profile.ts';
import { LockerApi } from '../../../shared/locker-api/index.ts';
import {
  failure,
  json,
  startTestServer,
  type TestServer,
  tokenReply,
} from '../../shared/locker-api/test-server.ts';

let service: TestServer;
let tokens: TestServer;
let api: LockerApi;

beforeAll(async () => {
  service = await startTestServer(json(200, { Success: true }));
  tokens = await startTestServer(tokenReply());
  const credentials = { clientId: 'demo', clientSecret: 'secret' };
  api = new LockerApi({ apiUrl: service.url, authUrl: tokens.url, ...credentials, timeoutMs: 5_000 });
});
beforeEach(() => {
  service.requests.length = 0;
  service.reply = json(200, { Success: true });
});
afterAll(async () => {
  await api.close();
  await service[Symbol.asyncDispose]();
  await tokens[Symbol.asyncDispose]();
});

interface Attempt {
  readonly attempt?: number;
  readonly heartbeatDetails?: unknown;
  readonly capabilities?: string;
  readonly operation?: string;
}

/** The code of its failure or `done`, how often the service was asked, and what it reports for the next attempt. */
async function attempted({ attempt = 2, capabilities = '', operation = 'CancelShipment', ...more }: Attempt) {
  const environment = new MockActivityEnvironment({ attempt, ...more });
  let reported: unknown;
  environment.on('heartbeat', (details: unknown) => {
    reported = details;
  });
  const serviceProfile = readServiceProfile(
    serviceProfileSettings.parse({ LOCKER_CAPABILITIES: capabilities }),
  );
  const request =
    operation === 'CancelShipment' ? { shipmentUid: 'shipment-1' } : { pageNo: 1, pageSize: 10 };
  const call = { operation, request, idempotencyKey: 'key-1' };
  const outcome = await environment
    .run(() => callLockerApi({ api, serviceProfile } as ActivityDependencies, call))
    .then(
      () => 'done',
      (error: unknown) => (error instanceof ApplicationFailure ? error.type : String(error)),
    );
  return { outcome, requests: service.requests.length, reported };
}

it.each<[what: string, given: Attempt, outcome: object]>([
  ['an operation with an effect is not sent again', {}, { outcome: 'OutcomeUnknown', requests: 0 }],
  [
    'it is sent again where the service honours the key',
    { capabilities: 'idempotencyKey' },
    { outcome: 'done', requests: 1 },
  ],
  ['an operation without an effect is sent again', { operation: 'GetPickUpPoints' }, { requests: 1 }],
])('%s', async (_, given, outcome) => {
  expect(await attempted(given)).toMatchObject(outcome);
});

it('it is sent again after an attempt that reported that the service refused it', async () => {
  service.reply = failure(429, 'RateLimitExceeded');
  const refused = await attempted({ attempt: 1 });
  expect(refused).toMatchObject({ outcome: 'RateLimitExceeded', reported: { nothingDoneIn: 1 } });
  service.reply = json(200, { Success: true });
  expect(await attempted({ heartbeatDetails: refused.reported })).toMatchObject({ outcome: 'done' });
});

it('an operation that takes long beats, so that the death of its worker is seen early', async () => {
  const environment = new MockActivityEnvironment({ heartbeatTimeoutMs: 60 });
  const beaten = new Promise((resolve) => environment.on('heartbeat', resolve));
  service.reply = async (response, request) => {
    await beaten;
    return json(200, { Success: true })(response, request);
  };
  const call = {
    operation: 'CancelShipment',
    request: { shipmentUid: 'shipment-1' },
    idempotencyKey: 'key-1',
  };
  const serviceProfile = readServiceProfile(serviceProfileSettings.parse({}));
  await environment.run(() => callLockerApi({ api, serviceProfile } as ActivityDependencies, call));
  expect(service.requests).toHaveLength(1);
});
