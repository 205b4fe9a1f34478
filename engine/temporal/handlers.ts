// Registers the handlers of a process: its signals, updates and queries. They give everything to the process and decide nothing,
// so that all messages have one order.

import { defineQuery, defineSignal, log, setDefaultSignalHandler, setHandler } from '@temporalio/workflow';
import { OUTREACH_DELIVERY, type OutreachKind } from '../../contract/flows/outreach.ts';
import type { ChartView, Position } from '../chart/chart-view.ts';
import { askedAt, asksForProgress } from '../commands.ts';
import type { UnknownSignal } from '../continued.ts';
import type { MigrationRequest } from '../definition/migration-request.ts';
import type { Decision } from '../inbox.ts';
import { INVALID_EVENT } from '../messages.ts';
import type { MigrationResult } from '../migration-plan.ts';
import { outreachUpdates } from '../outreach.ts';
import type { Process } from '../process.ts';
import { subscription } from './family.ts';
import { asIf, type MovableClock } from './movable-clock.ts';
import { beginOutreach } from './outreach.ts';
import type { TemporalHost } from './temporal-host.ts';
import { type Updates, updateNow } from './updates.ts';

/** Update of a process whose clock can be moved: how far ahead of the real time it is to be, in `aheadMs`. */
export const MOVE_CLOCK = 'moveClock';
/** Its query. */
export const CLOCK = 'clock';

/** Update: the process goes over to another definition. Its argument is a MigrationRequest, its answer what it keeps of it. */
export const MIGRATE = 'migrate';
/** Query with the same argument: its result. */
const MIGRATION_RESULT = 'migrationResult';

/** The answer to `MOVE_CLOCK` and `CLOCK`. */
export interface ClockStatus {
  readonly aheadMs: number;
  /** ISO 8601. */
  readonly now: string;
  readonly next: { readonly timer: string; readonly at: string; readonly inMs: number } | null;
  /** Whether its machine still takes steps. */
  readonly isOpen: boolean;
  /** Entries that it has taken, so that a caller sees whether something has happened. */
  readonly taken: number;
  /** Nothing more happens now: it waits for a time, for people, or for other processes. */
  readonly isAtRest: boolean;
  /** Activities that have not answered yet, by their types. */
  readonly calls: readonly string[];
  /** The workflow ids of child workflows that have not ended. */
  readonly children: readonly string[];
}

interface Around {
  readonly host: TemporalHost;
  readonly clock: MovableClock | null;
  readonly listener: Listener;
  readonly updates: Updates;
}

export function setHandlers(process: Process, { host, clock, listener, updates }: Around): void {
  const { halting, migrates } = process.definition;
  setHandler(defineQuery<unknown, [unknown]>('progress'), (query) => process.progress(query), {
    description: 'Where the process is and what it waits for',
  });
  setHandler(defineQuery<ChartView, []>('chart'), () => process.chartView(), {
    description: 'The chart that the process runs: its states and transitions',
  });
  setHandler(defineQuery<Position, []>('position'), () => process.position(), {
    description: 'The states of the chart that are active, their timers, and what may happen next',
  });
  if (process.definition.commands) setActionsHandler(process, clock);
  host.children.listen();
  if (host.outbox.parent.isThere)
    setHandler(subscription, (request) => host.outbox.subscribe(request), {
      description: 'The parent workflow says what it is to be told',
    });
  listener.listen(process);
  if (halting)
    updates.set(decisions, {
      refusal: (_, decision) => process.halting.decisionRefusal(decision as Decision),
      take: (_, { id, name }, reply) => process.decide(name as Decision, id, reply),
    });
  if (migrates) setMigrationHandlers(process, clock, updates);
  updates.set(noteUpdate, {
    refusal: (payload) => process.noteRefusal(payload),
    take: (payload, _, { answer }) => {
      process.addNote(payload);
      answer(undefined);
    },
  });
  updates.set(outreachUpdates, {
    refusal: (payload, kind) => process.outreachRefusal(kind as OutreachKind, payload),
    take: (payload, { id, name }, reply) => {
      const fields = process.takeOutreach(name as OutreachKind, payload, id, reply);
      void beginOutreach(OUTREACH_DELIVERY, fields, id).then((delivery) =>
        process.replies.answer(id, { delivery }),
      );
    },
  });
  if (clock) setClockHandlers(process, host, clock, updates);
}

/**
 * Sets the handlers for the messages of a definition, and again when that has been replaced. Signals that are there before are taken
 * in the order in which they came: Temporal would give out those of one name, and then those of the next.
 */
export class Listener {
  readonly #updates: Updates;
  #unknown: readonly UnknownSignal[];

  /** @param unknown what a former run has kept */
  constructor(updates: Updates, unknown: readonly UnknownSignal[] = []) {
    this.#updates = updates;
    this.#unknown = unknown;
  }

