// An API client between two servers, service and token service, for one callback; ends all of them.
import { LockerApi, LockerApiError, type LockerApiOptions } from '../../../shared/locker-api/index.ts';
import { type Reply, startTestServer, success, type TestServer, tokenReply } from './test-server.ts';

export const clientSecret = 'client-secret-never-shown';
export const booking = {
  pupUid: 'pup-central',
  toUserUid: 'user-anna',
  allowLargerLockers: true,
  allowOverflowLockers: false,
  dimension: { width: 1, height: 2, length: 3 },
};
export const booked = { shipmentUids: ['shipment-1'] };

export interface Setting {
  readonly api: LockerApi;
  readonly service: TestServer;
  readonly tokenService: TestServer;
}

export async function withApi(
  given: { reply?: Reply; token?: Reply; options?: Partial<LockerApiOptions> },
  use: (setting: Setting) => Promise<void>,
): Promise<void> {
  await using service = await startTestServer(given.reply ?? success(booked));
  await using tokenService = await startTestServer(given.token ?? tokenReply());
  const api = new LockerApi({
    apiUrl: service.url,
    authUrl: tokenService.url,
    clientId: 'client',
    clientSecret,
    timeoutMs: 20_000,
    ...given.options,
  });
  try {
    await use({ api, service, tokenService });
  } finally {
    // A service that never ends its answer would hold up a graceful close: end the servers' sockets first.
    await service[Symbol.asyncDispose]();
    await tokenService[Symbol.asyncDispose]();
    await api.close();
  }
}

export const book = (api: LockerApi, options = {}) =>
  api.call('CreateLocalShipmentAsIssue', booking, options);

/** The LockerApiError that the promise ends with; any other end fails the test. */
export async function apiError(promise: Promise<unknown>): Promise<LockerApiError> {
  const error = await promise.then(
    () => new Error('the call succeeded'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof LockerApiError)) throw error;
  return error;
}
