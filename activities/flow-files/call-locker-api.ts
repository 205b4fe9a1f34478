// Calls an operation of the locker API for a flow file. After an unknown outcome, an operation with an effect is retried only
// if the service honours Idempotency-Key (architecture: Unknown outcome).
import { ApplicationFailure } from '@temporalio/activity';
import { checkRequest } from '../../contract/flows/flow-input-check.ts';
import {
  ContractError,
  isAccountOperation,
  type OperationName,
  operationNames,
  operationRow,
  type Request,
} from '../../contract/index.ts';
import type { Json, JsonObject } from '../../flows/language/flow-file.ts';
import { operationsOfFiles } from '../../flows/language/machine/actor-kinds.ts';
import { LockerApiError } from '../../shared/locker-api/index.ts';
import { accountOperations } from '../account-operations.ts';
import type { ActivityDependencies } from '../activity-dependencies.ts';
import { ActivityHeartbeat } from '../activity-heartbeat.ts';
import {
  apiFailure,
  doubtful,
  failureType,
  invalidInput,
  isAfterDoubtfulAttempt,
  isAfterLostAttempt,
  recordNoEffect,
} from '../failures.ts';
import type { Attempts, LockerApiCall } from '../flow-file-activities.ts';
import { headerKey } from '../header-key.ts';
import { callOperation } from '../operation-call.ts';

export async function callLockerApi(
  dependencies: ActivityDependencies,
  { operation, request, idempotencyKey, attempts }: LockerApiCall,
): Promise<Json> {
  const { serviceProfile } = dependencies;
  const call = callOf(operation, request, dependencies);
  const mayRetry = call.mayBeRepeated || serviceProfile.capabilities.has('idempotencyKey');
  if (!mayRetry && isAfterLostAttempt()) throw outcomeUnknown(operation, 'the worker that sent it has died');
  using _heartbeat = new ActivityHeartbeat();
  try {
    return await call.send(headerKey(idempotencyKey));
  } catch (error) {
    if (error instanceof ContractError) throw invalidInput(error);
    if (!(error instanceof LockerApiError)) throw error;
    if (!mayRetry && error.mayHaveReachedService === 'unknown')
      throw outcomeUnknown(operation, error.message);
    throw failureOf(error, { call, attempts, serviceProfile });
  }
}

interface Call {
  readonly mayBeRepeated: boolean;
  readonly hasEffect: boolean;
  send(idempotencyKey: string): Promise<Json>;
}

function callOf(name: string, request: JsonObject, dependencies: ActivityDependencies): Call {
  if (isAccountOperation(name))
    return {
      mayBeRepeated: true,
      hasEffect: true,
      send: (idempotencyKey) => accountOperations[name](dependencies, request, idempotencyKey),
    };
  const operation = operationNames.find((each) => each === name);
  if (!operation || !operationsOfFiles.includes(operation))
    throw ApplicationFailure.nonRetryable(
      `${name} is not an operation that a flow file may call`,
      'InvalidRequest',
    );
  const hasEffect = operationRow(operation).effect !== 'none';
  const checked = checkedRequest(operation, request);
  return {
    mayBeRepeated: !hasEffect,
    hasEffect,
    send: async (idempotencyKey) =>
      (await callOperation(dependencies.api, operation, checked, { idempotencyKey })) as Json,
  };
}

interface FailedCall {
  readonly call: Call;
  readonly attempts: Attempts | undefined;
  readonly serviceProfile: ActivityDependencies['serviceProfile'];
}

function failureOf(
  error: LockerApiError,
  { call, attempts: { on, isBounded } = { on: [], isBounded: false }, serviceProfile }: FailedCall,
): ApplicationFailure {
  if (error.mayHaveReachedService !== 'unknown') recordNoEffect();
  if (isBounded && call.hasEffect && isDoubtful(error)) return doubtful(error.message);
  const isListed = on.some(
    (each) => each === failureType(error, serviceProfile) || each === error.httpStatus,
  );
  return apiFailure(error, serviceProfile, isListed ? { retryable: true } : {});
}

const isDoubtful = ({ mayHaveReachedService }: LockerApiError): boolean =>
  mayHaveReachedService === 'unknown' || (mayHaveReachedService === 'no' && isAfterDoubtfulAttempt());

const outcomeUnknown = (operation: string, why: string): ApplicationFailure =>
  ApplicationFailure.nonRetryable(
    `${operation}: it is not known whether it was done (${why}); the service honours no Idempotency-Key`,
    'OutcomeUnknown',
  );

function checkedRequest(operation: OperationName, input: object): Request<OperationName> {
  try {
    return checkRequest(operation, input);
  } catch (error) {
    throw error instanceof ContractError ? invalidInput(error) : error;
  }
}
