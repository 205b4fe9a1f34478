// One process, on any host: what can be asked of it and done to it, from its beginning to its end. It is synchronous and knows no
// clock but that of its host.

import type { OutreachKind } from '../contract/flows/outreach.ts';
import type { OpenCall } from './calls.ts';
import { type ChartView, chartView, type Position, positionOf } from './chart/chart-view.ts';
import { actionsOf, notPossible, type Rejection } from './commands.ts';
import type { Continued } from './continued.ts';
import type { Closing } from './definition/closing.ts';
import type { MessageEvent } from './definition/message-rules.ts';
import type { MigrationRequest } from './definition/migration-request.ts';
import { handOver, handOverUnaccepted } from './effects.ts';
import type { Host } from './host.ts';
import type { ClockAdvance, Decision, Entry, Reply } from './inbox.ts';
import { noteCommand, noteIn, noteProblem } from './note.ts';
import { type OutreachFields, outreachFieldsIn, outreachProblem } from './outreach.ts';
import type { ProcessOptions } from './process-state.ts';
import { EXTEND_DEADLINE, SteppingProcess } from './stepping-process.ts';
import { iso } from './timers.ts';

export class Process extends SteppingProcess {
  /** What the former run left. */
  readonly #continued: Continued | undefined;

  constructor(options: ProcessOptions) {
    super(options);
    this.#continued = options.continued;
  }

  /** Its answer has come, and is not taken: the process is halted. */
  hasAnswerOf(call: OpenCall): boolean {
    return this.inbox.entries.some((entry) => entry.kind === 'answer' && entry.call === call);
  }

  progress(query: unknown = {}): unknown {
    const { definition, pending, snapshot } = this;
    const isObject = typeof query === 'object' && query !== null;
    const progress = definition.views.progress(snapshot, this.late, pending, isObject ? query : {});
    const { note } = this;
    const migrations = this.migrations.done;
    return { ...(progress as object), ...(migrations.length > 0 && { migrations }), ...(note && { note }) };
  }

  /** The answer to the query `actions`. */
  actions(query: unknown): object {
    return actionsOf(this, () => [...(this.definition.commands?.(this) ?? []), noteCommand(this)], query);
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
    if (this.halt) this.halting.giveUp();
    for (const timer of this.#continued?.timers ?? []) this.timers.armAgain(timer);
    this.host.trace?.({ type: this.#continued ? 'continued' : 'start' }, true);
    this.settle();
  }

  /** A message that nobody waits for. False: it is not an event of this process, and is dropped. */
  signal(type: string, payload: unknown): boolean {
    const message: MessageEvent = { type, payload };
    const event = this.messages.eventOf(message);
    if (event) this.push({ kind: 'message', message, event });
    return event !== null;
  }

  /** Why the update is not possible now; undefined: it is. */
  updateRefusal(type: string, payload: unknown): Rejection | undefined {
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

  #extensionRefusal(message: MessageEvent): Rejection | undefined {
    if (this.actorMessages.isForAny(message)) return this.actorMessages.refusalOf(message);
    const extension = this.messages.extension(message.payload);
    return 'code' in extension ? extension : undefined;
  }

  /** Only a process that is not cancelled already takes a cancellation. */
  cancellationRefusal(): Rejection | undefined {
    return this.cancellation === undefined ? undefined : notPossible('the process is cancelled already');
  }

  noteRefusal(payload: unknown): Rejection | undefined {
    return noteProblem(this.isOpen, payload);
  }

  /** It takes no step: there is nothing to wait for. */
  addNote(payload: unknown): void {
    this.note = { ...noteIn(payload), at: iso(this.host.now()) };
    this.push({ kind: 'note' });
  }

  outreachRefusal(kind: OutreachKind, payload: unknown): Rejection | undefined {
    return outreachProblem(kind, this.isOpen, payload);
  }

  /** Somebody sends it outside; it takes no step. The reply waits until its delivery has begun. */
  takeOutreach(kind: OutreachKind, payload: unknown, updateId: string, reply: Reply): OutreachFields {
    this.replies.add(updateId, reply);
    this.push({ kind: 'note' });
    return { kind, fields: outreachFieldsIn(kind, payload) };
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

  /** Empties the inbox after the end: accepted messages are not lost, although the machine takes no more steps. */
  close(): void {
    for (let entry = this.inbox.take(); entry; entry = this.inbox.take())
      if (entry.kind === 'message' && entry.message.updateId === undefined) this.#keepLate(entry.message);
    this.replies.refuseAll(notPossible(`${this.start.flow} ${this.start.workflowId} has ended`));
  }

  get closing(): Closing {
    const { definition, snapshot, halt } = this;
    if (this.unhandled) return { kind: 'unhandled', ...this.unhandled };
    if (this.halting.isGivenUp && halt) return { kind: 'failed', ...halt, details: [halt.details ?? null] };
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

  #keepLate(message: MessageEvent): void {
    if (this.actorMessages.areOf(message)) {
      handOverUnaccepted(message, this);
      return;
    }
    const { view } = this.chart.actors;
    if (this.definition.messages.isOurs?.(this.snapshot, message, view) !== false)
      this.late.push(message.payload);
    else if (message.payload !== undefined) handOver(message.payload, this);
  }
}
