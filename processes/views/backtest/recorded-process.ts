// What happened to a process, read from its histories, from its first run to its last.
import type { Client } from '@temporalio/client';
import {
  ActivityFailure,
  CancelledFailure,
  type Payload,
  type ProtoFailure,
  RetryState,
} from '@temporalio/common';
import type { FlowFileActivities } from '../../../activities/flow-file-activities.ts';
import { decoded } from '../../../client/started-with.ts';
import { workerFailureIn } from '../../../client/worker-failure.ts';
import { isOutreach } from '../../../contract/flows/outreach.ts';
import type * as family from '../../../engine/temporal/family.ts';
import type { Json } from '../../../flows/language/flow-file.ts';
import { taskActions } from '../../../flows/language/machine/tasks.ts';
import {
  type CameOfCall,
  callKey,
  type RecordedEnd,
  type RecordedProcess,
  type Stimulus,
} from '../../../flows/simulation/recorded-process.ts';
import { runsOf } from '../history.ts';
import type { HistoryEvent } from '../history-event.ts';

/** A history that cannot be played in virtual time. The message says why. */
export class NotBacktestable extends Error {
  override readonly name = 'NotBacktestable';
}

// Repeated here, and held to be the same by their types: the engine's own are for the sandbox of workflows.
const CHILD_EVENT: typeof family.CHILD_EVENT = 'childEvent';
const PARENT_MEMO: typeof family.PARENT_MEMO = 'parent';
const FETCH: keyof FlowFileActivities = 'fetchFlowDefinition';
const CALLS: readonly string[] = ['callLockerApi', 'callConnector'] satisfies (keyof FlowFileActivities)[];

type Fetched = Awaited<ReturnType<FlowFileActivities['fetchFlowDefinition']>>;

// In all runs together: far more than what can be played leaves there.
const MAX_EVENTS = 200_000;

/** Throws NotBacktestable, FlowNotFound, and CommandError (HistoryTooLong). */
export async function recordedProcess(client: Client, key: string): Promise<RecordedProcess> {
  const runs = await runsOf(client, key, MAX_EVENTS);
  if (runs[0]?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId)
    throw new NotBacktestable(
      'its first runs are gone: Temporal keeps a closed run as long as its namespace says',
    );
  const reader = new Reader(client, key);
  for (const run of runs) await reader.read(run);
  return reader.recorded;
}

class Reader {
  readonly #client: Client;
  readonly #workflowId: string;
  readonly #stimuli: Stimulus[] = [];
  readonly #calls: string[] = [];
  /** In this run, by the id of the event that begins a call. */
  #scheduled = new Map<string, string>();
  /** What the next task takes, at a time that is not known yet: messages first, as the process gets them. */
  #messages: Stimulus[] = [];
  #others: Stimulus[] = [];
  #firstRunId = '';
  /** When the task began that is being read. */
  #taskAt = 0;
  #until = 0;
  #end: RecordedEnd | null = null;
  /** A worker has failed at the last of its tasks. */
  #isFailing = false;

  /** The calls of children by their tokens, over all runs. */
  readonly #tokens = new Map<string, string>();
  #begunAt = 0;
  #published: Fetched | undefined;
  #input: Json = {};

  constructor(client: Client, workflowId: string) {
    this.#client = client;
    this.#workflowId = workflowId;
  }

  async read(run: readonly HistoryEvent[]): Promise<void> {
    this.#scheduled = new Map();
    for (const event of run) {
      this.#until = msOf(event);
      await this.#start(event);
      await this.#mark(event);
      this.#task(event);
      await this.#call(event);
      await this.#received(event);
      await this.#close(event);
    }
  }

