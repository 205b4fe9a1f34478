// What becomes of a command or of a view: a value, or an error. An error has a kind, which decides everything that follows
// from it (the command line has an exit code for each kind, the console an HTTP status), a code for programs and a message
// for people. Nothing here knows exit codes or statuses, and nobody has to read the message to decide anything.
import {
  QueryNotRegisteredError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { NamespaceNotFoundError } from '@temporalio/common';
import {
  BusinessKeyInUse,
  FlowCancelled,
  FlowFailed,
  FlowNotFound,
  KeyNotFree,
  UpdateRefused,
} from '../client/flow-errors.ts';
import { FlowNotPublished } from '../client/flow-files/flow-not-published.ts';
import { FlowFilesRefused, VersionUnknown } from '../client/flow-files/publish.ts';
import { SchedulesNotKept } from '../client/flow-files/schedules.ts';
import {
  type GrpcFailure,
  grpcCodes,
  grpcFailureOf,
  isClosedAtStart,
  isOutOfTime,
  isTaskFailed,
} from '../client/grpc-failure.ts';
import { ContractError } from '../contract/wire/contract-error.ts';
import { isNotOffered } from '../contract/wire/refused-call.ts';
import { withCode } from '../flows/language/with-code.ts';
import { LockerApiError } from '../shared/locker-api/index.ts';
import { formatNotOffered } from './not-offered.ts';

const commandErrorKinds = [
  /** A value is wrong or missing: `fields` names it where it is one of the request. */
  'wrongInput',
  /** The settings of this program are wrong, not the request. */
  'misconfigured',
  'notFound',
  /** Who asks may not do this. */
  'forbidden',
  /** Not possible as things stand now: the process, or the locker service, refuses. */
  'refused',
  /** Too many requests; `retryAfterMs` says when to try again, where it is known. */
  'tooMany',
  /** Temporal, a worker that must answer, or the locker service does not answer: worth another try. */
  'unreachable',
  /** Temporal or the locker service does not accept our own credentials. */
  'denied',
  /** The process that was waited for has ended, but not well. */
  'endedOtherwise',
  /** Everything else, like an error of the locker service. */
  'failed',
] as const;
export type CommandErrorKind = (typeof commandErrorKinds)[number];

/** By the path of a field: what is wrong with it. */
export type WrongFields = Readonly<Record<string, string>>;

interface CommandErrorOptions extends ErrorOptions {
  readonly fields?: WrongFields | undefined;
  readonly retryAfterMs?: number | null;
}

/** Its message says what was wrong, what was expected and what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly kind: CommandErrorKind;
  /** The same code on every way in; that of the process or of the locker service where one of them refuses. */
  readonly code: string;
  readonly fields: WrongFields | undefined;
  /** When it is worth another try; null: nobody knows. */
  readonly retryAfterMs: number | null;

  constructor(kind: CommandErrorKind, code: string, message: string, more: CommandErrorOptions = {}) {
    super(message, more);
    this.kind = kind;
    this.code = code;
    this.fields = more.fields;
    this.retryAfterMs = more.retryAfterMs ?? null;
  }
}

export const wrongInput = (message: string, fields?: WrongFields): CommandError =>
  new CommandError('wrongInput', 'InvalidRequest', message, { fields });

export const refused = (code: string, message: string, more?: CommandErrorOptions): CommandError =>
  new CommandError('refused', code, message, more);

export type Outcome<Value> =
  | { readonly done: true; readonly value: Value }
  | { readonly done: false; readonly error: CommandError };

/** Throws only what nobody foresaw: a defect. */
export async function outcomeOf<Value>(act: () => Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { done: true, value: await act() };
  } catch (error) {
    const refusal = commandErrorOf(error);
    if (!refusal) throw error;
    return { done: false, error: refusal };
  }
}

/** Throws the error: for whoever shows all errors in one place. */
export function orThrow<Value>(outcome: Outcome<Value>): Value {
  if (!outcome.done) throw outcome.error;
  return outcome.value;
}

/** Undefined for an error that nobody foresaw: a defect. */
export function commandErrorOf(error: unknown): CommandError | undefined {
  if (error instanceof CommandError) return error;
  if (error instanceof ContractError) return ofContract(error);
  if (error instanceof LockerApiError) return ofService(error);
  // Checked before "no such flow": without the namespace no flow is found either.
  if (isNamespaceMissing(error))
    return new CommandError(
      'misconfigured',
      'NoSuchNamespace',
      'there is no such namespace in this Temporal; check TEMPORAL_NAMESPACE',
      { cause: error },
    );
  return ofProcess(error) ?? ofTemporal(error);
}

function ofContract(error: ContractError): CommandError {
  const fields = Object.fromEntries(error.issues.map(({ field, message }) => [field, message]));
  return new CommandError('wrongInput', error.code, error.message, { cause: error, fields });
}

