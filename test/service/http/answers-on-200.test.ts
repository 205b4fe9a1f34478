// A tenant may get every answer of an operation on HTTP status 200, for clients that read only the body
// (docs/service.md, Tenants). The orchestrator's client tells every failure of such a tenant as it is.
import { expect, test } from 'vitest';
import { type OperationName, operationRow, type Request } from '../../../contract/index.ts';
import { examples } from '../../../contract/operations/examples.ts';
import { setAnswersOn200 } from '../../../service/administration/tenants.ts';
import { LockerApi, LockerApiError } from '../../../shared/locker-api/index.ts';
import { accessToken, callerAs, post } from '../../support/caller.ts';
import { createTestService } from '../../support/service.ts';
import { useInFile } from '../../support/use.ts';

const credentials = { clientId: 'demo', clientSecret: 'demo-secret' };
const service = useInFile(async () => {
  const made = await createTestService({ requestsPerSecond: 0, bodyLimitBytes: 20_000 });
  await made.database.transaction().execute((transaction) => setAnswersOn200(transaction, 'demo', true));
  return made;
});
const demo = useInFile(() => callerAs(service.address, 'demo'));
const other = useInFile(() => callerAs(service.address, 'other'));
const api = useInFile(async () => {
  const { address } = service;
  return new LockerApi({ apiUrl: address, authUrl: address, ...credentials, timeoutMs: 20_000 });
});

const tooBig = {
  ...examples.CreateLocalShipment.request,
  dimension: { width: 900, height: 900, length: 900 },
};
const refusals: readonly (readonly [code: string, OperationName, body: object, itsStatus: number])[] = [
  ['InvalidRequest', 'CancelShipment', {}, 400],
  ['InvalidShipment', 'CancelShipment', { shipmentUid: 'nowhere' }, 404],
  ['NoFittingLocker', 'CreateLocalShipment', tooBig, 409],
  ['PayloadTooLarge', 'CancelShipment', { shipmentUid: 'x'.repeat(30_000) }, 413],
];

test.each(refusals)(
  '%s comes on 200 with its envelope, and for another tenant on its status',
  async (...row) => {
    const [error, name, body, status] = row;
    const answer = await demo(name, body);
    expect([answer.status, answer.body]).toEqual([
      200,
      { success: false, error, message: expect.any(String) },
    ]);
    const ofOther = await other(name, error === 'NoFittingLocker' ? { ...body, pupUid: 'pup-other' } : body);
    expect([ofOther.status, ofOther.body.success]).toEqual([status, false]);
  },
);

test('a body that cannot be read, and one that is not a multipart body, are refused on 200', async () => {
  const headers = {
    authorization: `Bearer ${await accessToken(service.address)}`,
    'content-type': 'application/json',
  };
  const broken = await post(service.address + operationRow('CancelShipment').path, '{', headers);
  const upload = await post(service.address + operationRow('UploadAccountSuggestions').path, '{}', headers);
  for (const { status, body } of [broken, upload])
    expect([status, body.success, body.error]).toEqual([200, false, 'InvalidRequest']);
});

test('a failure inside the service comes on 200, without its detail', async () => {
  const shipmentUid = String(
    (await demo('CreateLocalShipment', examples.CreateLocalShipment.request)).body.shipmentUid,
  );
  await service.database.schema.alterTable('shipment_objects').renameTo('gone').execute();
  try {
    const { status, body } = await demo('AddShipmentObject', { shipmentUid, details: {} });
    expect([status, body.error]).toEqual([200, 'InternalError']);
    const failed = await failure('AddShipmentObject', { shipmentUid, details: {} });
    expect(failed).toMatchObject({
      code: 'InternalError',
      retryable: true,
      mayHaveReachedService: 'unknown',
    });
  } finally {
    await service.database.schema.alterTable('gone').renameTo('shipment_objects').execute();
  }
});

test('without a valid access token the answer is 401, and the token endpoint answers as OAuth has it', async () => {
  const path = service.address + operationRow('CancelShipment').path;
  const { status, headers, body } = await post(path, '{}', {
    'content-type': 'application/json',
    authorization: 'Bearer x',
  });
  expect([status, body.error]).toEqual([401, 'Unauthorized']);
  expect(headers.get('www-authenticate')).toContain('invalid_token');
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'demo',
    client_secret: 'wrong',
  });
  const refused = await fetch(`${service.address}/connect/token`, { method: 'POST', body: form });
  expect([refused.status, await refused.json()]).toMatchObject([401, { error: 'invalid_client' }]);
});

test("the orchestrator's client books, and knows a refusal on 200 by its code", async () => {
  const { shipmentUid } = await api.call('CreateLocalShipment', examples.CreateLocalShipment.request);
  expect(shipmentUid).not.toBe('');
  expect(await failure('CancelShipment', { shipmentUid: 'nowhere' })).toMatchObject({
    code: 'InvalidShipment',
    httpStatus: 200,
    retryable: false,
    mayHaveReachedService: 'yes',
  });
  expect(await failure('CreateLocalShipment', tooBig)).toMatchObject({
    code: 'NoFittingLocker',
    retryable: false,
  });
});

test("the orchestrator's client waits as long as a refusal for too many requests says, also on 200", async () => {
  await using slow = await createTestService({ requestsPerSecond: 1 });
  await slow.database.transaction().execute((transaction) => setAnswersOn200(transaction, 'demo', true));
  const { address } = slow;
  await using client = new LockerApi({ apiUrl: address, authUrl: address, ...credentials });
  const calls = Array.from({ length: 10 }, () =>
    client.call('GetAccount', {}).catch((error: unknown) => error),
  );
  const limited = (await Promise.all(calls)).find((outcome) => outcome instanceof LockerApiError);
  expect(limited).toMatchObject({
    code: 'RateLimitExceeded',
    httpStatus: 200,
    retryable: true,
    retryAfterMs: expect.any(Number),
  });
});

async function failure<Name extends OperationName>(name: Name, request: Request<Name>): Promise<unknown> {
  return await api.call(name, request).then(
    () => undefined,
    (error: unknown) => error,
  );
}
