// Calls an operation of the locker API for a flow file. After an unknown outcome, an operation with an effect is retried only
// if the service honours Idempotency-Key (architecture: Unknown outcome).
import { ApplicationFailure, activityInfo, getClient } from '@temporalio/activity';
import { type FlowClock, flowClocks } from '../../contract/flows/flow-input.ts';
import { checkRequest } from '../../contract/flows/flow-input-check.ts';
import { businessKeyIssues } from '../../contract/flows/internal-ids.ts';
import {
  ContractError,
  type OperationName,
  operationNames,
  operationRow,
  type Request,
} from '../../contract/index.ts';
import type { Json } from '../../flows/language/flow-file.ts';
import { operationsOfFiles } from '../../flows/language/machine/actor-kinds.ts';
import { nearestOf } from '../../flows/language/nearest-names.ts';
import { inputIssues } from '../../flows/language/reading/input-schema.ts';
import {
  DEFINITIONS,
  definitionWorkflowId,
  nameOfDefinition,
  newestIn,
  type Published,
} from '../../flows/language/registry.ts';
import { LockerApiError } from '../../shared/locker-api/index.ts';
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
import type { Attempts, FlowFileActivities, LockerApiCall } from '../flow-file-activities.ts';
import { headerKey } from '../header-key.ts';
import { callOperation } from '../operation-call.ts';

export async function callLockerApi(
  { api, peer }: ActivityDependencies,
  { operation: name, request, idempotencyKey, attempts }: LockerApiCall,
): Promise<Json> {
  const operation = operationNames.find((each) => each === name);
  if (!operation || !operationsOfFiles.includes(operation))
    throw ApplicationFailure.nonRetryable(
      `${name} is not an operation that a flow file may call`,
      'InvalidRequest',
    );
  const checked = checkedRequest(operation, request);
  const mayRetry = operationRow(operation).effect === 'none' || peer.capabilities.has('idempotencyKey');
  if (!mayRetry && isAfterLostAttempt()) throw outcomeUnknown(operation, 'the worker that sent it has died');
  using _heartbeat = new ActivityHeartbeat();
  try {
    return (await callOperation(api, operation, checked, {
      idempotencyKey: headerKey(idempotencyKey),
    })) as Json;
  } catch (error) {
    if (!(error instanceof LockerApiError)) throw error;
    if (!mayRetry && error.mayHaveReachedService === 'unknown')
      throw outcomeUnknown(operation, error.message);
    throw failureOf(error, { operation, attempts, peer });
  }
}

interface FailedCall {
  readonly operation: OperationName;
  readonly attempts: Attempts | undefined;
  readonly peer: ActivityDependencies['peer'];
}

function failureOf(
  error: LockerApiError,
  { operation, attempts: { on, isBounded } = { on: [], isBounded: false }, peer }: FailedCall,
): ApplicationFailure {
  if (error.mayHaveReachedService !== 'unknown') recordNoEffect();
  const isEffect = operationRow(operation).effect !== 'none';
  if (isBounded && isEffect && isDoubtful(error)) return doubtful(error.message);
  const isListed = on.some((each) => each === failureType(error, peer) || each === error.httpStatus);
  return apiFailure(error, peer, isListed ? { retryable: true } : {});
}

const isDoubtful = ({ mayHaveReachedService }: LockerApiError): boolean =>
  mayHaveReachedService === 'unknown' || (mayHaveReachedService === 'no' && isAfterDoubtfulAttempt());

const outcomeUnknown = (operation: OperationName, why: string): ApplicationFailure =>
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

// Finds the newest version of a published flow file, and checks what a process of it is started with. The registry's memo is
// read: no worker has to answer, so that a burst of starts cannot hold itself up.

export const fetchFlowDefinition: FlowFileActivities['fetchFlowDefinition'] = async ({ name, input }) => {
  const { request = {}, clock, ...others } = input ?? {};
  const published = await newestOf(name);
  if (!published) throw await unknown(name);
  const isClock = clock == null || flowClocks.includes(clock as FlowClock);
  const issues = [
    // Processes are started with other SDKs too: there, nothing has checked the key yet.
    ...businessKeyIssues(activityInfo().workflowExecution?.workflowId ?? ''),
    ...Object.keys(others).map((field) => ({
      field,
      message: 'is not known; expected request, clock',
    })),
    ...(isClock ? [] : [{ field: 'clock', message: `must be one of ${flowClocks.join(', ')}` }]),
    ...inputIssues(published.file.input, request),
  ];
  if (issues.length === 0) return published;
  const words = issues.map(({ field, message }) => `${field} ${message}`).join('; ');
  throw refused('InvalidRequest', `${name}: ${words}`, { issues });
};

async function newestOf(name: string): Promise<Published | undefined> {
  try {
    return newestIn(await getClient().workflow.getHandle(definitionWorkflowId(name)).describe());
  } catch (error) {
    // Temporal's own client has no code for it that is stable: its name is.
    if (error instanceof Error && error.name === 'WorkflowNotFoundError') return undefined;
    throw error;
  }
}

// More names than a person would read.
const MAX_NAMES = 200;

async function unknown(name: string): Promise<ApplicationFailure> {
  const names: string[] = [];
  for await (const { workflowId } of getClient().workflow.list({ query: DEFINITIONS })) {
    names.push(nameOfDefinition(workflowId));
    if (names.length === MAX_NAMES) break;
  }
  const near = nearestOf(name, names);
  const hint = near === undefined ? 'publish it first: npx lockerflow publish FILE' : `did you mean ${near}?`;
  return refused('FlowUnknown', `${name} is neither a built-in flow nor a published one; ${hint}`, {
    near: near ?? null,
  });
}

const refused = (type: string, message: string, detail: object) =>
  ApplicationFailure.create({ type, message, nonRetryable: true, details: [detail], category: 'BENIGN' });
