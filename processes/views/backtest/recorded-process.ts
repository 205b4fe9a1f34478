// What happened to a process, read from its histories, from its first run to its last.
import type { Client } from '@temporalio/client';
import {
  ActivityFailure,
  CancelledFailure,
  type Payload,
  type ProtoFailure,
  RetryState,
} from '@temporalio/common';
import type { FlowFileActivities } from '../../../activities/flow-files/flow-file-activities.ts';
import { decoded } from '../../../client/started-with.ts';
import type * as family from '../../../engine/temporal/family.ts';
import type { Json } from '../../../flows/language/flow-file.ts';
import { taskActions } from '../../../flows/language/machine/tasks.ts';
import {
  type CameOfCall,
  callKey,
  type RecordedEnd,
  type RecordedProcess,
  type Stimulus,
} from '../../../flows/language/simulation/recorded-process.ts';
import { decodeFailures, runsOf } from '../history.ts';
import type { HistoryEvent } from '../timeline.ts';

/** A history that cannot be played in virtual time. The message says why. */
export class NotBacktestable extends Error {
  override readonly name = 'NotBacktestable';
}

// Repeated here, and held to be the same by their types: the engine's own are for the sandbox of workflows.
const CHILD_EVENT: typeof family.CHILD_EVENT = 'childEvent';
const PARENT_MEMO: typeof family.PARENT_MEMO = 'parent';
const FETCH: keyof FlowFileActivities = 'fetchFlowDefinition';
const CALLS: readonly string[] = ['callLockerApi', 'callConnector'] satisfies (keyof FlowFileActivities)[];

export type Events = readonly HistoryEvent[];
type Fetched = Awaited<ReturnType<FlowFileActivities['fetchFlowDefinition']>>;

/** A process, with the histories of its runs from the first to the last. */
export interface Histories {
  readonly key: string;
  readonly runs: readonly Events[];
  /** Until when an open process has waited; with its last event, if nothing else is known. */
  readonly until?: number;
}

/** Throws FlowNotFound. */
export const historiesOf = async (client: Client, key: string): Promise<Histories> => ({
  key,
  runs: await runsOf(client, key),
  until: Date.now(),
});

/** Throws NotBacktestable. */
export async function recordedProcess(client: Client, histories: Histories): Promise<RecordedProcess> {
  const reader = new Reader(client, histories.key);
  await reader.readAll(histories);
  return reader.recorded;
}

type Started = NonNullable<HistoryEvent['workflowExecutionStartedEventAttributes']>;
type Marker = NonNullable<HistoryEvent['markerRecordedEventAttributes']>;

interface GivenAtStart {
  readonly request?: Json;
  readonly clock?: unknown;
}

/** By the sandbox's clock a process takes no time that anybody could play again. */
function refuseSandbox({ clock }: GivenAtStart): void {
  if (clock === 'sandbox') throw new NotBacktestable("it goes by the sandbox's clock");
}

class Reader {
  readonly #client: Client;
  readonly #workflowId: string;
  readonly #stimuli: Stimulus[] = [];
  readonly #calls: string[] = [];
  /** In this run, by the id of the event that begins a call. */
  #scheduled = new Map<string, string>();
  /** What the next task takes: messages first, as the process gets them. */
  #messages: ((at: number) => Stimulus)[] = [];
  #others: ((at: number) => Stimulus)[] = [];
  #firstRunId = '';
  /** When the task began that is being read. */
  #taskAt = 0;
  #until = 0;
  #end: RecordedEnd | null = null;

  /** The calls of children by their tokens, over all runs. */
  readonly #tokens = new Map<string, string>();
  #begunAt = 0;
  #published: Fetched | undefined;
  #input: Json = {};

  constructor(client: Client, workflowId: string) {
    this.#client = client;
    this.#workflowId = workflowId;
  }

  async readAll({ runs, until }: Histories): Promise<void> {
    if (runs[0]?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId)
      throw new NotBacktestable('its history is that of a later run; expected the first');
    await decodeFailures(this.#client, runs);
    for (const run of runs) await this.#read(run);
    if (until !== undefined && !this.#end) this.#until = until;
  }

  async #read(events: Events): Promise<void> {
    this.#scheduled = new Map();
    for (const event of events) {
      this.#until = msOf(event);
      const { workflowExecutionStartedEventAttributes: started, markerRecordedEventAttributes: marker } =
        event;
      if (started) {
        this.#firstRunId = started.firstExecutionRunId ?? '';
        await this.#start(started);
      }
      if (marker) await this.#mark(marker);
      this.#task(event);
      await this.#call(event);
      await this.#received(event);
      await this.#close(event);
    }
  }

  /** What comes is taken at the time of the task that takes it. */
  #task(event: HistoryEvent): void {
    if (event.workflowTaskStartedEventAttributes) this.#taskAt = msOf(event);
    if (!event.workflowTaskCompletedEventAttributes) return;
    const taken = [...this.#messages, ...this.#others].map((stimulus) => stimulus(this.#taskAt));
    this.#stimuli.push(...taken);
    [this.#messages, this.#others] = [[], []];
  }

  #message(stimulus: (at: number) => Stimulus): void {
    this.#messages.push(stimulus);
  }

  async #call(event: HistoryEvent): Promise<void> {
    const begun = await this.#callIn(event);
    if (begun !== undefined) {
      this.#scheduled.set(String(event.eventId), begun);
      this.#calls.push(begun);
    }
    const ended = await this.#ended(event);
    const call = ended && this.#scheduled.get(ended.of);
    if (ended && call !== undefined)
      this.#others.push((at) => ({ at, kind: 'call', call, came: ended.came }));
  }

