// The queue of one correlation key and value: keeps its events and hands them to the processes that listen under that key
// (architecture: From event to process). Handles one message at a time; ends when it has no listeners and no events.

import {
  CancellationScope,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  log,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { FlowFileActivities } from '../../activities/flow-file-activities.ts';
import {
  type CorrelatedEvent,
  type CorrelationKeys,
  type EventOutlook,
  hasKeys,
  isFor,
  type Listening,
  type ListeningProcess,
  type QueuedEvents,
  queueQueries,
  queueSignals,
} from '../../flows/language/correlation.ts';
import { jsonBytes } from '../../flows/language/json-bytes.ts';
import { code } from '../../shared/markdown/shown-as-text.ts';
import { localRetries } from '../local-calls.ts';

const event = defineSignal<[CorrelatedEvent]>(queueSignals.event);
const listen = defineSignal<[ListeningProcess, Listening]>(queueSignals.listen);
const leave = defineSignal<[ListeningProcess]>(queueSignals.leave);

type AskedEvent = Pick<CorrelatedEvent, 'type' | 'where'> & Partial<Pick<CorrelatedEvent, 'id'>>;
const listening = defineQuery<EventOutlook, [AskedEvent]>(queueQueries.listening);
const queued = defineQuery<QueuedEvents, [CorrelationKeys]>(queueQueries.queued);

interface Listener extends Listening {
  readonly process: ListeningProcess;
}

interface KeptEvent {
  readonly event: CorrelatedEvent;
  /** Milliseconds since 1970: until then, processes that begin to listen still get the event. */
  readonly until: number;
  /** Milliseconds since 1970: until then, an event with the same id is a duplicate. */
  readonly knownUntil: number;
  /** The flows whose processes have received the event. */
  readonly flows: readonly string[];
  /** How many processes have. */
  readonly processes: number;
}

/** State carried over continue-as-new. */
interface Carried {
  readonly listeners: readonly Listener[];
  readonly kept: readonly KeptEvent[];
  readonly lookAt: number;
}

// A process that was terminated does not leave by itself.
const CHECK_LISTENERS_EVERY_MS = 7 * 86_400_000;
// A sender that got no answer retries within this time.
const DUPLICATES_KNOWN_MS = 3_600_000;
// Listeners per activity, which has 30 seconds.
const BATCH_SIZE = 100;
// The events are the argument of each new run, which Temporal limits to 2 MB.
const MAX_BYTES = 1024 * 1024;
// More than anybody reads of one value.
const MAX_QUEUED = 100;

const { handOut } = proxyLocalActivities<FlowFileActivities>({
  startToCloseTimeout: '30 s',
  ...localRetries,
});

export async function CorrelationQueue(carried?: Carried): Promise<void> {
  const queue = new Queue(carried);
  const waiting: (() => Promise<void>)[] = [];
  setHandler(event, (sent) => void waiting.push(() => queue.take(sent)));
  setHandler(
    listen,
    (process, listening) => void waiting.push(() => queue.listen({ ...listening, process })),
  );
  setHandler(leave, (process) => void waiting.push(async () => queue.leave(process)));
  setHandler(listening, (sent) => queue.outlook(sent));
  setHandler(queued, (where) => queue.queued(where));
  const alarm = new Alarm();
  for (;;) {
    for (let next = waiting.shift(); next; next = waiting.shift()) await next();
    await queue.cleanUp();
    if (waiting.length > 0) continue;
    if (queue.isOver) return;
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof CorrelationQueue>(queue.carried);
    queue.show();
    alarm.set(queue.dueAt);
    await condition(() => waiting.length > 0 || alarm.hasRung);
  }
}

class Queue {
  #listeners: readonly Listener[];
  #kept: readonly KeptEvent[];
  #lookAt: number;

  constructor({
    listeners = [],
    kept = [],
    lookAt = Date.now() + CHECK_LISTENERS_EVERY_MS,
  }: Partial<Carried> = {}) {
    this.#listeners = listeners;
    this.#kept = kept;
    this.#lookAt = lookAt;
  }

  get carried(): Carried {
    return { listeners: this.#listeners, kept: this.#kept, lookAt: this.#lookAt };
  }

  get isOver(): boolean {
    return this.#listeners.length === 0 && this.#kept.length === 0;
  }

  /** The next time when the queue has work without a message. */
  get dueAt(): number {
    if (this.#listeners.length > 0) return this.#lookAt;
    return Math.max(...this.#kept.map(({ knownUntil }) => knownUntil));
  }

  /** The newest last. */
  queued(where: CorrelationKeys): QueuedEvents {
    const found = this.#kept.filter(({ event }) => hasKeys(event.where, where));
    const events = found.slice(-MAX_QUEUED).map(({ event, until, flows, processes }) => ({
      type: event.type,
      id: event.id,
      where: event.where,
      sentAt: new Date(until - event.keepForMs).toISOString(),
      until: new Date(until).toISOString(),
      takenBy: flows,
      processes,
    }));
    return { events, isComplete: events.length === found.length };
  }

  outlook(sent: AskedEvent): EventOutlook {
    return {
      processes: this.#listeners.filter((listener) => isFor(sent, listener)).length,
      isRepeated: this.#isKnown(sent),
    };
  }

  #isKnown({ id }: Pick<AskedEvent, 'id'>): boolean {
    return this.#kept.some((kept) => kept.event.id === id);
  }

  async take(sent: CorrelatedEvent): Promise<void> {
    if (this.#isKnown(sent)) return;
    const until = Date.now() + sent.keepForMs;
    const { starts = [] } = sent;
    const { flows, processes } = await this.#handOut(sent, sent.keepForMs, this.#listeners);
    const knownUntil = Math.max(until, Date.now() + DUPLICATES_KNOWN_MS);
    const received = { flows: [...flows, ...starts], processes: processes + starts.length };
    this.#kept = [...this.#kept, { event: sent, until, knownUntil, ...received }];
  }

  async listen(listener: Listener): Promise<void> {
    this.#listeners = [
      ...this.#listeners.filter((each) => !isSame(each.process, listener.process)),
      listener,
    ];
    for (const { event: sent, until, flows } of this.#kept) {
      const keepForMs = until - Date.now();
      if (keepForMs <= 0 || flows.includes(listener.flow)) continue;
      const more = await this.#handOut(sent, keepForMs, [listener]);
      this.#kept = this.#kept.map((kept) =>
        kept.event.id === sent.id
          ? { ...kept, flows: [...kept.flows, ...more.flows], processes: kept.processes + more.processes }
          : kept,
      );
    }
  }

  leave(process: ListeningProcess): void {
    this.#listeners = this.#listeners.filter((each) => !isSame(each.process, process));
  }

  /** Drops expired events, and listeners that ended without leaving. */
  async cleanUp(): Promise<void> {
    if (Date.now() >= this.#lookAt) {
      this.#lookAt = Date.now() + CHECK_LISTENERS_EVERY_MS;
      await this.#deliver(null, this.#listeners);
    }
    this.#kept = this.#kept.filter(({ knownUntil }) => knownUntil > Date.now());
    for (let bytes = jsonBytes(this.#kept); bytes > MAX_BYTES; bytes = jsonBytes(this.#kept)) {
      // Prefer to drop an event that a process has received.
      const dropped = this.#kept.find(({ flows }) => flows.length > 0) ?? this.#kept[0];
      if (dropped?.flows.length === 0)
        log.error('too many events wait for a process: the oldest one is given up', {
          type: dropped.event.type,
        });
      this.#kept = this.#kept.filter((kept) => kept !== dropped);
    }
  }

  show(): void {
    const undelivered = this.#kept.filter(({ flows }) => flows.length === 0);
    setCurrentDetails(
      [
        `**${this.#listeners.length} listen, ${undelivered.length} of ${this.#kept.length} events wait for a process**`,
        '',
        ...this.#listeners.slice(0, 10).map(({ process }) => `- ${code(process.workflowId)}`),
        ...undelivered.slice(0, 10).map(({ event: { type, id } }) => `- ${code(type)} ${code(id)}`),
      ].join('\n'),
    );
  }

  /** @returns the flows whose processes have received the event, and how many these are */
  async #handOut(
    sent: CorrelatedEvent,
    keepForMs: number,
    listeners: readonly Listener[],
  ): Promise<Pick<KeptEvent, 'flows' | 'processes'>> {
    const { type, id, data, who } = sent;
    const to = listeners.filter((listener) => isFor(sent, listener));
    const received = await this.#deliver({ type, id, data, keepForMs, ...(who && { who }) }, to);
    return { flows: [...new Set(received.map(({ flow }) => flow))], processes: received.length };
  }

  /** Without an event it only checks the listeners. @returns the open ones; the others are dropped */
  async #deliver(
    delivery: Parameters<typeof handOut>[0]['event'],
    to: readonly Listener[],
  ): Promise<readonly Listener[]> {
    const open: Listener[] = [];
    for (let from = 0; from < to.length; from += BATCH_SIZE) {
      const batch = to.slice(from, from + BATCH_SIZE);
      const gone = await handOut({ event: delivery, to: batch.map(({ process }) => process) });
      for (const process of gone) this.leave(process);
      open.push(...batch.filter(({ process }) => !gone.some((each) => isSame(each, process))));
    }
    return open;
  }
}

const isSame = (one: ListeningProcess, other: ListeningProcess): boolean =>
  one.workflowId === other.workflowId && one.firstRunId === other.firstRunId;

/** One timer at a time: to begin another one for each message would cost two events each. */
export class Alarm {
  #dueAt = Number.POSITIVE_INFINITY;
  #scope: CancellationScope | undefined;
  hasRung = false;

  /** @param dueAt milliseconds since 1970; undefined: never */
  set(dueAt: number | undefined): void {
    this.hasRung = false;
    if (dueAt === undefined) return;
    // An earlier one rings in vain, once.
    if (this.#scope && this.#dueAt <= dueAt) return;
    this.#scope?.cancel();
    const scope = new CancellationScope();
    this.#scope = scope;
    this.#dueAt = dueAt;
    void scope
      .run(() => sleep(Math.max(1, dueAt - Date.now())))
      .then(
        () => {
          this.hasRung = true;
          this.#scope = undefined;
        },
        () => undefined,
      );
  }
}
