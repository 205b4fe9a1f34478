// One process, on any host. It takes what comes into its inbox in one order, steps its machine with each entry, and says what
// leaves. It is synchronous and knows no clock but that of its host. A step that throws halts it until a person decides. A
// cancellation is an event of the chart, if the chart knows it.

import type { AnyMachineSnapshot, EventObject } from 'xstate';
import type { OutreachKind } from '../contract/flows/outreach.ts';
import { actPatchOf, isOfSomebody } from './acted.ts';
import { type ChartView, chartView, type Position, positionOf } from './chart/chart-view.ts';
import { CANCEL_REQUESTED } from './chart/messages.ts';
import { actionsOf, notPossible, type Refusal } from './commands.ts';
import type { Continued } from './continued.ts';
import type { Closing } from './definition/definition.ts';
import type { MessageEvent } from './definition/message-rules.ts';
import type { MigrationRequest } from './definition/migration-request.ts';
import type { PendingWork } from './definition/views.ts';
import { emitted, handOver, notify } from './effects.ts';
import type { Host } from './host.ts';
import type { ClockAdvance, Decision, Entry, Reply } from './inbox.ts';
import { dropProblem } from './migration/reachability.ts';
import { noteCommand, noteIn, noteProblem } from './note.ts';
import { type OutreachFields, outreachFieldsIn, outreachProblem } from './outreach.ts';
import { eventOfAnswer, iso, type OpenCall } from './pending.ts';
import { type ProcessOptions, ProcessState } from './process-state.ts';
import { pendingWorkOf } from './process-view.ts';
import { MIGRATION_EVENT } from './stepper.ts';

type EntryOf<Kind extends Entry['kind']> = Extract<Entry, { readonly kind: Kind }>;

/** The update that moves a deadline: of an inline actor that accepts it, or else a timer of the chart. */
const EXTEND_DEADLINE = 'extendDeadline';

export class Process extends ProcessState {
  /** What the former run left. */
  readonly #continued: Continued | undefined;
  /** Parent and outside know what was so far. */
  #notified: AnyMachineSnapshot | null;
  #isGivenUp = false;
  /** How many entries it has taken; a note changes nothing. */
  taken = 0;

  constructor(options: ProcessOptions) {
    super(options);
    this.#continued = options.continued;
    this.#notified = options.continued ? this.snapshot : null;
  }

  /** Computed only on request. */
  get pending(): PendingWork {
    return pendingWorkOf(this);
  }

  /** Its answer has come, and is not taken: the process is halted. */
  hasAnswerOf(call: OpenCall): boolean {
    return this.inbox.entries.some((entry) => entry.kind === 'answer' && entry.call === call);
  }

  /** Whether there is something that it can take now: a halted process takes only a decision, a cancellation, and time. */
  get hasWork(): boolean {
    return this.halt
      ? this.inbox.hasForHalted((entry) => this.actorMessages.isForIndependent(entry))
      : !this.inbox.isEmpty;
  }

  progress(asked: unknown = {}): unknown {
    const { definition, pending, snapshot } = this;
    const isObject = typeof asked === 'object' && asked !== null;
    const progress = definition.views.progress(snapshot, this.late, pending, isObject ? asked : {});
    const { note } = this;
    const migrations = this.migrations.done;
    return { ...(progress as object), ...(migrations.length > 0 && { migrations }), ...(note && { note }) };
  }

  /** The answer to the query `actions`. */
  actions(asked: unknown): object {
    return actionsOf(this, () => [...(this.definition.commands?.(this) ?? []), noteCommand(this)], asked);
  }

  chartView(): ChartView {
    const view = chartView(this.definition.machine);
    return this.definition.views.chart?.(view) ?? view;
  }

  position(): Position {
    const { definition, snapshot, timers, chart } = this;
    const position = positionOf(snapshot, timers.open);
    return definition.views.position?.(position, chart.actors.view) ?? position;
  }

