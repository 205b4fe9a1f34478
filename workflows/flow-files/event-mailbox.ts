// A mailbox: the events by correlation for one key with one value, and the processes that have that key. Architecture: From event
// to process. It takes one message after the other, and ends when nobody listens and nothing is kept.
import {
  condition,
  continueAsNew,
  defineSignal,
  log,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { FlowFileActivities } from '../../activities/flow-files/flow-file-activities.ts';
import {
  type CorrelatedEvent,
  isFor,
  type Listening,
  type ListeningProcess,
  mailboxSignals,
} from '../../flows/language/correlation.ts';
import { jsonBytes } from '../../flows/language/machine/context.ts';
import { localRetries } from '../local-calls.ts';
import { Alarm } from './alarm.ts';

const event = defineSignal<[CorrelatedEvent]>(mailboxSignals.event);
const listen = defineSignal<[ListeningProcess, Listening]>(mailboxSignals.listen);
const leave = defineSignal<[ListeningProcess]>(mailboxSignals.leave);

interface Listener extends Listening {
  readonly process: ListeningProcess;
}

interface KeptEvent {
  readonly event: CorrelatedEvent;
  /** Milliseconds since 1970: until then it is for processes that come later. */
  readonly until: number;
  /** Until then the same id again is no other event. */
  readonly knownUntil: number;
  /** The flows whose processes have had it. */
  readonly flows: readonly string[];
}

/** What a former run hands over. */
interface Before {
  readonly listeners: readonly Listener[];
  readonly kept: readonly KeptEvent[];
  readonly lookAt: number;
}

// One that was terminated does not say that it has ended.
const LOOK_AFTER_MS = 7 * 86_400_000;
// A sender that got no answer sends again within this time.
const KNOWN_MS = 3_600_000;
// What is handed out by one activity, which has 30 seconds.
const MOST_AT_ONCE = 100;
// What is kept goes along into each new run, and must stay below the 2 MB that Temporal takes.
const MOST_BYTES = 1024 * 1024;

const { handOut, startByEvent } = proxyLocalActivities<FlowFileActivities>({
  startToCloseTimeout: '30 s',
  ...localRetries,
});

export async function EventMailbox(before?: Before): Promise<void> {
  const mailbox = new Mailbox(before);
  const waiting: (() => Promise<void>)[] = [];
  setHandler(event, (sent) => void waiting.push(() => mailbox.take(sent)));
  setHandler(
    listen,
    (process, listening) => void waiting.push(() => mailbox.listen({ ...listening, process })),
  );
  setHandler(leave, (process) => void waiting.push(async () => mailbox.leave(process)));
  const alarm = new Alarm();
  for (;;) {
    for (let next = waiting.shift(); next; next = waiting.shift()) await next();
    await mailbox.tidy();
    if (waiting.length > 0) continue;
    if (mailbox.isOver) return;
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof EventMailbox>(mailbox.carried);
    mailbox.show();
    alarm.set(mailbox.dueAt);
    await condition(() => waiting.length > 0 || alarm.hasRung);
  }
}

class Mailbox {
  #listeners: readonly Listener[];
  #kept: readonly KeptEvent[];
  #lookAt: number;

  constructor({ listeners = [], kept = [], lookAt = Date.now() + LOOK_AFTER_MS }: Partial<Before> = {}) {
    this.#listeners = listeners;
    this.#kept = kept;
    this.#lookAt = lookAt;
  }

  get carried(): Before {
    return { listeners: this.#listeners, kept: this.#kept, lookAt: this.#lookAt };
  }

  get isOver(): boolean {
    return this.#listeners.length === 0 && this.#kept.length === 0;
  }

  /** When it has something to do although nobody sends anything. */
  get dueAt(): number {
    if (this.#listeners.length > 0) return this.#lookAt;
    return Math.max(...this.#kept.map(({ knownUntil }) => knownUntil));
  }

  async take(sent: CorrelatedEvent): Promise<void> {
    if (this.#kept.some((kept) => kept.event.id === sent.id)) return;
    const until = Date.now() + sent.keepForMs;
    const taken = await this.#handOut(sent, sent.keepForMs, this.#listeners);
    const { started, failed } = await startByEvent({ event: sent, taken });
    for (const { flow, why } of failed)
      log.warn('an event could not start its flow', { flow, why, type: sent.type });
    const flows = [...taken, ...started];
    const knownUntil = Math.max(until, Date.now() + (sent.knownForMs ?? KNOWN_MS));
    this.#kept = [...this.#kept, { event: sent, until, knownUntil, flows }];
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
        kept.event.id === sent.id ? { ...kept, flows: [...kept.flows, ...more] } : kept,
      );
    }
  }

  leave(process: ListeningProcess): void {
    this.#listeners = this.#listeners.filter((each) => !isSame(each.process, process));
  }

  /** Forgets what is over, and those who are gone without a word. */
  async tidy(): Promise<void> {
    if (Date.now() >= this.#lookAt) {
      this.#lookAt = Date.now() + LOOK_AFTER_MS;
      await this.#inParts(null, this.#listeners);
    }
    this.#kept = this.#kept.filter(({ knownUntil }) => knownUntil > Date.now());
    for (let bytes = jsonBytes(this.#kept); bytes > MOST_BYTES; bytes = jsonBytes(this.#kept)) {
      // One that a process has had rather than one that nobody has had.
      const given = this.#kept.find(({ flows }) => flows.length > 0) ?? this.#kept[0];
      if (given?.flows.length === 0)
        log.error('too many events wait for a process: the oldest one is given up', {
          type: given.event.type,
        });
      this.#kept = this.#kept.filter((kept) => kept !== given);
    }
  }

  show(): void {
    const untaken = this.#kept.filter(({ flows }) => flows.length === 0);
    setCurrentDetails(
      [
        `**${this.#listeners.length} listen, ${untaken.length} of ${this.#kept.length} events wait for a process**`,
        '',
        ...this.#listeners.slice(0, 10).map(({ process }) => `- \`${process.workflowId}\``),
        ...untaken.slice(0, 10).map(({ event: { type, id } }) => `- \`${type}\` \`${id}\``),
      ].join('\n'),
    );
  }

  /** @returns the flows whose processes have it now */
  async #handOut(
    sent: CorrelatedEvent,
    keepForMs: number,
    listeners: readonly Listener[],
  ): Promise<readonly string[]> {
    const { type, id, data } = sent;
    const to = listeners.filter((listener) => isFor(sent, listener));
    const had = await this.#inParts({ type, id, data, keepForMs }, to);
    return [...new Set(had.map(({ flow }) => flow))];
  }

  /** @returns those that are open; the others are forgotten */
  async #inParts(
    given: Parameters<typeof handOut>[0]['event'],
    to: readonly Listener[],
  ): Promise<readonly Listener[]> {
    const open: Listener[] = [];
    for (let from = 0; from < to.length; from += MOST_AT_ONCE) {
      const part = to.slice(from, from + MOST_AT_ONCE);
      const gone = await handOut({ event: given, to: part.map(({ process }) => process) });
      for (const process of gone) this.leave(process);
      open.push(...part.filter(({ process }) => !gone.some((each) => isSame(each, process))));
    }
    return open;
  }
}

const isSame = (one: ListeningProcess, other: ListeningProcess): boolean =>
  one.workflowId === other.workflowId && one.firstRunId === other.firstRunId;
