// One process, in any world. It takes what comes into its inbox in one order, steps its machine with each entry, and says what
// leaves. It is synchronous and knows no clock but that of its world. A step that throws halts it until a person decides. A
// cancellation is an event of the chart, if the chart knows it.

import type { AnyMachineSnapshot, EventObject } from 'xstate';
import { activityOfAction } from './actor-kinds.ts';
import { ActorSystem, type Effects } from './actor-system.ts';
import { Calls, eventOfAnswer, type OpenCall, type Rebound, type Timer, Timers } from './awaited.ts';
import { type Position, pathOf, positionOf } from './chart/chart-view.ts';
import { actorOf, CANCEL_REQUESTED, messagesOf, ownOf } from './chart/messages.ts';
import type { Refusal } from './command.ts';
import { complete } from './defaults.ts';
import type {
  AnsweredUpdate,
  Awaited,
  Complete,
  Continued,
  Emitted,
  Ending,
  Halt,
  KeptEvent,
  MessageEvent,
  Migrated,
  MigrationRequest,
  MigrationTarget,
  OpenTimer,
  ProcessStart,
  TimerExtension,
} from './definition.ts';
import { type Decision, type Entry, Inbox, type Passing } from './inbox.ts';
import { fingerprintOf, Migration, runningIn } from './migration/migration.ts';
import { type Obstacle, type Verdict, verdictOf } from './migration/plan.ts';
import { strandedWithout } from './migration/ways-out.ts';
import type { World } from './world.ts';
import { type Action, type AnyActor, inputOf, MIGRATION, type Watch } from './xstate-internals.ts';

/** Code of the refusal of an update that is not possible in the present state of the process. */
export const NOT_POSSIBLE_NOW = 'NotPossibleNow';

/** Code of the refusal of an update whose payload is not an event. */
export const INVALID_EVENT = 'InvalidEvent';

/** Code of the refusal of a migration that is not asked for as it must be. */
export const INVALID_MIGRATION = 'InvalidMigration';

/** Code of the refusal of a migration because of where the process is; its details are the verdict. */
export const MIGRATION_REFUSED = 'MigrationRefused';

/** Code of the refusal of a migration of a process that has gone on since it was asked for its verdict. */
export const MOVED_MEANWHILE = 'MovedMeanwhile';

/** The worker does not have the version of a definition that a process is to run on. */
export class VersionMissing extends Error {}

/** To an update; called once, when the process has taken it or cannot. */
export interface Reply {
  answer(value: unknown): void;
  refuse(refusal: Refusal): void;
}

/** How the process closes; `unhandled` is a failure that no state took. */
export type Closing = Ending | { readonly kind: 'unhandled'; readonly error: unknown };

interface Begun {
  readonly definition: Complete;
  readonly start: ProcessStart;
  readonly world: World;
  /** For a process that another run began. */
  readonly continued?: Continued | undefined;
  readonly watch?: Watch | undefined;
}

// The keys of the latest messages only, so that a process does not grow without end.
const KEPT_KEYS = 1_000;

// The formats of what a run leaves to the next one. A process that was migrated needs a worker that knows what became of its names.
const FORMAT_OF_CARRIED = 1;
const FORMAT_OF_MIGRATED = 2;
// Nor may events be lost that wait for a state that takes them.
const FORMAT_OF_KEPT = 3;

// The latest only, so that a process does not grow without end.
const KEPT_MIGRATIONS = 20;

/** What a process runs on. */
interface Program {
  readonly definition: Complete;
  readonly start: ProcessStart;
  readonly actors: ActorSystem;
}

/** What a process was before a migration that nobody but itself has noticed. */
interface Former {
  readonly program: Program;
  readonly timers: readonly FormerTimer[];
  readonly calls: ReadonlyMap<OpenCall, Rebound>;
  readonly aliases: Readonly<Record<string, string>>;
}

interface FormerTimer {
  readonly timer: Timer;
  readonly open: OpenTimer;
  readonly target: AnyActor;
}

export class Process {
  /** Whatever needs a part of it asks the process each time, and keeps none: so it can be replaced while the process runs. */
  #program: Program;
  /** Computed only on request. */
  readonly awaited: Awaited;
  readonly timers: Timers;
  readonly calls: Calls;
  readonly #world: World;
  readonly #continued: Continued | undefined;
  readonly #watch: Watch | undefined;
  readonly #inbox = new Inbox();
  readonly #replies = new Map<string, Reply>();
  readonly #seen: Set<string>;
  /** Messages of its own that came after the end. */
  readonly #late: unknown[] = [];
  /** Events that no state has taken yet. */
  readonly #kept: KeptEvent[];
  /** How many of them no state takes now. */
  #askedOfKept: number;
  /** Parent and outside know what was so far. */
  #notified: AnyMachineSnapshot | null = null;
  #cancellation: unknown;
  /** It is cancelled and its machine does not handle that, or a person has given it up. */
  #isCalledOff = false;
  #halt: Halt | undefined;
  /** The procedure whose answer could not be taken. */
  #unheard: { readonly of: readonly string[]; readonly id: string } | undefined;
  #isGivenUp = false;
  #unhandled: { readonly error: unknown } | undefined;
  #taken = 0;
  /** Timers that were due at once, taken directly one after the other. */
  #rounds = 0;
  #migrations: readonly Migrated[];
  /** Names of events in former definitions. */
  #aliases: Readonly<Record<string, string>>;
  /** How it was before the last migration, as long as it can go back to that. */
  #former: Former | undefined;