  async #ended(event: HistoryEvent): Promise<{ of: string; came: CameOfCall } | undefined> {
    const done =
      event.activityTaskCompletedEventAttributes ?? event.childWorkflowExecutionCompletedEventAttributes;
    if (done)
      return {
        of: ofCall(done),
        came: { output: (await this.#decoded(done.result?.payloads?.[0])) ?? null },
      };
    const ofActivity = event.activityTaskFailedEventAttributes ?? event.activityTaskTimedOutEventAttributes;
    if (ofActivity)
      return { of: ofCall(ofActivity), came: { error: activityFailure(this.#error(ofActivity.failure)) } };
    const cancelled = event.activityTaskCanceledEventAttributes;
    if (cancelled)
      return {
        of: ofCall(cancelled),
        came: { error: activityFailure(new CancelledFailure('it was cancelled')) },
      };
    const failed = event.childWorkflowExecutionFailedEventAttributes;
    if (failed) return { of: ofCall(failed), came: { error: this.#error(failed.failure) } };
    for (const [attributes, name] of ENDS_WITHOUT_FAILURE) {
      const ended = event[attributes];
      if (ended) return { of: ofCall(ended), came: { error: Object.assign(new Error(name), { name }) } };
    }
    return undefined;
  }

  async #received(event: HistoryEvent): Promise<void> {
    const signal = event.workflowExecutionSignaledEventAttributes;
    if (signal) this.#signal(signal.signalName ?? '', await this.#decoded(signal.input?.payloads?.[0]));
    const update = event.workflowExecutionUpdateAcceptedEventAttributes;
    const input = update?.acceptedRequest?.input;
    if (update && input)
      this.#stimuli.push(this.#updated(input.name ?? '', await this.#decoded(input.args?.payloads?.[0])));
    if (event.workflowExecutionCancelRequestedEventAttributes)
      this.#others.push((at) => ({ at, kind: 'cancellation' }));
  }

  async #close(event: HistoryEvent): Promise<void> {
    const done = event.workflowExecutionCompletedEventAttributes;
    if (done) this.#end = { status: 'done', output: await this.#decoded(done.result?.payloads?.[0]) };
    if (event.workflowExecutionFailedEventAttributes) this.#end = { status: 'failed' };
    if (event.workflowExecutionCanceledEventAttributes) this.#end = { status: 'cancelled' };
    if (event.workflowExecutionTerminatedEventAttributes || event.workflowExecutionTimedOutEventAttributes)
      this.#end = { status: 'terminated' };
  }

  #decoded(payload: Payload | null | undefined): Promise<unknown> {
    return decoded(this.#client, payload);
  }

  #error(failure: ProtoFailure | null | undefined): Error {
    const { failureConverter, payloadConverter } = this.#client.options.loadedDataConverter;
    return failureConverter.failureToError(failure ?? {}, payloadConverter);
  }

  get recorded(): RecordedProcess {
    const published = this.#published;
    if (!published) throw new NotBacktestable('it has no flow file: its start was refused, or it is new');
    const { file, version } = published;
    const [begunAt, input, key] = [this.#begunAt, this.#input, this.#workflowId];
    return {
      key,
      file,
      version,
      input,
      begunAt,
      until: this.#until,
      stimuli: this.#stimuli,
      calls: this.#calls,
      end: this.#end,
    };
  }

  async #start({ input }: Started): Promise<void> {
    const given = ((await this.#decoded(input?.payloads?.[0])) ?? {}) as GivenAtStart;
    refuseSandbox(given);
    if (!this.#published) this.#input = given.request ?? {};
  }

  async #mark({ details }: Marker): Promise<void> {
    const result = details?.result?.payloads?.[0];
    if (!result || this.#published) return;
    const about = (await this.#decoded(details?.data?.payloads?.[0])) as { activity_type?: string } | null;
    if (about?.activity_type !== undefined && about.activity_type !== FETCH) return;
    this.#published = (await this.#decoded(result)) as Fetched;
    this.#begunAt = this.#taskAt;
  }

  /** The call that an activity or a child is; undefined: nobody waits for it. */
  async #callIn({
    activityTaskScheduledEventAttributes: activity,
    startChildWorkflowExecutionInitiatedEventAttributes: child,
  }: HistoryEvent): Promise<string | undefined> {
    if (activity && CALLS.includes(activity.activityType?.name ?? '')) {
      const argument = (await this.#decoded(activity.input?.payloads?.[0])) as {
        readonly idempotencyKey?: string;
      };
      return keyIn(argument?.idempotencyKey ?? '', `${this.#workflowId} ${this.#firstRunId} `, ' ');
    }
    const memo = (await this.#decoded(child?.memo?.fields?.[PARENT_MEMO])) as family.ParentMemo | undefined;
    if (!child || !memo) return undefined;
    const key = keyIn(child.workflowId ?? '', `${this.#workflowId}/`, '/');
    this.#tokens.set(memo.token, key);
    return key;
  }

  #signal(name: string, payload: unknown): void {
    if (name === 'event') this.#message((at) => ({ at, kind: 'event', payload }));
    if (name === CHILD_EVENT) this.#fromChild(payload as Partial<family.FromChild> | undefined);
  }

  #fromChild(message: Partial<family.FromChild> | undefined): void {
    const call = this.#tokens.get(String(message?.token));
    if (call === undefined || !message) return;
    if ('event' in message && message.event) {
      const { event } = message;
      this.#message((at) => ({ at, kind: 'call', call, came: { event } }));
    }
    if ('end' in message && message.end) {
      const { end } = message;
      this.#message((at) => ({ at, kind: 'call', call, came: cameOf(end) }));
    }
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

const ofCall = ({
  scheduledEventId,
  initiatedEventId,
}: {
  readonly scheduledEventId?: unknown;
  readonly initiatedEventId?: unknown;
}): string => String(scheduledEventId ?? initiatedEventId);

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