  /** Carries out what the first step asks for, or takes up what the former run left. */
  begin(): void {
    if (!this.#continued) this.halting.attempt(() => this.chart.carryOutFirst());
    // There is no event yet that could be dropped.
    if (this.halt) this.#giveUp();
    for (const timer of this.#continued?.timers ?? []) this.timers.armAgain(timer);
    this.host.trace?.({ type: this.#continued ? 'continued' : 'start' }, true);
    this.#settle();
  }

  /** A message that nobody waits for. False: it is not an event of this process, and is dropped. */
  signal(type: string, payload: unknown): boolean {
    const message: MessageEvent = { type, payload };
    const event = this.messages.eventOf(message);
    if (event) this.push({ kind: 'message', message, event });
    return event !== null;
  }

  /** Why the update is not possible now; undefined: it is. */
  updateRefusal(type: string, payload: unknown): Refusal | undefined {
    const message: MessageEvent = { type, payload };
    if (this.actorMessages.areOf(message)) return this.actorMessages.refusalOf(message);
    if (type === EXTEND_DEADLINE) return this.#extensionRefusal(message);
    return this.messages.refusalOf(this.messages.eventOf(message) ?? message);
  }

  /** Takes a message that waits for a reply. */
  update(type: string, payload: unknown, updateId: string, reply: Reply): void {
    this.replies.add(updateId, reply);
    if (type === EXTEND_DEADLINE) this.push({ kind: 'extension', payload, updateId });
    else this.pushMessage({ type, payload, updateId });
  }

  #extensionRefusal(message: MessageEvent): Refusal | undefined {
    if (this.actorMessages.isForAny(message)) return this.actorMessages.refusalOf(message);
    const extension = this.messages.extension(message.payload);
    return 'code' in extension ? extension : undefined;
  }

  /** Only a process that is not cancelled already takes a cancellation. */
  cancellationRefusal(): Refusal | undefined {
    return this.cancellation === undefined ? undefined : notPossible('the process is cancelled already');
  }

  noteRefusal(given: unknown): Refusal | undefined {
    return noteProblem(this.isOpen, given);
  }

  /** It takes no step: there is nothing to wait for. */
  addNote(given: unknown): void {
    this.note = { ...noteIn(given), at: iso(this.host.now()) };
    this.push({ kind: 'note' });
  }

  outreachRefusal(kind: OutreachKind, given: unknown): Refusal | undefined {
    return outreachProblem(kind, this.isOpen, given);
  }

  /** Somebody sends it outside; it takes no step. The reply waits until its delivery has begun. */
  takeOutreach(kind: OutreachKind, given: unknown, updateId: string, reply: Reply): OutreachFields {
    this.replies.add(updateId, reply);
    this.push({ kind: 'note' });
    return { kind, fields: outreachFieldsIn(kind, given) };
  }

  decisionRefusal(decision: Decision): Refusal | undefined {
    if (!this.halt) return notPossible('the process is not halted: no step has failed');
    if (this.#isGivenUp) return notPossible('the process is given up already, and cleans up');
    const problem = decision === 'dropEvent' ? dropProblem(this) : undefined;
    return problem === undefined ? undefined : notPossible(problem);
  }

  decide(decision: Decision, updateId: string, reply: Reply): void {
    this.replies.add(updateId, reply);
    this.push({ kind: 'decision', decision, updateId, halt: this.halt });
  }

  /** Its definition is replaced, between two steps. */
  migrate(request: MigrationRequest, updateId: string, reply: Reply): void {
    this.replies.add(updateId, reply);
    this.push({ kind: 'migration', request, updateId });
  }

  /** Its clock is moved. */
  advanceClock(advance: ClockAdvance, reply?: Reply): void {
    if (reply && advance.updateId !== undefined) this.replies.add(advance.updateId, reply);
    this.push({ kind: 'time', ...advance });
  }

  /** @param failure what the host makes of it */
  cancel(failure: unknown): void {
    this.push({ kind: 'cancellation', failure });
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
      if (this.postponed.areToBeAsked && !this.halt) {
        this.#askPostponed();
        continue;
      }
      const entry = this.halt
        ? this.inbox.takeForHalted((each) => this.actorMessages.isForIndependent(each))
        : this.inbox.take();
      if (!entry) return;
      if (entry.kind !== 'note') {
        this.taken += 1;
        this.halting.countRound(entry);
        if (entry.kind !== 'migration') this.migrations.forgetFormer();
      }
      this.#do(() => this.#take(entry));
    }
  }

  #do(step: () => void): void {
    this.halting.attempt(step);
    this.postponed.askAgain();
    if (this.unhandled) this.#sendMessages();
    else this.#settle();
  }

  #askPostponed(): void {
    const event = this.postponed.next(this.host.now(), (each) => this.messages.isTakenNow(each));
    if (event) this.#do(() => this.#step(this.named(event)));
  }

  /** Empties the inbox after the end: accepted messages are not lost, although the machine takes no more steps. */
  close(): void {
    for (let entry = this.inbox.take(); entry; entry = this.inbox.take())
      if (entry.kind === 'message' && entry.message.updateId === undefined) this.#keepLate(entry.message);
    this.replies.refuseAll(notPossible(`${this.start.flow} ${this.start.workflowId} has ended`));
  }

  get closing(): Closing {
    const { definition, snapshot, halt } = this;
    if (this.unhandled) return { kind: 'unhandled', ...this.unhandled };
    if (this.#isGivenUp && halt) return { kind: 'failed', ...halt, details: [halt.details ?? null] };
    if (this.isCalledOff) return { kind: 'cancelled' };
    const isCancelled = this.cancellation !== undefined;
    const { view } = this.chart.actors;
    return definition.ending ? definition.ending(snapshot, isCancelled, view) : snapshot.output;
  }

  /** A process on another host that stands where this one stands. It has no part in common with this one. */
  copyIn(host: Host): Process {
    const { definition, start, carried: continued } = this;
    const copy = new Process({ definition, start, host, continued });
    copy.begin();
    copy.cancellation = this.cancellation;
    copy.isCalledOff = this.isCalledOff;
    copy.#isGivenUp = this.#isGivenUp;
    copy.halting.takeOver(this.halting);
    copy.chart.waiting.push(...this.chart.waiting);
    for (const entry of this.inbox.entries) {
      const same = copy.#entryLike(entry);
      if (same) copy.inbox.push(same);
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

  #settle(): void {
    notify(this.#notified, this);
    this.#sendMessages();
    this.#notified = this.snapshot;
    this.host.settle?.();
  }

  #sendMessages(): void {
    const { definition, snapshot, isOpen } = this;
    if (this.host.isCopy) return;
    for (const message of definition.outgoing?.toOthers?.(snapshot, isOpen) ?? []) handOver(message, this);
  }

  /** A stale timer or answer does not count, and neither does an update that has become impossible meanwhile. */
  #take(entry: Entry): void {
    // In the order of the entries, as all that a process asks of Temporal.
    if (isOfSomebody(entry)) this.host.acted?.(actPatchOf(entry));
    switch (entry.kind) {
      case 'message':
        this.#takeMessage(entry);
        return;
      case 'timer':
        if (this.timers.take(entry.timer) && !this.halting.haltsAround(entry.timer)) {
          const { of, event } = entry.timer;
          this.#step(event, () => this.chart.deliverTo(of, event));
        }
        return;
      case 'answer': {
        const { call, answer } = entry;
        const event = eventOfAnswer(call, answer);
        if (!this.calls.take(call)) return;
        this.halting.expectAnswerOf(call);
        this.#step(event, () => this.chart.deliverTo(call.of, event));
        return;
      }
      case 'childEvent': {
        const { call } = entry;
        if (!this.calls.has(call)) return;
        const event = this.#eventOfChild(call, {
          ...entry.event,
          type: `${call.id}.${entry.event.type}`,
        });
        if (event) this.#step(event, () => this.chart.deliverTo(call.of, event));
        return;
      }
      case 'decision':
        this.#takeDecision(entry);
        return;
      case 'extension':
        this.#takeExtension(entry);
        return;
      case 'migration':
        this.#takeMigration(entry);
        return;
      case 'time':
        for (const _ of entry.ring()) this.drain(false);
        if (entry.updateId !== undefined) this.replies.answer(entry.updateId, entry.answer?.());
        return;
      case 'note':
        return;
      case 'cancellation':
        this.#takeCancellation(entry.failure);
    }
  }