  /** Computes the first snapshot, and carries nothing out. */
  constructor({ definition, start, world, continued, watch }: Begun) {
    if (continued && continued.format > FORMAT_OF_KEPT) throw newer(continued.format);
    this.#world = world;
    this.#continued = continued;
    this.#watch = watch;
    this.#seen = new Set(continued?.seen);
    this.#migrations = continued?.migrations ?? [];
    this.#aliases = continued?.aliases ?? {};
    this.timers = new Timers(
      world,
      () => this.definition,
      (timer) => this.#push({ kind: 'timer', timer }),
    );
    this.calls = new Calls(world, {
      answered: (call, answer) => this.#push({ kind: 'answer', call, answer }),
      told: (call, event) => this.#push({ kind: 'childEvent', call, event }),
    });
    const actors = new ActorSystem(
      definition.machine,
      this.#effects(),
      continued
        ? {
            snapshot: continued.snapshot,
            ...{ sessions: continued.sessions ?? 0, entered: continued.entered ?? [] },
          }
        : { input: definition.input ? definition.input(start) : start },
      watch,
    );
    this.#program = { definition, start, actors };
    if (continued) this.#notified = this.snapshot;
    this.#kept = keptIn(continued);
    this.#askedOfKept = this.#kept.length;
    this.awaited = this.#awaits();
    // Before anybody can send it a message.
    for (const call of continued?.calls ?? []) {
      const owner = this.#actors.at(call.of ?? []);
      if (owner) this.calls.resume(owner, call);
    }
  }

  get definition(): Complete {
    return this.#program.definition;
  }

  get start(): ProcessStart {
    return this.#program.start;
  }