  listen(process: Process): void {
    const { signals, updates } = process.definition.messages;
    const waiting = [...this.#unknown, ...waitingSignals()];
    for (const [name, description] of Object.entries(signals))
      setHandler(defineSignal<[unknown]>(name), (payload) => receiveSignal(process, name, payload), {
        description,
      });
    const isKnown = ({ name }: UnknownSignal) => Object.hasOwn(signals, name);
    this.#unknown = waiting.filter((signal) => !isKnown(signal));
    for (const { name, payload } of waiting.filter(isKnown)) receiveSignal(process, name, payload);
    this.#updates.set(updates, {
      refusal: (payload, name) => inQuestion(process, () => process.updateRefusal(name, payload)),
      take: (payload, { id, name }, reply) => process.update(name, payload, id, reply),
    });
  }

  /** Signals that wait for a version that knows them, for the run that continues this one: this one takes no more. */
  carried(): readonly UnknownSignal[] {
    return [...this.#unknown, ...waitingSignals()].slice(-MAX_UNKNOWN);
  }
}

/** The latest only, so that a process does not grow without end. */
const MAX_UNKNOWN = 100;

/** Takes those that no handler has taken yet, in the order in which they came. */
function waitingSignals(): UnknownSignal[] {
  const waiting: UnknownSignal[] = [];
  setDefaultSignalHandler((name, payload) => void waiting.push({ name, payload }));
  setDefaultSignalHandler(undefined);
  return waiting;
}

function setMigrationHandlers(process: Process, clock: MovableClock | null, updates: Updates): void {
  setHandler(
    defineQuery<MigrationResult, [MigrationRequest]>(MIGRATION_RESULT),
    (request) =>
      asIf(askedAt(request, Date.now(), clock?.aheadMs), () =>
        inQuestion(process, () => process.migrations.result(request)),
      ),
    { description: 'What would become of the process in another definition' },
  );
  updates.set(migrateUpdate, {
    refusal: (payload) => inQuestion(process, () => process.migrations.refusal(payload, updateNow().id)),
    take: (payload, { id }, reply) => process.migrate(payload as MigrationRequest, id, reply),
  });
}

function setActionsHandler(process: Process, clock: MovableClock | null): void {
  setHandler(
    defineQuery<unknown, [unknown]>('actions'),
    (query) => {
      // In a query `Date` shows when the process took its last step, which may be days ago.
      const answer = asIf(askedAt(query, Date.now(), clock?.aheadMs), () =>
        inQuestion(process, () => process.actions(query)),
      );
      return asksForProgress(query) ? { ...answer, progress: process.progress() } : answer;
    },
    { description: 'What can be done to the process, and what follows; or of one command with its fields' },
  );
}

function inQuestion<Result>({ definition: { pace } }: Process, run: () => Result): Result {
  return pace ? pace.question(run) : run();
}

function receiveSignal(process: Process, name: string, payload: unknown): void {
  if (!process.signal(name, payload))
    log.warn(`the signal ${name} is not an event of this process: it was dropped`);
}

const noteUpdate = { note: 'Keeps a note for whoever looks at the process next: text, by, onBehalfOf, why' };

const migrateUpdate = { [MIGRATE]: 'Goes over to another definition: semantics, to, plan, by, why' };

const clockUpdate = {
  [MOVE_CLOCK]: 'Moves the clock: aheadMs, how far ahead of the real time. It never goes back',
};

const decisions: Readonly<Record<Decision, string>> = {
  dropEvent: 'For a halted process: drops the event whose step failed, and goes on',
  giveUp: 'For a halted process: cancels what it has begun, and fails',
};

function setClockHandlers(process: Process, host: TemporalHost, clock: MovableClock, updates: Updates): void {
  const status = () => clockStatus(process, host, clock);
  setHandler(defineQuery<ClockStatus>(CLOCK), status, {
    description: 'The time of the process, and what is due next',
  });
  updates.set(clockUpdate, {
    refusal: (payload) => {
      const { aheadMs } = (payload ?? {}) as { readonly aheadMs?: unknown };
      if (Number.isSafeInteger(aheadMs) && (aheadMs as number) >= 0) return undefined;
      const message = `aheadMs is ${JSON.stringify(aheadMs)}, expected whole milliseconds that are not negative`;
      return { code: INVALID_EVENT, message };
    },
    take: (payload, { id: updateId }, reply) => {
      const { aheadMs } = payload as { readonly aheadMs: number };
      process.advanceClock({ ring: () => clock.passing(aheadMs), updateId, answer: status }, reply);
    },
  });
}

function clockStatus(process: Process, { outbox, children }: TemporalHost, clock: MovableClock): ClockStatus {
  const { isOpen, taken } = process;
  const activities = process.calls.open
    .filter((call) => call.kind === 'activity' && !process.hasAnswerOf(call))
    .map(({ type }) => type);
  const calls = [...activities, ...(outbox.isDelivering ? ['outbox'] : [])];
  // A halted process takes nothing of its inbox until a person has decided.
  const isQuiet = !process.hasWork && outbox.isIdle && !process.replies.areOpen;
  return {
    aheadMs: clock.aheadMs,
    now: new Date().toISOString(),
    next: clock.next && {
      timer: clock.next.timer,
      at: new Date(clock.next.dueAt).toISOString(),
      inMs: Math.max(0, clock.next.dueAt - Date.now()),
    },
    isOpen,
    taken,
    isAtRest: isOpen && activities.length === 0 && isQuiet && children.open.every(({ id }) => id !== null),
    calls,
    children: children.open.flatMap(({ id }) => id ?? []),
  };
}
