// The locker service, for commands and views that ask it as well as Temporal. Without settings it is the one of `npm start`.
import type { Response } from '../contract/operations/operations.ts';
import { LockerApi, LockerApiError } from '../shared/locker-api/index.ts';
import { CommandError } from './outcome.ts';
import type { Variables } from './temporal-context.ts';

export const serviceSettings = [
  'LOCKER_API_URL',
  'LOCKER_AUTH_URL',
  'LOCKER_CLIENT_ID',
  'LOCKER_CLIENT_SECRET',
] as const;
// A person waits for the answer.
const TIMEOUT_MS = 10_000;

/** To be closed by the caller. Throws CommandError (misconfigured) for incomplete settings. */
export const lockerServiceOf = (variables: Variables): LockerApi =>
  new LockerApi({ ...options(variables), timeoutMs: TIMEOUT_MS });

function options(variables: Variables): ConstructorParameters<typeof LockerApi>[0] {
  const missing = serviceSettings.filter((name) => !variables[name]);
  if (missing.length === serviceSettings.length) {
    const url = `http://127.0.0.1:${variables.SERVICE_PORT || '8080'}`;
    return { apiUrl: url, authUrl: url, clientId: 'demo', clientSecret: 'demo-secret' };
  }
  // With incomplete settings, the demo tenant's secret must not go to another service.
  if (missing.length > 0)
    throw new CommandError(
      'misconfigured',
      'WrongSettings',
      `${missing.join(', ')} not set; expected all of ${serviceSettings.join(', ')}, or none of them for the service of npm start`,
    );
  const [apiUrl, authUrl, clientId, clientSecret] = serviceSettings.map((name) => variables[name] ?? '') as [
    string,
    string,
    string,
    string,
  ];
  return { apiUrl, authUrl, clientId, clientSecret };
}

type Shipment = Response<'GetShipments'>['items'][number];

/** Undefined: the service has none of this uid. A service that ignores the filter must not pass off another one as it. */
export async function shipmentAt(
  service: Pick<LockerApi, 'call'>,
  shipmentUid: string,
): Promise<Shipment | undefined> {
  const { items } = await service.call('GetShipments', { pageNo: 1, pageSize: 1, shipmentUid });
  return items.find((each) => each.shipmentUid === shipmentUid);
}

/** Undefined: the service does not tell. One that does not answer now may tell. */
export async function unlessUnknown<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof LockerApiError && !error.retryable) return undefined;
    throw error;
  }
}