function ofProcess(error: unknown): CommandError | undefined {
  const refusal = (kind: CommandErrorKind, code: string, message: string) =>
    new CommandError(kind, code, message, { cause: error });
  if (error instanceof UpdateRefused) return refusal('refused', error.code, error.message);
  if (error instanceof BusinessKeyInUse) return refusal('refused', error.name, error.message);
  if (error instanceof KeyNotFree) return refusal('refused', error.name, error.message);
  if (error instanceof FlowNotFound) return refusal('notFound', 'FlowNotFound', error.message);
  if (error instanceof WorkflowNotFoundError) return refusal('notFound', 'FlowNotFound', error.message);
  if (error instanceof FlowNotPublished || error instanceof FlowFilesRefused)
    return refusal('wrongInput', error.name, error.message);
  if (error instanceof SchedulesNotKept) return refusal('failed', error.name, error.message);
  if (error instanceof VersionUnknown) return refusal('notFound', error.name, error.message);
  if (error instanceof FlowFailed)
    return refusal(
      'endedOtherwise',
      error.code,
      `${error.workflowId} failed: ${withCode(error.code, error.message)}`,
    );
  if (error instanceof FlowCancelled) return refusal('endedOtherwise', 'Cancelled', error.message);
  if (error instanceof WorkflowUpdateFailedError)
    return refusal('refused', 'UpdateFailed', error.cause?.message ?? error.message);
  return undefined;
}

// Temporal's message; the library has an error class for some calls, and no code for the others.
const NO_NAMESPACE = /^Namespace \S+ is not found/;

function isNamespaceMissing(error: unknown): boolean {
  if (error instanceof NamespaceNotFoundError) return true;
  const failure = grpcFailureOf(error);
  return failure?.code === grpcCodes.notFound && NO_NAMESPACE.test(failure.details);
}

function ofTemporal(error: unknown): CommandError | undefined {
  // A query that the process does not have, or one in which it fails.
  if (error instanceof QueryNotRegisteredError)
    return new CommandError('failed', 'QueryFailed', `the process cannot answer this: ${error.message}`, {
      cause: error,
    });
  const failure = grpcFailureOf(error);
  if (!failure) return undefined;
  const [kind, code, message] = ofGrpc(failure);
  return new CommandError(kind, code, message, { cause: error });
}

// Temporal's message for a query if no worker has polled the task queue lately.
const NO_POLLER = /no poller/;

function ofGrpc(failure: GrpcFailure): readonly [CommandErrorKind, string, string] {
  const { code, details } = failure;
  if (code === grpcCodes.invalidArgument)
    return ['wrongInput', 'InvalidRequest', `Temporal does not accept this request: ${details}`];
  if (code === grpcCodes.notFound) return ['notFound', 'NotFound', `Temporal does not find it: ${details}`];
  if (isTaskFailed(failure))
    return ['unreachable', 'WorkerFails', 'a worker fails at the process, again and again'];
  if (isClosedAtStart(failure))
    return [
      'refused',
      'NeverBegun',
      'it was ended from outside before its first step: it has nothing to say',
    ];
  if (isOutOfTime(failure) || NO_POLLER.test(details))
    return [
      'unreachable',
      'NoWorker',
      `no worker answers (${details}); start a worker, or check LOCKERFLOW_TASK_QUEUE`,
    ];
  if (code === grpcCodes.unavailable)
    return [
      'unreachable',
      'TemporalUnreachable',
      `Temporal cannot be reached (${details}); check TEMPORAL_ADDRESS`,
    ];
  if (code === grpcCodes.permissionDenied || code === grpcCodes.unauthenticated)
    return [
      'denied',
      'TemporalDenies',
      `Temporal refuses this (${details}); check TEMPORAL_API_KEY or TEMPORAL_TLS_*`,
    ];
  return ['failed', 'TemporalRefused', `Temporal refused the request: ${details}`];
}

const NOT_REACHED: ReadonlySet<string> = new Set(['Unreachable', 'ConnectionLost', 'TimedOut']);

/** By the HTTP status of the locker service; any other is `failed`. */
const kindsOfService: Readonly<Record<number, CommandErrorKind>> = {
  400: 'wrongInput',
  403: 'forbidden',
  404: 'notFound',
  409: 'refused',
  413: 'wrongInput',
  429: 'tooMany',
};

function ofService(error: LockerApiError): CommandError {
  const { code, message, httpStatus, retryAfterMs } = error;
  const refusal = (kind: CommandErrorKind, name: string, words: string) =>
    new CommandError(kind, name, words, { cause: error, retryAfterMs });
  if (NOT_REACHED.has(code))
    return refusal('unreachable', 'ServiceUnreachable', `the locker service cannot be reached (${message})`);
  if (code === 'TokenRefused')
    return refusal('denied', code, `the token service does not accept the credentials (${message})`);
  if (isNotOffered(code)) return refusal('refused', code, formatNotOffered(error.operation));
  return refusal(kindsOfService[httpStatus ?? 0] ?? 'failed', code, message);
}