  #eventOfChild(call: OpenCall, event: EventObject): EventObject | null {
    const named = this.named(event);
    const { messages } = this.definition;
    if (call.kind !== 'childWorkflow' || !messages.ofChild) return named;
    const taken = messages.ofChild(named, call);
    if (!('putAside' in taken)) return taken;
    emitted({ type: 'putAside', event: taken.putAside as EventObject }, this);
    return null;
  }

  #step(event: EventObject, take = () => this.chart.deliver(event)): void {
    take();
    this.host.trace?.(event, true);
  }

  #takeMessage({ event: given, message }: EntryOf<'message'>): void {
    if (this.actorMessages.areOf(message)) {
      this.#takeForActors(message);
      return;
    }
    const { updateId } = message;
    const event = this.named(given);
    if (this.messages.isRepeated(message)) {
      if (updateId !== undefined) this.replies.answer(updateId, this.progress());
      return;
    }
    const refusal = updateId === undefined ? undefined : this.messages.refusalOf(event);
    if (refusal && updateId !== undefined) {
      this.replies.refuse(updateId, refusal);
      return;
    }
    this.messages.remember(message);
    const keptFor = updateId === undefined ? this.definition.messages.keepsFor?.(message) : undefined;
    if (keptFor !== undefined && !this.messages.isTakenNow(given)) {
      this.postponed.add(given, this.host.now() + keptFor);
      return;
    }
    this.#step(event);
  }

  #takeForActors(message: MessageEvent): void {
    this.actorMessages.take(message, (take) => this.#step(message, take));
  }

  #takeExtension({ payload, updateId }: EntryOf<'extension'>): void {
    const message = { type: EXTEND_DEADLINE, payload, updateId };
    if (this.actorMessages.isForAny(message)) {
      this.#takeForActors(message);
      return;
    }
    const extension = this.messages.extension(payload);
    if ('code' in extension) {
      this.replies.refuse(updateId, extension);
      return;
    }
    const from = this.timers.move(extension);
    this.replies.answer(updateId, { from: iso(from), until: iso(extension.dueAt), isAhead: false });
    const event = this.definition.extension?.event?.(extension);
    // Not by a wildcard, as a cancellation.
    if (event && this.definition.machine.events.includes(event.type)) this.#step(event);
  }

  #takeDecision({ decision, updateId, halt }: EntryOf<'decision'>): void {
    // An earlier decision may have led to another halt, of which nobody knew.
    const refusal =
      halt && halt !== this.halt
        ? notPossible(
            'the process is no longer halted at that event: somebody has decided about it meanwhile',
          )
        : this.decisionRefusal(decision);
    if (refusal) {
      this.replies.refuse(updateId, refusal);
      return;
    }
    if (decision === 'giveUp') this.#giveUp();
    else {
      this.halting.release();
      this.halting.attempt(() => this.chart.dropFailed());
      this.host.trace?.({ type: decision }, false);
    }
    this.replies.answer(updateId, this.progress());
  }

  #giveUp(): void {
    this.#isGivenUp = true;
    this.isCalledOff = true;
    this.calls.requestCancellation();
    if (this.chart.actors.haveToCleanUp) this.chart.actors.requestCancellation();
  }

  #takeCancellation(failure: unknown): void {
    const event = { type: CANCEL_REQUESTED };
    this.cancellation = failure;
    this.definition.stepping?.({ isCancelled: true });
    // Not by a wildcard, which is for events that the author does not know.
    this.isCalledOff ||=
      !this.definition.machine.events.includes(CANCEL_REQUESTED) || !this.messages.isTakenNow(event);
    const isHalted = this.halt !== undefined && !this.isCalledOff;
    if (isHalted) this.halting.release();
    this.calls.requestCancellation();
    if (!this.isCalledOff || this.chart.actors.haveToCleanUp) this.chart.actors.requestCancellation();
    if (this.isCalledOff) return;
    // A halted process takes it in place of the event that it cannot take, and before those that wait behind that one.
    this.#step(event, isHalted ? () => this.chart.replaceFailed(event) : undefined);
  }

  /** Computed anew: something may have happened since the update was accepted. */
  #takeMigration({ request, updateId }: EntryOf<'migration'>): void {
    const migrated = this.migrations.take(request, updateId);
    if ('code' in migrated) {
      this.replies.refuse(updateId, migrated);
      return;
    }
    const { again, record } = migrated;
    if (again) {
      this.halting.lift();
      this.host.migrated?.();
      this.host.trace?.({ type: MIGRATION_EVENT }, true);
    }
    this.replies.answer(updateId, record);
    // After the answer: if the step fails again, the process is halted again, but in its new definition.
    if (again && again.length > 0) this.halting.attempt(() => this.chart.takeAgain(again));
  }

  #keepLate(message: MessageEvent): void {
    const { view } = this.chart.actors;
    if (this.definition.messages.isOurs?.(this.snapshot, message, view) !== false) {
      this.late.push(message.payload);
      return;
    }
    const forOthers = this.actorMessages.areOf(message)
      ? this.definition.messages.notAccepted?.(message)
      : message.payload;
    if (forOthers !== undefined) handOver(forOthers, this);
  }
}