  get recorded(): RecordedProcess {
    if (this.#isFailing)
      throw new NotBacktestable(
        `a worker ${this.#end ? 'failed at it until it was ended from outside' : 'fails at it'}: nobody knows what it would have done`,
      );
    if (!this.#published)
      throw new NotBacktestable('it has no flow file: its start was refused, or it is new');
    const { file, version } = this.#published;
    return {
      key: this.#workflowId,
      file,
      version,
      input: this.#input,
      begunAt: this.#begunAt,
      // An open process has waited until now.
      until: this.#end ? this.#until : Date.now(),
      stimuli: this.#stimuli,
      calls: this.#calls,
      end: this.#end,
    };
  }

  async #start({ workflowExecutionStartedEventAttributes: started }: HistoryEvent): Promise<void> {
    if (!started) return;
    this.#firstRunId = started.firstExecutionRunId ?? '';
    const given = ((await this.#first(started.input)) ?? {}) as GivenAtStart;
    // By the sandbox's clock a process takes no time that anybody could play again.
    if (given.clock === 'sandbox')
      throw new NotBacktestable(
        'it goes by the clock of the sandbox: when that was moved does not stand in its history',
      );
    if (!this.#published) this.#input = given.request ?? {};
  }

  async #mark({ markerRecordedEventAttributes: marker }: HistoryEvent): Promise<void> {
    const { result, data } = marker?.details ?? {};
    if (!result?.payloads?.[0] || this.#published) return;
    const about = (await this.#first(data)) as { activity_type?: string } | null;
    if (about?.activity_type !== undefined && about.activity_type !== FETCH) return;
    const fetched = (await this.#first(result)) as Fetched | null;
    if (typeof fetched?.file?.states !== 'object')
      throw new NotBacktestable('what its worker has fetched is no flow file');
    this.#published = fetched;
    this.#begunAt = this.#taskAt;
  }

  /** What comes is taken at the time of the task that takes it. */
  #task(event: HistoryEvent): void {
    if (event.workflowTaskStartedEventAttributes) this.#taskAt = msOf(event);
    if (workerFailureIn(event)) this.#isFailing = true;
    if (!event.workflowTaskCompletedEventAttributes) return;
    this.#isFailing = false;
    for (const taken of [...this.#messages, ...this.#others])
      this.#stimuli.push({ ...taken, at: this.#taskAt });
    [this.#messages, this.#others] = [[], []];
  }

  async #call(event: HistoryEvent): Promise<void> {
    const begun = await this.#callIn(event);
    if (begun !== undefined) {
      this.#scheduled.set(String(event.eventId), begun);
      this.#calls.push(begun);
    }
    const ended = await this.#ended(event);
    const call = ended && this.#scheduled.get(ended.of);
    if (ended && call !== undefined) this.#others.push({ at: 0, kind: 'call', call, came: ended.came });
  }

  /** The call that an activity or a child is; undefined: nobody waits for it. */
  async #callIn({
    activityTaskScheduledEventAttributes: activity,
    startChildWorkflowExecutionInitiatedEventAttributes: child,
  }: HistoryEvent): Promise<string | undefined> {
    if (activity && CALLS.includes(activity.activityType?.name ?? '')) {
      const argument = (await this.#first(activity.input)) as { readonly idempotencyKey?: unknown };
      return keyIn(String(argument?.idempotencyKey ?? ''), `${this.#workflowId} ${this.#firstRunId} `, ' ');
    }
    const memo = (await this.#decoded(child?.memo?.fields?.[PARENT_MEMO])) as family.ParentMemo | undefined;
    if (!child || !memo) return undefined;
    const key = keyIn(child.workflowId ?? '', `${this.#workflowId}/`, '/');
    this.#tokens.set(memo.token, key);
    return key;
  }

  async #ended(event: HistoryEvent): Promise<{ of: string; came: CameOfCall } | undefined> {
    const done =
      event.activityTaskCompletedEventAttributes ?? event.childWorkflowExecutionCompletedEventAttributes;
    if (done) return { of: ofCall(done), came: { output: (await this.#first(done.result)) ?? null } };
    const failed = (of: object, error: unknown) => ({ of: ofCall(of), came: { error } });
    const ofActivity = event.activityTaskFailedEventAttributes ?? event.activityTaskTimedOutEventAttributes;
    if (ofActivity) return failed(ofActivity, activityFailure(this.#error(ofActivity.failure)));
    const cancelled = event.activityTaskCanceledEventAttributes;
    if (cancelled) return failed(cancelled, activityFailure(new CancelledFailure('it was cancelled')));
    const ofChild = event.childWorkflowExecutionFailedEventAttributes;
    if (ofChild) return failed(ofChild, this.#error(ofChild.failure));
    for (const [attributes, name] of ENDS_WITHOUT_FAILURE) {
      const ended = event[attributes];
      if (ended) return failed(ended, Object.assign(new Error(name), { name }));
    }
    return undefined;
  }

  async #received(event: HistoryEvent): Promise<void> {
    const signal = event.workflowExecutionSignaledEventAttributes;
    const payload = await this.#first(signal?.input);
    if (signal?.signalName === 'event') this.#messages.push({ at: 0, kind: 'event', payload });
    if (signal?.signalName === CHILD_EVENT) this.#fromChild(payload as Partial<family.FromChild> | undefined);
    const update = event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input;
    // A note changes nothing, and what people send outside neither.
    if (update && update.name !== 'note' && !isOutreach(update.name ?? ''))
      this.#stimuli.push(this.#updated(update.name ?? '', await this.#first(update.args)));
    if (event.workflowExecutionCancelRequestedEventAttributes)
      this.#others.push({ at: 0, kind: 'cancellation' });
  }

  #fromChild(message: Partial<family.FromChild> | undefined): void {
    const call = this.#tokens.get(String(message?.token));
    if (call === undefined || !message) return;
    const came = (given: CameOfCall) => this.#messages.push({ at: 0, kind: 'call', call, came: given });
    if ('event' in message && message.event) came({ event: message.event });
    if ('end' in message && message.end) came(cameOf(message.end));
  }

  /** It is written when its task has taken it. */
  #updated(name: string, given: unknown): Stimulus {
    const at = this.#taskAt;
    if (name === 'answer') return { at, kind: 'answer', given: given as never };
    const action = taskActions.find((each) => each === name);
    if (action) return { at, kind: 'task', action, given: given as never };
    if (name === 'dropEvent' || name === 'giveUp') return { at, kind: 'decision', decision: name };
    throw new NotBacktestable(
      name === 'migrate'
        ? 'it was migrated while it ran: no single version has decided what happened to it'
        : `it has taken the update ${name}, which cannot be played`,
    );
  }

  async #close(event: HistoryEvent): Promise<void> {
    const done = event.workflowExecutionCompletedEventAttributes;
    if (done) this.#end = { status: 'done', output: await this.#first(done.result) };
    if (event.workflowExecutionFailedEventAttributes) this.#end = { status: 'failed' };
    if (event.workflowExecutionCanceledEventAttributes) this.#end = { status: 'cancelled' };
    if (event.workflowExecutionTerminatedEventAttributes || event.workflowExecutionTimedOutEventAttributes)
      this.#end = { status: 'terminated' };
  }

  /** Steps have one argument and one result. */
  #first(payloads: { readonly payloads?: Payload[] | null } | null | undefined): Promise<unknown> {
    return this.#decoded(payloads?.payloads?.[0]);
  }

  #decoded(payload: Payload | null | undefined): Promise<unknown> {
    return decoded(this.#client, payload);
  }

  #error(failure: ProtoFailure | null | undefined): Error {
    const { failureConverter, payloadConverter } = this.#client.options.loadedDataConverter;
    return failureConverter.failureToError(failure ?? {}, payloadConverter);
  }
}

interface GivenAtStart {
  readonly request?: Json;
  readonly clock?: unknown;
}

/** As the process gets it: a time-out counts as one only if it is the cause of an activity's failure. */
const activityFailure = (cause: Error): ActivityFailure =>
  new ActivityFailure(
    'an activity failed',
    '',
    undefined,
    RetryState.NON_RETRYABLE_FAILURE,
    undefined,
    cause,
  );

const ENDS_WITHOUT_FAILURE = [
  ['childWorkflowExecutionCanceledEventAttributes', 'CancelledFailure'],
  ['childWorkflowExecutionTerminatedEventAttributes', 'TerminatedFailure'],
  ['childWorkflowExecutionTimedOutEventAttributes', 'TimeoutFailure'],
  ['startChildWorkflowExecutionFailedEventAttributes', 'WorkflowExecutionAlreadyStartedError'],
] as const;

interface OfCall {
  readonly scheduledEventId?: unknown;
  readonly initiatedEventId?: unknown;
}

const ofCall = ({ scheduledEventId, initiatedEventId }: OfCall): string =>
  String(scheduledEventId ?? initiatedEventId);

/** As the process names them: the invoke's id, and from the second time on a number. */
function keyIn(name: string, prefix: string, separator: string): string {
  const rest = name.startsWith(prefix) ? name.slice(prefix.length) : name;
  const at = rest.lastIndexOf(separator);
  const count = at < 0 ? Number.NaN : Number(rest.slice(at + 1));
  return Number.isInteger(count) ? callKey(rest.slice(0, at), count) : callKey(rest, 1);
}

function cameOf(end: family.ChildEnd): CameOfCall {
  if ('result' in end) return { output: end.result };
  if ('cancelled' in end)
    return { error: Object.assign(new Error(end.cancelled), { name: 'CancelledFailure' }) };
  return { error: { code: end.code, message: end.message } };
}

/** Whole milliseconds, as the process reads its clock. */
function msOf({ eventTime }: HistoryEvent): number {
  return Number(eventTime?.seconds ?? 0) * 1_000 + Math.floor((eventTime?.nanos ?? 0) / 1e6);
}
