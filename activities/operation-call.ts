// One call of the locker API from within an activity. What only reads ends when the activity is cancelled; what has an
// effect never does, for an abort would make its outcome unknown by our own hand (architecture: Unknown outcome).
import { CancelledFailure, cancellationSignal } from '@temporalio/activity';
import {
  type OperationName,
  operationRow,
  type Peer,
  type Request,
  type Response,
} from '../contract/index.ts';
import { TimeLimit } from '../shared/limits/time-limit.ts';
import { type LockerApi, LockerApiError } from '../shared/locker-api/index.ts';
import { apiFailure } from './failures.ts';

export interface CallSettings {
  readonly idempotencyKey?: string;
  readonly timeoutMs?: number;
  /** Ends a call that only reads, beside the activity's cancellation. */
  readonly signal?: AbortSignal;
  /** False for what is read to settle an outcome in doubt: it goes on after the activity's cancellation. */
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
  // The time-out is the call's own.
  using ended = new TimeLimit(
    Number.POSITIVE_INFINITY,
    ...(endsWithCancellation ? [cancelled] : []),
    ...(signal ? [signal] : []),
  );
  try {
    return await api.call(operation, request, { timeoutMs, signal: ended.signal });
  } catch (error) {
    if (endsWithCancellation && cancelled.aborted)
      throw new CancelledFailure(`${operation} was ended by the activity's cancellation`);
    throw error;
  }
}

/** As callOperation, for an activity that is one call: throws ApplicationFailure. */
export async function callOrFail<Name extends OperationName>(
  { api, peer }: { readonly api: LockerApi; readonly peer: Peer },
  operation: Name,
  request: Request<Name>,
  settings: CallSettings = {},
): Promise<Response<Name>> {
  try {
    return await callOperation(api, operation, request, settings);
  } catch (error) {
    throw error instanceof LockerApiError ? apiFailure(error, peer) : error;
  }
}
