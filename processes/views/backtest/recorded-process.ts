// What happened to a process, read from its histories, from its first run to its last.
import type { Client } from '@temporalio/client';
import { workerFailureIn } from '../../../client/worker-failure.ts';
import { isOutreach } from '../../../contract/flows/outreach.ts';
import type * as family from '../../../engine/temporal/family.ts';
import { taskActions } from '../../../flows/language/machine/tasks.ts';
import {
  isPlayedSignal,
  isPlayedUpdate,
  type RecordedEnd,
  type RecordedProcess,
  type Stimulus,
} from '../../../flows/simulation/recorded-process.ts';
import { runsOf } from '../history.ts';
import type { HistoryEvent } from '../history-event.ts';
import { NotBacktestable } from './not-backtestable.ts';
import { Payloads } from './payloads.ts';
import { type EndedCall, RecordedCalls } from './recorded-calls.ts';
import { RecordedFile } from './recorded-file.ts';
import { workflowTime } from './workflow-time.ts';

// Repeated here, and held to be the same by its type: the engine's own is for the sandbox of workflows.
const CHILD_EVENT: typeof family.CHILD_EVENT = 'childEvent';

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
  readonly #payloads: Payloads;
  readonly #workflowId: string;
  readonly #calls: RecordedCalls;
  readonly #file: RecordedFile;
  readonly #stimuli: Stimulus[] = [];
  /** What the next task takes, at a time that is not known yet: messages first, as the process gets them. */
  #messages: Stimulus[] = [];
  #others: Stimulus[] = [];
  /** When the task began that is being read. */
  #taskAt = 0;
  #until = 0;
  #end: RecordedEnd | null = null;
  /** A worker has failed at the last of its tasks. */
  #isFailing = false;

  constructor(client: Client, workflowId: string) {
    this.#payloads = new Payloads(client);
    this.#workflowId = workflowId;
    this.#calls = new RecordedCalls(this.#payloads, workflowId);
    this.#file = new RecordedFile(this.#payloads);
  }

  async read(run: readonly HistoryEvent[]): Promise<void> {
    for (const event of run) {
      this.#until = workflowTime(event.eventTime);
      this.#task(event);
      await this.#file.read(event, this.#taskAt);
      const ended = await this.#calls.read(event);
      if (ended) this.#others.push(cameOf(ended));
      await this.#received(event);
      await this.#close(event);
    }
  }

  get recorded(): RecordedProcess {
    if (this.#isFailing)
      throw new NotBacktestable(
        `a worker ${this.#end ? 'failed at it until it was ended from outside' : 'fails at it'}: nobody knows what it would have done`,
      );
    return {
      ...this.#file.started,
      key: this.#workflowId,
      // An open process has waited until now.
      until: this.#end ? this.#until : Date.now(),
      stimuli: this.#stimuli,
      calls: this.#calls.keys,
      end: this.#end,
    };
  }

  /** What comes is taken at the time of the task that takes it. */
  #task(event: HistoryEvent): void {
    if (event.workflowTaskStartedEventAttributes) this.#taskAt = workflowTime(event.eventTime);
    if (workerFailureIn(event)) this.#isFailing = true;
    if (!event.workflowTaskCompletedEventAttributes) return;
    this.#isFailing = false;
    for (const taken of [...this.#messages, ...this.#others])
      this.#stimuli.push({ ...taken, at: this.#taskAt });
    [this.#messages, this.#others] = [[], []];
  }

  async #received(event: HistoryEvent): Promise<void> {
    const signal = event.workflowExecutionSignaledEventAttributes;
    if (signal) this.#signalled(signal.signalName ?? '', await this.#payloads.first(signal.input));
    const update = event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input;
    // A note changes nothing, and what people send outside neither.
    if (update && update.name !== 'note' && !isOutreach(update.name ?? ''))
      this.#stimuli.push(this.#updated(update.name ?? '', await this.#payloads.first(update.args)));
    if (event.workflowExecutionCancelRequestedEventAttributes)
      this.#others.push({ at: 0, kind: 'cancellation' });
  }

  #signalled(name: string, payload: unknown): void {
    if (name === 'event') this.#messages.push({ at: 0, kind: 'event', payload });
    if (isPlayedSignal(name)) this.#messages.push({ at: 0, kind: 'signal', name, payload });
    if (name === CHILD_EVENT)
      this.#messages.push(
        ...this.#calls.ofChild(payload as Partial<family.FromChild> | undefined).map(cameOf),
      );
  }

  /** It is written when its task has taken it. */
  #updated(name: string, given: unknown): Stimulus {
    const at = this.#taskAt;
    if (name === 'answer') return { at, kind: 'answer', given: given as never };
    const action = taskActions.find((each) => each === name);
    if (action) return { at, kind: 'task', action, given: given as never };
    if (isPlayedUpdate(name)) return { at, kind: 'update', name, given };
    if (name === 'dropEvent' || name === 'giveUp') return { at, kind: 'decision', decision: name };
    throw new NotBacktestable(
      name === 'migrate'
        ? 'it was migrated while it ran: no single version has decided what happened to it'
        : `it has taken the update ${name}, which cannot be played`,
    );
  }

  async #close(event: HistoryEvent): Promise<void> {
    const done = event.workflowExecutionCompletedEventAttributes;
    if (done) this.#end = { status: 'done', output: await this.#payloads.first(done.result) };
    if (event.workflowExecutionFailedEventAttributes) this.#end = { status: 'failed' };
    if (event.workflowExecutionCanceledEventAttributes) this.#end = { status: 'cancelled' };
    if (event.workflowExecutionTerminatedEventAttributes || event.workflowExecutionTimedOutEventAttributes)
      this.#end = { status: 'terminated' };
  }
}

const cameOf = (ended: EndedCall): Stimulus => ({ at: 0, kind: 'call', ...ended });
