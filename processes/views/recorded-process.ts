// What happened to a process of a flow file, read from its histories, from its first run to its last.
import type { Client } from '@temporalio/client';
import type { ProtoFailure } from '@temporalio/common';
import type { FlowFileActivities } from '../../activities/flow-files/flow-file-activities.ts';
import { decoded } from '../../client/started-with.ts';
import type * as family from '../../driver/temporal/family.ts';
import type { Json } from '../../flow-files/flow-file.ts';
import { taskActions } from '../../flow-files/machine/tasks.ts';
import {
  type CameOfCall,
  callKey,
  type RecordedEnd,
  type RecordedProcess,
  type Stimulus,
} from '../../flow-files/playing/recorded-process.ts';

/** A history that cannot be played in virtual time. The message says why. */
export class NotBacktestable extends Error {
  override readonly name = 'NotBacktestable';
}

// Repeated here, and held to be the same by their types: the driver's own are for the sandbox of workflows.
const CHILD_EVENT: typeof family.CHILD_EVENT = 'childEvent';
const PARENT_MEMO: typeof family.PARENT_MEMO = 'parent';
const FETCH: keyof FlowFileActivities = 'fetchFlowDefinition';
const CALLS: readonly string[] = ['callLockerApi', 'callConnector'] satisfies (keyof FlowFileActivities)[];

type Events = NonNullable<
  Awaited<ReturnType<ReturnType<Client['workflow']['getHandle']>['fetchHistory']>>['events']
>;
type HistoryEvent = Events[number];
type Fetched = Awaited<ReturnType<FlowFileActivities['fetchFlowDefinition']>>;
type Payload = Parameters<typeof decoded>[1];

/** Throws NotBacktestable. */
export async function recordedProcess(client: Client, workflowId: string): Promise<RecordedProcess> {
  const reader = new Reader(client, workflowId);
  for (const run of await runsOf(client, workflowId)) await reader.read(run);
  return reader.recorded;
}

async function runsOf(client: Client, workflowId: string): Promise<Events[]> {
  const runs: Events[] = [];
  let runId: string | undefined;
  do {
    const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    runs.unshift(events ?? []);
    runId = events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || undefined;
  } while (runId !== undefined);
  return runs;
}

class Reader {
  readonly #client: Client;
  readonly #workflowId: string;
  readonly #stimuli: Stimulus[] = [];
  readonly #calls: string[] = [];
  /** The calls of children by their tokens, over all runs. */
  readonly #tokens = new Map<string, string>();
  /** In this run, by the id of the event that begins a call. */
  #scheduled = new Map<string, string>();
  /** What the next task takes: messages first, as the process gets them. */
  #messages: ((at: number) => Stimulus)[] = [];
  #others: ((at: number) => Stimulus)[] = [];
  #firstRunId = '';
  #begunAt = 0;
  #taskAt = 0;
  #until = 0;
  #published: Fetched | undefined;
  #input: Json = {};
  #end: RecordedEnd | null = null;

  constructor(client: Client, workflowId: string) {
    this.#client = client;
    this.#workflowId = workflowId;
  }

  get recorded(): RecordedProcess {
    const published = this.#published;
    if (!published)
      throw new NotBacktestable(`${this.#workflowId} has no flow file: its start was refused, or it is new`);
    const { file, version, rules } = published;
    const [begunAt, input, key] = [this.#begunAt, this.#input, this.#workflowId];
    const until = this.#end ? this.#until : Date.now();
    const [stimuli, calls, end] = [this.#stimuli, this.#calls, this.#end];
    return { key, file, version, rules, input, begunAt, until, stimuli, calls, end };
  }

  async read(events: Events): Promise<void> {
    this.#scheduled = new Map();
    for (const event of events) {
      this.#until = msOf(event);
      await this.#start(event);
      this.#task(event);
      await this.#call(event);
      await this.#message(event);
      await this.#close(event);
    }
  }

  async #start({
    workflowExecutionStartedEventAttributes: started,
    markerRecordedEventAttributes: marker,
  }: HistoryEvent) {
    if (started) {
      this.#firstRunId = started.firstExecutionRunId ?? '';
      const given = await this.#decoded(started.input?.payloads?.[0]);
      const { request = {}, clock } = (given ?? {}) as { readonly request?: Json; readonly clock?: unknown };
      if (clock === 'sandbox') throw new NotBacktestable(`${this.#workflowId} goes by the sandbox's clock`);
      if (!this.#published) this.#input = request;
    }
    const result = marker?.details?.result?.payloads?.[0];
    if (!result || this.#published) return;
    const about = (await this.#decoded(marker?.details?.data?.payloads?.[0])) as {
      activity_type?: string;
    } | null;
    if (about?.activity_type !== undefined && about.activity_type !== FETCH) return;
    this.#published = (await this.#decoded(result)) as Fetched;
    this.#begunAt = this.#taskAt;
  }

  /** What comes is taken at the time of the task that takes it. */
  #task(event: HistoryEvent): void {
    if (event.workflowTaskStartedEventAttributes) this.#taskAt = msOf(event);
    if (!event.workflowTaskCompletedEventAttributes) return;
    const taken = [...this.#messages, ...this.#others].map((stimulus) => stimulus(this.#taskAt));
    this.#stimuli.push(...taken);
    [this.#messages, this.#others] = [[], []];
  }

  async #call(event: HistoryEvent): Promise<void> {
    const id = String(event.eventId);
    const activity = event.activityTaskScheduledEventAttributes;
    if (activity && CALLS.includes(activity.activityType?.name ?? '')) {
      const argument = (await this.#decoded(activity.input?.payloads?.[0])) as {
        readonly idempotencyKey?: string;
      };
      this.#begins(
        id,
        keyIn(argument?.idempotencyKey ?? '', `${this.#workflowId} ${this.#firstRunId} `, ' '),
      );
    }
    const child = event.startChildWorkflowExecutionInitiatedEventAttributes;
    const memo = (await this.#decoded(child?.memo?.fields?.[PARENT_MEMO])) as family.ParentMemo | undefined;
    if (child && memo) {
      const key = keyIn(child.workflowId ?? '', `${this.#workflowId}/`, '/');
      this.#tokens.set(memo.token, key);
      this.#begins(id, key);
    }
    const ended = await this.#ended(event);
    const call = ended && this.#scheduled.get(ended.of);
    if (ended && call !== undefined) this.#came(call, ended.came);
  }

  #begins(eventId: string, key: string): void {
    this.#scheduled.set(eventId, key);
    this.#calls.push(key);
  }

  #came(call: string, came: CameOfCall): void {
    this.#others.push((at) => ({ at, kind: 'call', call, came }));
  }

