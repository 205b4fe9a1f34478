// Calls an operation of the locker API from an activity. Cancelling the activity aborts a call that only reads. A call with an
// effect is never aborted: that would make its outcome unknown (architecture: Unknown outcome).
import { CancelledFailure, cancellationSignal } from '@temporalio/activity';
import {
  type OperationName,
  operationRow,
  type Request,
  type Response,
  type ServiceProfile,
} from '../contract/index.ts';
import { TimeLimit } from '../shared/limits/time-limit.ts';
import { type LockerApi, LockerApiError } from '../shared/locker-api/index.ts';
import type { ShipmentReader } from '../shared/locker-api/list-shipments.ts';
import { apiFailure } from './failures.ts';

export interface ReadingDependencies {
  readonly api: LockerApi;
  readonly serviceProfile: ServiceProfile;
}

interface CallSettings {
  readonly idempotencyKey?: string;
  readonly timeoutMs?: number;
  /** Also aborts a call that only reads. */
  readonly signal?: AbortSignal;
  /** False for reads that settle an outcome in doubt: they continue after the activity is cancelled. */
  readonly endsWithCancellation?: boolean;
}

/** Throws LockerApiError, or CancelledFailure where the activity's cancellation ended a call that only reads. */
export async function callOperation<Name extends OperationName>(
  api: LockerApi,
  operation: Name,
  request: Request<Name>,
  settings: CallSettings = {},
): Promise<Response<Name>> {
  const { idempotencyKey, timeoutMs, signal, endsWithCancellation = true } = settings;
  if (operationRow(operation).effect !== 'none')
    return api.call(operation, request, { idempotencyKey, timeoutMs });
  const cancelled = cancellationSignal();
  using abort = new TimeLimit(
    Number.POSITIVE_INFINITY,
    ...(endsWithCancellation ? [cancelled] : []),
    ...(signal ? [signal] : []),
  );
  try {
    return await api.call(operation, request, { timeoutMs, signal: abort.signal });
  } catch (error) {
    if (endsWithCancellation && cancelled.aborted)
      throw new CancelledFailure(`${operation} was ended by the activity's cancellation`);
    throw error;
  }
}

/** GetShipments for shared/locker-api/list-shipments.ts. Only where the service has the listing (LOCKER_CAPABILITIES). */
export const shipmentReader = (
  { api, serviceProfile }: ReadingDependencies,
  settings: CallSettings = {},
): ShipmentReader => ({
  serviceProfile,
  read: (request) => callOperation(api, 'GetShipments', request, settings),
});

/** For an activity that is one call: as callOperation, but throws ApplicationFailure. */
export async function callOrFail<Name extends OperationName>(
  { api, serviceProfile }: ReadingDependencies,
  operation: Name,
  request: Request<Name>,
  settings: CallSettings = {},
): Promise<Response<Name>> {
  try {
    return await callOperation(api, operation, request, settings);
  } catch (error) {
    throw error instanceof LockerApiError ? apiFailure(error, serviceProfile) : error;
  }
}