  get #actors(): ActorSystem {
    return this.#program.actors;
  }

  get snapshot(): AnyMachineSnapshot {
    return this.#actors.snapshot;
  }

  /** Whether its machine still takes steps. */
  get isOpen(): boolean {
    return this.snapshot.status === 'active' && !this.#isCalledOff && !this.#unhandled;
  }

  /** The step that failed. */
  get halt(): Halt | undefined {
    return this.#halt;
  }

  /** The migrations that it has been through, the latest last. */
  get migrations(): readonly Migrated[] {
    return this.#migrations;
  }

  /** What the world said when it was cancelled; undefined: it was not. */
  get cancellation(): unknown {
    return this.#cancellation;
  }

  /** It has ended with calls that may still run. */
  get isCalledOff(): boolean {
    return this.#isCalledOff;
  }

  /** How many entries it has taken. */
  get taken(): number {
    return this.#taken;
  }

  get isInboxEmpty(): boolean {
    return this.#inbox.isEmpty;
  }

  /** Its answer has come, and is not taken: the process is halted. */
  hasAnswerOf(call: OpenCall): boolean {
    return this.#inbox.entries.some((entry) => entry.kind === 'answer' && entry.call === call);
  }

  get areRepliesOpen(): boolean {
    return this.#replies.size > 0;
  }

  /** Whether there is something that it can take now: a halted process takes only a decision, a cancellation, and time. */
  get hasWork(): boolean {
    return this.#halt ? this.#inbox.hasForHalted() : !this.#inbox.isEmpty;
  }

  progress(asked: unknown = {}): unknown {
    const { definition, awaited, snapshot } = this;
    const isObject = typeof asked === 'object' && asked !== null;
    const progress = definition.progress(snapshot, this.#late, awaited, isObject ? asked : {});
    const migrations = this.#migrations;
    return migrations.length === 0 ? progress : { ...(progress as object), migrations };
  }

  position(): Position {
    const own = this.timers.open.filter(({ from, to }) => from === undefined && to === undefined);
    return positionOf(this.snapshot, own);
  }

  /** Carries out what the first step asks for, or takes up what the former run left. */
  begin(): void {
    if (!this.#continued) this.#orHalt(() => this.#actors.carryOutFirst());
    // There is no event yet that could be dropped.
    if (this.#halt) this.#giveUp();
    for (const timer of this.#continued?.timers ?? []) {
      const target = this.#actors.at(timer.to ?? timer.from ?? []);
      if (target) this.timers.armAgain(timer, target.ref);
    }
    this.#world.trace?.({ type: this.#continued ? 'continued' : 'start' }, true);
    this.#settle();
  }

  /** A message that nobody waits for. False: it is not an event of this process, and is dropped. */
  signal(type: string, payload: unknown): boolean {
    const message: MessageEvent = { type, payload };
    const event = this.#eventOf(message);
    if (event) this.#push({ kind: 'message', message, event });
    return event !== null;
  }

  /** Why the update is not possible now; undefined: it is. */
  updateRefusal(type: string, payload: unknown): Refusal | undefined {
    const event = this.#updateEvent({ type, payload });
    return 'code' in event ? event : this.#refusalNow(event.event);
  }

  /** Takes a message that waits for a reply. */
  update(type: string, payload: unknown, updateId: string, reply: Reply): void {
    const message: MessageEvent = { type, payload, updateId };
    const event = this.#updateEvent(message);
    if ('code' in event) {
      reply.refuse(event);
      return;
    }
    this.#replies.set(updateId, reply);
    this.#push({ kind: 'message', message, ...event });
  }

  extensionRefusal(payload: unknown): Refusal | undefined {
    const extension = this.#extension(payload);
    return 'code' in extension ? extension : undefined;
  }

  /** Moves a timer of the machine. */
  extend(payload: unknown, updateId: string, reply: Reply): void {
    const extension = this.#extension(payload);
    if ('code' in extension) {
      reply.refuse(extension);
      return;
    }
    this.#replies.set(updateId, reply);
    this.#push({ kind: 'extension', extension, updateId });
  }

  #extension(payload: unknown): TimerExtension | Refusal {
    const none = { code: NOT_POSSIBLE_NOW, message: 'the process has no timers that can be moved' };
    return this.definition.extension?.(payload, this.timers.open) ?? none;
  }

  /** Only a process that is not cancelled already takes a cancellation. */
  cancellationRefusal(): Refusal | undefined {
    if (this.#cancellation === undefined) return undefined;
    return { code: NOT_POSSIBLE_NOW, message: 'the process is cancelled already' };
  }

  decisionRefusal(decision: Decision): Refusal | undefined {
    if (!this.#halt)
      return { code: NOT_POSSIBLE_NOW, message: 'the process is not halted: no step has failed' };
    return decision === 'dropEvent' ? this.#dropRefusal() : undefined;
  }

  /** Nobody would bring an answer again, and no delay ends twice: nothing else may leave the state. */
  #dropRefusal(): Refusal | undefined {
    const [failed, ...behind] = this.#actors.root.waiting;
    if (!failed) return undefined;
    const { calls, timers } = this;
    const { actors, delays } = runningIn({ calls: calls.open, timers: timers.open, actors: this.#actors });
    const types = behind.map(({ type }) => type);
    // Where the answer of a procedure is dropped, the procedure begins again.
    const again = this.#unheard?.of.length === 0 ? [this.#unheard.id] : [];
    const toCome = { actors: new Set([...actors, ...again]), delays: new Set([...delays, ...types]) };
    const stranded = strandedWithout(failed.type, this.snapshot, toCome);
    if (!stranded) return undefined;
    const repair = this.definition.migrates
      ? 'correct the definition and let the process take the event again (migrate), or end it (giveUp)'
      : 'end the process (giveUp)';
    const actor = actorOf(failed.type);
    const delay = this.definition.delayNames(this.definition.machine).get(failed.type);
    const what = actor === undefined ? `the delay ${delay}` : `the answer of ${actor}`;
    const message = `nothing but ${what} leaves ${pathOf(stranded)}, and it does not come again: without it the process would wait there for ever; ${repair}`;
    return { code: NOT_POSSIBLE_NOW, message };
  }

  decide(decision: Decision, updateId: string, reply: Reply): void {
    this.#replies.set(updateId, reply);
    this.#push({ kind: 'decision', decision, updateId });
  }

  /** What would become of it; it changes nothing. */
  verdict(request: MigrationRequest): Verdict {
    const fingerprint = this.#fingerprint;
    const nothing = { notes: [], fingerprint };
    if (!this.isOpen) return { verdict: 'refused', obstacles: [hasEnded], ...nothing };
    if (this.#mayGoBack(request)) return { verdict: 'carried', obstacles: [], ...nothing };
    const { obstacles, notes, outcome } = this.#migration(request);
    const verdict = verdictOf(obstacles, request.wait === true);
    return { verdict, obstacles, notes, ...(outcome && { outcome }), fingerprint };
  }

  /** One that it has been through already is not refused: twice is once. */
  migrationRefusal(given: unknown, updateId: string): Refusal | undefined {
    if (this.#migrations.some(({ id }) => id === updateId)) return undefined;
    const problem = requestProblem(given);
    if (problem !== undefined) return { code: INVALID_MIGRATION, message: problem };
    const request = given as MigrationRequest;
    return this.#migrationRefusal(request, request.fingerprint);
  }

  /** Its definition is replaced, between two steps. */
  migrate(request: MigrationRequest, updateId: string, reply: Reply): void {
    this.#replies.set(updateId, reply);
    const accepted = request.fingerprint === undefined ? undefined : this.#fingerprint;
    this.#push({ kind: 'migration', request, updateId, accepted });
  }

  /** Its clock is moved. */
  pass(passing: Passing, reply?: Reply): void {
    if (reply && passing.updateId !== undefined) this.#replies.set(passing.updateId, reply);
    this.#push({ kind: 'time', ...passing });
  }

  /** @param failure what the world makes of it */
  cancel(failure: unknown): void {
    this.#push({ kind: 'cancellation', failure });
  }

  /** @returns how long it is to rest before its next turn, in milliseconds */
  turn(run = () => this.drain()): number {
    const { pace } = this.definition;
    const paced = () => {
      run();
      return this.isOpen ? this.#restMs : 0;
    };
    return pace ? pace.turn(paced) : paced();
  }

  get #restMs(): number {
    return this.definition.pace?.restMs ?? 0;
  }

  /**
   * Takes all that it can, until it must rest. The actions of an entry do not depend on the entries that come with it: if a query
   * arrives together with an event, the process takes that event in a separate step, although in its history both are one.
   */
  drain(mayRest = true): void {
    while (this.isOpen && !(mayRest && this.#restMs > 0)) {
      if (this.#askedOfKept < this.#kept.length && !this.#halt) {
        this.#askKept();
        continue;
      }
      const entry = this.#halt ? this.#inbox.takeForHalted() : this.#inbox.take();
      if (!entry) return;
      this.#taken += 1;
      if (entry.kind !== 'timer' || !isDueAtOnce(entry.timer)) this.#rounds = 0;
      if (entry.kind !== 'migration') this.#former = undefined;
      this.#do(() => this.#take(entry));
    }
  }

  #do(step: () => void): void {
    this.#orHalt(step);
    this.#askedOfKept = 0;
    if (this.#unhandled) this.#sendMessages();
    else this.#settle();
  }

  /** Whether the next of the events that wait is for the state in which the process is now. */
  #askKept(): void {
    const at = this.#askedOfKept;
    const [kept] = this.#kept.slice(at, at + 1);
    if (!kept) return;
    const isOver = kept.until <= this.#world.now();
    if (!isOver && !this.#isTakenNow(this.named(kept.event))) {
      this.#askedOfKept += 1;
      return;
    }
    this.#kept.splice(at, 1);
    if (!isOver) this.#do(() => this.#step(this.named(kept.event)));
  }

  /** Also if a guard fails: the process halts at such an event. */
  #isTakenNow(event: EventObject): boolean {
    try {
      return this.snapshot.can(event);
    } catch {
      return true;
    }
  }

  /** Empties the inbox after the end: accepted messages are not lost, although the machine takes no more steps. */
  close(): void {
    for (let entry = this.#inbox.take(); entry; entry = this.#inbox.take())
      if (entry.kind === 'message' && entry.message.updateId === undefined) this.#keepLate(entry.message);
    const refusal = {
      code: NOT_POSSIBLE_NOW,
      message: `${this.start.flow} ${this.start.workflowId} has ended`,
    };
    for (const updateId of [...this.#replies.keys()]) this.#refuse(updateId, refusal);
  }

  get closing(): Closing {
    const { definition, snapshot } = this;
    if (this.#unhandled) return { kind: 'unhandled', ...this.#unhandled };
    if (this.#isGivenUp && this.#halt)
      return { kind: 'failed', ...this.#halt, details: [this.#halt.details ?? null] };
    if (this.#isCalledOff) return { kind: 'cancelled' };
    const isCancelled = this.#cancellation !== undefined;
    return definition.ending ? definition.ending(snapshot, isCancelled) : snapshot.output;
  }

  /** A process in another world that stands where this one stands. It has no part in common with this one. */
  copyIn(world: World): Process {
    const { definition, start, carried: continued } = this;
    const copy = new Process({ definition, start, world, continued });
    copy.begin();
    copy.#cancellation = this.#cancellation;
    copy.#halt = this.#halt;
    copy.#unheard = this.#unheard;
    copy.#actors.root.waiting.push(...this.#actors.root.waiting);
    for (const entry of this.#inbox.entries) {
      const same = copy.#entryLike(entry);
      if (same) copy.#inbox.push(same);
    }
    return copy;
  }

  /** For an entry of the process that this one is a copy of. */
  #entryLike(entry: Entry): Entry | undefined {
    if (entry.kind === 'timer') {
      const timer = this.timers.like(entry.timer);
      return timer && { ...entry, timer };
    }
    if (entry.kind !== 'answer' && entry.kind !== 'childEvent') return entry;
    const call = this.calls.like(entry.call);
    return call && { ...entry, call };
  }

  /** For a run that continues this one. */
  get carried(): Continued {
    const carries = this.definition.carries?.();
    return {
      format: this.#format,
      version: this.start.version,
      snapshot: this.definition.machine.getPersistedSnapshot(this.snapshot),
      timers: this.timers.open,
      entered: this.#actors.entered,
      calls: this.calls.carried,
      sessions: this.#actors.sessions,
      ...(carries !== undefined && { carries }),
      ...(this.#seen.size > 0 && { seen: [...this.#seen] }),
      ...(this.#kept.length > 0 && { kept: this.#kept }),
      ...(this.#migrations.length > 0 && { migrations: this.#migrations }),
      ...(Object.keys(this.#aliases).length > 0 && { aliases: this.#aliases }),
    };
  }

  get #format(): number {
    if (this.#kept.length > 0) return FORMAT_OF_KEPT;
    return this.#migrations.length > 0 ? FORMAT_OF_MIGRATED : FORMAT_OF_CARRIED;
  }

  #awaits(): Awaited {
    const { timers, calls } = this;
    const haltOf = () => this.#halt;
    const isOpenNow = () => this.isOpen;
    const keptNow = () => this.#kept;
    return {
      get kept() {
        return keptNow().map(({ event, until }) => ({
          ...{ type: event.type, until: new Date(until).toISOString() },
        }));
      },
      get timers() {
        return timers.open
          .map(({ summary, dueAt }) => ({ timer: summary, until: new Date(dueAt).toISOString() }))
          .sort((one, other) => one.until.localeCompare(other.until));
      },
      get timersById() {
        return timers.open
          .map(({ id, summary, armedAt, dueAt }) => ({
            ...{ id, timer: summary },
            since: new Date(armedAt).toISOString(),
            until: new Date(dueAt).toISOString(),
          }))
          .sort((one, other) => one.until.localeCompare(other.until));
      },
      get calls() {
        return calls.open.map(({ type }) => type);
      },
      get open() {
        return calls.view;
      },
      get isOpen() {
        return isOpenNow();
      },
      get halted() {
        return haltOf();
      },
    };
  }

  #push(entry: Entry): void {
    this.#inbox.push(entry);
    this.#world.wake?.(entry.kind === 'cancellation');
  }

  #settle(): void {
    const { definition, start, snapshot, awaited } = this;
    const before = this.#notified;
    if (definition.parentEvents && this.#world.isParentListening)
      for (const event of definition.parentEvents(before, snapshot, awaited))
        this.#world.send({ to: 'parent', event, version: start.version });
    for (const event of definition.notifications?.(before, snapshot) ?? [])
      this.#world.send({ to: 'outside', event, version: start.version });
    this.#sendMessages();
    this.#notified = snapshot;
    this.#world.settle?.();
  }

  #sendMessages(): void {
    const { definition, snapshot, isOpen } = this;
    if (this.#world.isCopy) return;
    for (const message of definition.messages?.(snapshot, isOpen) ?? []) this.#handOver(message);
  }

  /** The event of a step that throws stays the next one of the actors. */
  #orHalt(step: () => void): void {
    try {
      step();
    } catch (error) {
      const halt = this.definition.halts?.(error);
      if (!halt) throw error;
      const event = this.#actors.root.waiting[0] ?? { type: '' };
      this.#halt = { ...halt, event: event.type };
      this.#world.trace?.(event, false);
    }
  }

  /** A stale timer or answer does not count, and neither does an update that has become impossible meanwhile. */
  #take(entry: Entry): void {
    switch (entry.kind) {
      case 'message':
        this.#takeMessage(entry);
        return;
      case 'timer':
        if (this.timers.take(entry.timer)) this.#takeTimer(entry.timer);
        return;
      case 'answer': {
        const { call, answer } = entry;
        const event = eventOfAnswer(call, answer);
        if (!this.calls.take(call)) return;
        this.#unheard = call.kind === 'procedure' ? { of: call.owner.path, id: call.actor.id } : undefined;
        this.#step(event, () => this.#actors.deliver(call.owner, event));
        this.#unheard = undefined;
        return;
      }
      case 'childEvent': {
        const { call } = entry;
        const event = this.named({ ...entry.event, type: `${call.actor.id}.${entry.event.type}` });
        if (this.calls.has(call)) this.#step(event, () => this.#actors.deliver(call.owner, event));
        return;
      }
      case 'decision':
        this.#takeDecision(entry.decision, entry.updateId);
        return;
      case 'extension':
        this.timers.move(entry.extension);
        this.#answer(entry.updateId, this.progress());
        return;
      case 'migration':
        this.#takeMigration(entry);
        return;
      case 'time':
        for (const _ of entry.ring()) this.drain(false);
        if (entry.updateId !== undefined) this.#answer(entry.updateId, entry.answer?.());
        return;
      case 'cancellation':
        this.#takeCancellation(entry.failure);
    }
  }

  #takeTimer(timer: Timer): void {
    const { target, event, delay } = timer;
    const { root } = this.#actors;
    const isAtOnce = isDueAtOnce(timer) && target === root.ref;
    const halt = isAtOnce ? this.definition.haltsAround?.(this.#rounds, delay.name) : undefined;
    if (!halt) {
      if (isAtOnce) this.#rounds += 1;
      this.#step(event, () => this.#actors.send(target, event));
      return;
    }
    // The event stays, as that of a step that fails.
    this.#rounds = 0;
    root.waiting.push(event);
    this.#halt = { ...halt, event: event.type };
    this.#world.trace?.(event, false);
  }

  #step(event: EventObject, take = () => this.#actors.deliver(this.#actors.root, event)): void {
    take();
    this.#world.trace?.(event, true);
  }

  #takeMessage({ event: given, message, update }: Extract<Entry, { kind: 'message' }>): void {
    const { updateId } = message;
    const event = this.named(given);
    if (this.#isRepeated(this.definition.keyOf?.(message))) return;
    const refusal = updateId === undefined ? undefined : this.#refusalNow(event);
    if (refusal && updateId !== undefined) {
      this.#refuse(updateId, refusal);
      return;
    }
    const keptFor = updateId === undefined ? this.definition.keepsFor?.(message) : undefined;
    if (keptFor !== undefined && !this.#isTakenNow(event)) {
      this.#kept.push({ event: given, until: this.#world.now() + keptFor });
      return;
    }
    this.#step(event);
    if (update && updateId !== undefined) this.#answer(updateId, this.progress());
  }

  #isRepeated(key: string | undefined): boolean {
    if (key === undefined) return false;
    if (this.#seen.has(key)) return true;
    this.#seen.add(key);
    const [oldest] = this.#seen;
    if (this.#seen.size > KEPT_KEYS && oldest !== undefined) this.#seen.delete(oldest);
    return false;
  }

  #takeDecision(decision: Decision, updateId: string): void {
    if (this.#halt && decision === 'giveUp') this.#giveUp();
    else if (this.#halt) {
      this.#halt = undefined;
      this.#beginAgain();
      this.#orHalt(() => this.#actors.dropFailed());
      this.#world.trace?.({ type: decision }, false);
    }
    this.#answer(updateId, this.progress());
  }

  #giveUp(): void {
    this.calls.requestCancellation();
    this.#isGivenUp = true;
    this.#isCalledOff = true;
  }

  /** Without its answer: nobody else would bring another one, and its state would wait for ever. */
  #beginAgain(): void {
    const { of = [], id = '' } = this.#unheard ?? {};
    const owner = this.#unheard && this.#actors.at(of);
    this.#unheard = undefined;
    if (owner) this.calls.beginAgain(owner, id);
  }

  #takeCancellation(failure: unknown): void {
    const event = { type: CANCEL_REQUESTED };
    this.#cancellation = failure;
    // Not by a wildcard, which is for events that the author does not know.
    this.#isCalledOff =
      !this.definition.machine.events.includes(CANCEL_REQUESTED) || !this.snapshot.can(event);
    const isHalted = this.#halt !== undefined && !this.#isCalledOff;
    if (isHalted) this.#beginAgain();
    this.calls.requestCancellation();
    if (this.#isCalledOff) return;
    this.#halt = undefined;
    this.#actors.requestCancellation();
    // A halted process takes it in place of the event that it cannot take, and before those that wait behind that one.
    this.#step(event, isHalted ? () => this.#actors.replaceFailed(event) : undefined);
  }

  #eventOf(message: MessageEvent): EventObject | null {
    return this.definition.event ? this.definition.event(message) : message;
  }

  #updateEvent(
    message: MessageEvent,
  ): Refusal | { readonly event: EventObject; readonly update?: AnsweredUpdate } {
    const update = ownOf(this.definition.updates, message.type);
    if (typeof update !== 'object') return { event: this.#eventOf(message) ?? message };
    try {
      return { event: update.event(message.payload), update };
    } catch (error) {
      return { code: INVALID_EVENT, message: (error as Error).message };
    }
  }

  #refusalNow(event: EventObject): Refusal | undefined {
    const { definition, snapshot } = this;
    if (snapshot.can(this.named(event))) return undefined;
    return { code: NOT_POSSIBLE_NOW, message: definition.refusal(snapshot, event as MessageEvent) };
  }

  /** An event that had another name before a migration, or has it in an earlier version. */
  named(event: EventObject): EventObject {
    const type = ownOf(this.#aliases, event.type) ?? ownOf(this.definition.aliases, event.type);
    return type === undefined ? event : { ...event, type };
  }

  get #fingerprint(): string {
    const { snapshot, timers, entered, calls } = this.carried;
    const of = calls?.map(({ id }) => id);
    return fingerprintOf([this.start.version, snapshot, timers, entered, of, this.#halt]);
  }

  #targetOf(request: MigrationRequest): MigrationTarget {
    const { migrates } = this.definition;
    if (!migrates) throw new TypeError('the definition of this process cannot be replaced');
    return migrates(request, this.snapshot);
  }

  #migration(request: MigrationRequest, watch?: Watch): Migration {
    const { definition, timers, calls } = this;
    const target = this.#targetOf(request);
    const standing = { definition, actors: this.#actors, timers: timers.open, calls: calls.open };
    return new Migration(
      { ...standing, world: this.#world, effects: this.#effects() },
      { ...target, definition: complete(target.definition) },
      watch,
    );
  }

  /**
   * @param fingerprint where the process should be, if somebody has looked. Once it has accepted the request, that is its own of that
   *   moment: in a replay the times in it may be others, because Temporal gives the end of a local activity another time there if the
   *   activity ended with a heartbeat of its workflow task.
   */
  #migrationRefusal(
    request: MigrationRequest,
    fingerprint: string | undefined,
    isAccepted = false,
  ): Refusal | undefined {
    if (fingerprint !== undefined && fingerprint !== this.#fingerprint)
      return { code: MOVED_MEANWHILE, message: 'the process has gone on since it was asked: ask it again' };
    let verdict: Verdict;
    try {
      verdict = this.verdict(request);
    } catch (error) {
      // It was accepted where the worker had that version: the process waits for one that has it.
      if (isAccepted && error instanceof VersionMissing) throw error;
      return { code: INVALID_MIGRATION, message: (error as Error).message };
    }
    if (verdict.obstacles.length === 0) return undefined;
    const reasons = verdict.obstacles.map(({ reason, remedy }) => `${reason}; ${remedy}`);
    return { code: MIGRATION_REFUSED, message: reasons.join('. '), details: verdict };
  }

  /** Computed anew: something may have happened since the update was accepted. */
  #takeMigration({ request, updateId, accepted }: Extract<Entry, { kind: 'migration' }>): void {
    const known = this.#migrations.find(({ id }) => id === updateId);
    const refusal = known ? undefined : this.#migrationRefusal(request, accepted, true);
    if (known) this.#answer(updateId, known);
    else if (refusal) this.#refuse(updateId, refusal);
    if (known || refusal) return;
    const from = this.start.version;
    const waiting = [...this.#actors.root.waiting];
    const [again, notes] = this.#mayGoBack(request) ? this.#goBack(waiting) : this.#goOver(request, waiting);
    const { by, why, back } = request;
    const migrated: Migrated = {
      ...{ id: updateId, from, to: this.start.version, by, why },
      at: new Date(this.#world.now()).toISOString(),
      ...(notes.length > 0 && { notes }),
      ...(back === true && { back }),
    };
    this.#migrations = [...this.#migrations, migrated].slice(-KEPT_MIGRATIONS);
    this.#halt = undefined;
    this.#world.migrated?.();
    this.#world.trace?.({ type: MIGRATION }, true);
    this.#answer(updateId, migrated);
    // After the answer: if the step fails again, the process is halted again, but in its new definition.
    if (again.length > 0) this.#orHalt(() => this.#actors.takeAgain(again));
  }

  /** @returns the events that are to be taken again, and what else there is to say */
  #goOver(request: MigrationRequest, waiting: readonly EventObject[]): [EventObject[], readonly string[]] {
    const seen: Parameters<Watch>[0][] = [];
    let watch: Watch = (taken) => void seen.push(taken);
    const migration = this.#migration(request, (taken) => watch(taken));
    const { target, actors, isSilent, outcome } = migration;
    const former: Former = {
      program: this.#program,
      timers: this.timers.former(),
      calls: new Map(
        this.calls.open.map((call) => [
          call,
          { owner: call.owner, actor: call.actor, input: inputOf(call.actor) },
        ]),
      ),
      aliases: this.#aliases,
    };
    const isUnnoticed = isSilent && outcome?.ended.length === 0 && !this.#halt;
    this.#former = isUnnoticed ? former : undefined;
    this.timers.rebind((timer) => migration.timer(timer));
    this.calls.rebind((call) => migration.call(call));
    const start = { ...this.start, version: target.version };
    this.#program = { definition: target.definition, start, actors };
    const known = new Set(messagesOf(target.definition.machine));
    const { events = {} } = target.plan;
    const aliases = Object.entries({ ...this.#aliases, ...events }).map(
      ([old, now]) => [old, events[now] ?? now] as const,
    );
    this.#aliases = Object.fromEntries(aliases.filter(([old, now]) => !known.has(old) && old !== now));
    for (const timer of migration.armed) this.timers.armAgain(timer, actors.root.ref);
    for (const taken of seen) {
      const own = taken.filter(({ eventType }) => eventType !== MIGRATION);
      if (own.length > 0) this.#watch?.(own);
    }
    watch = this.#watch ?? (() => undefined);
    actors.carryOutFirst();
    return [waiting.flatMap((event) => migration.kept(event) ?? []), migration.notes];
  }

  /** To the definition that it had before, and to no other: else it would never be where it is asked to go. */
  #mayGoBack(request: MigrationRequest): boolean {
    const former = this.#former;
    if (!request.back || former === undefined || this.#halt) return false;
    return this.#targetOf(request).version === former.program.start.version;
  }

  #goBack(waiting: readonly EventObject[]): [EventObject[], readonly string[]] {
    const former = this.#former as Former;
    this.#program = former.program;
    this.timers.restore(former.timers);
    this.calls.rebind((call) => former.calls.get(call));
    this.#aliases = former.aliases;
    this.#former = undefined;
    return [[...waiting], []];
  }

  #answer(updateId: string, value: unknown): void {
    this.#replies.get(updateId)?.answer(value);
    this.#replies.delete(updateId);
  }

  #refuse(updateId: string, { code, message, details }: Refusal): void {
    this.#replies.get(updateId)?.refuse({ code, message, ...(details !== undefined && { details }) });
    this.#replies.delete(updateId);
  }

  #keepLate(message: MessageEvent): void {
    if (this.definition.isOurs(this.snapshot, message)) this.#late.push(message.payload);
    else this.#handOver(message.payload);
  }

  #handOver(message: unknown): void {
    if (!this.definition.handOver)
      throw new TypeError('the message belongs to another process, but the definition has no handOver');
    this.#world.send({ to: 'others', message });
  }

  #effects(): Effects {
    const world = this.#world;
    return {
      now: () => world.now(),
      timers: this.timers,
      calls: this.calls,
      emitted: (event) => this.#emitted(event as Emitted),
      log: (value, label = 'log') => world.log?.(label, { value }),
      perform: (action) => this.#perform(action),
      failed: (error) => {
        this.#unhandled = { error };
      },
    };
  }

  #emitted(event: Emitted): void {
    switch (event.type) {
      case 'answer':
        this.#answer(event.updateId, event.value);
        return;
      case 'refusal':
        this.#refuse(event.updateId, event);
        return;
      case 'notOurs':
        this.#handOver(event.payload);
        return;
      case 'toParent':
        if (this.#world.isParentListening)
          this.#world.send({ to: 'parent', event: event.event, version: this.start.version });
        return;
      case 'again': {
        const { message } = event;
        this.#push({ kind: 'message', message, event: this.#eventOf(message) ?? message });
        return;
      }
      default:
        if ((event as EventObject).type === this.definition.outbox?.type)
          this.#world.send({ to: 'outside', event, version: this.start.version });
    }
  }

  #perform({ type, exec, info, params }: Action): void {
    const call = activityOfAction(exec);
    if (call) this.#world.send({ to: 'activity', call, input: params ?? info.event });
    else if (exec) exec(info, params);
    else throw new TypeError(`the action ${type} has no implementation`);
  }
}

// A moment that is past may wait for the least time that there is.
const isDueAtOnce = ({ dueAt, armedAt }: Timer): boolean => dueAt - armedAt <= 1;

const keptIn = (continued: Continued | undefined): KeptEvent[] => [...(continued?.kept ?? [])];

const hasEnded: Obstacle = {
  ...{ code: 'Ended', at: '' },
  reason: 'the process has ended, or is ending',
  remedy: 'leave it as it is',
};

/** What is wrong with the form of a request; what it goes over to is the definition's to check. */
function requestProblem(given: unknown): string | undefined {
  const { semantics, by, why, to, back } = (given ?? {}) as Partial<Record<keyof MigrationRequest, unknown>>;
  if (semantics !== 1) return 'expected semantics: 1';
  if (typeof by !== 'string' || by === '') return 'expected by, the name of who migrates the process';
  if (typeof why !== 'string' || why === '') return 'expected why, the reason in a few words';
  if (to === undefined && back !== true) return 'expected to, the definition that the process is to have';
  return undefined;
}

/** No failure of Temporal's: the task fails, and the process waits. */
const newer = (format: number): Error =>
  new Error(
    `the former run has left data of format ${format}, expected at most ${FORMAT_OF_KEPT}; deploy a worker that is as new as the one that wrote it`,
  );
