// How long Temporal waits before it tries again: as long as the other side asks for, up to an hour.
import { expect, test } from 'vitest';
import { ConnectorError } from '../../activities/connectors/exchange.ts';
import { apiFailure } from '../../activities/failures.ts';
import { readServiceProfile, serviceProfileSettings } from '../../contract/wire/service-profile.ts';
import { LockerApiError } from '../../shared/locker-api/index.ts';

const MINUTE_MS = 60_000;
const ofLockerApi = (retryAfterMs: number) =>
  apiFailure(
    new LockerApiError({
      operation: 'GetShipments',
      code: 'RateLimitExceeded',
      message: 'later',
      retryable: true,
      mayHaveReachedService: 'yes',
      retryAfterMs,
    }),
    readServiceProfile(serviceProfileSettings.parse({})),
  );
const ofConnector = (retryAfterMs: number) =>
  new ConnectorError({
    code: 'RateLimited',
    message: 'later',
    outcome: 'nothing',
    retryAfterMs,
  }).failure();

test.each([
  ['the locker API', ofLockerApi],
  ['a connector', ofConnector],
])('%s may ask for a wait of an hour, and for no longer one', (_, failure) => {
  const waits = [1, 60, 90, 72 * 60].map((minutes) => failure(minutes * MINUTE_MS).nextRetryDelay);
  expect(waits).toEqual([1, 60, 60, 60].map((minutes) => minutes * MINUTE_MS));
});