  async #ended(event: HistoryEvent): Promise<{ of: string; came: CameOfCall } | undefined> {
    const done =
      event.activityTaskCompletedEventAttributes ?? event.childWorkflowExecutionCompletedEventAttributes;
    if (done)
      return {
        of: ofCall(done),
        came: { output: (await this.#decoded(done.result?.payloads?.[0])) ?? null },
      };
    const failed =
      event.activityTaskFailedEventAttributes ??
      event.activityTaskTimedOutEventAttributes ??
      event.childWorkflowExecutionFailedEventAttributes;
    if (failed) return { of: ofCall(failed), came: { error: await this.#error(failed.failure) } };
    for (const [attributes, name] of ENDS_WITHOUT_FAILURE) {
      const ended = event[attributes];
      if (ended) return { of: ofCall(ended), came: { error: Object.assign(new Error(name), { name }) } };
    }
    return undefined;
  }

  async #message(event: HistoryEvent): Promise<void> {
    const signal = event.workflowExecutionSignaledEventAttributes;
    if (signal) {
      const payload = await this.#decoded(signal.input?.payloads?.[0]);
      if (signal.signalName === 'event') this.#messages.push((at) => ({ at, kind: 'event', payload }));
      if (signal.signalName === CHILD_EVENT)
        this.#fromChild(payload as Partial<family.FromChild> | undefined);
    }
    const update = event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input;
    if (update)
      this.#stimuli.push(this.#updated(update.name ?? '', await this.#decoded(update.args?.payloads?.[0])));
    if (event.workflowExecutionCancelRequestedEventAttributes)
      this.#others.push((at) => ({ at, kind: 'cancellation' }));
  }

  #fromChild(message: Partial<family.FromChild> | undefined): void {
    const call = this.#tokens.get(String(message?.token));
    if (call === undefined || !message) return;
    if ('event' in message && message.event) {
      const { event } = message;
      this.#messages.push((at) => ({ at, kind: 'call', call, came: { event } }));
    }
    if ('end' in message && message.end) {
      const { end } = message;
      this.#messages.push((at) => ({ at, kind: 'call', call, came: cameOf(end) }));
    }
  }

  /** It is written when its task has taken it. */
  #updated(name: string, given: unknown): Stimulus {
    const at = this.#taskAt;
    if (name === 'answer') return { at, kind: 'answer', given: given as never };
    const action = taskActions.find((each) => each === name);
    if (action) return { at, kind: 'task', action, given: given as never };
    if (name === 'dropEvent' || name === 'giveUp') return { at, kind: 'decision', decision: name };
    if (name === 'migrate')
      throw new NotBacktestable(
        `${this.#workflowId} was migrated while it ran: no single version has decided what happened to it`,
      );
    throw new NotBacktestable(`${this.#workflowId} has taken the update ${name}, which cannot be played`);
  }

  async #close(event: HistoryEvent): Promise<void> {
    const done = event.workflowExecutionCompletedEventAttributes;
    if (done) this.#end = { status: 'done', output: await this.#decoded(done.result?.payloads?.[0]) };
    if (event.workflowExecutionFailedEventAttributes) this.#end = { status: 'failed' };
    if (event.workflowExecutionCanceledEventAttributes) this.#end = { status: 'cancelled' };
    if (event.workflowExecutionTerminatedEventAttributes || event.workflowExecutionTimedOutEventAttributes)
      this.#end = { status: 'terminated' };
  }

  #decoded(payload: Payload): Promise<unknown> {
    return decoded(this.#client, payload);
  }

  async #error(failure: ProtoFailure | null | undefined): Promise<unknown> {
    const { failureConverter, payloadConverter } = this.#client.options.loadedDataConverter;
    return failureConverter.failureToError(await this.#readable(failure ?? {}), payloadConverter);
  }

  /** With its message, where that is encrypted too. */
  async #readable(failure: ProtoFailure): Promise<ProtoFailure> {
    const { cause, encodedAttributes } = failure;
    const words = (await this.#decoded(encodedAttributes)) as { readonly message?: string } | undefined;
    return {
      ...failure,
      ...(words?.message !== undefined && { message: words.message, encodedAttributes: null }),
      ...(cause && { cause: await this.#readable(cause) }),
    };
  }
}

const ENDS_WITHOUT_FAILURE = [
  ['activityTaskCanceledEventAttributes', 'CancelledFailure'],
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
