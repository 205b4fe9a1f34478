// Plays a flow file without Temporal: one process in virtual time, on the engine that runs it in production. Whoever plays it
// decides what its flows, operations, calls and people do.
import { leavesOf, matchesAny } from '../../engine/chart/messages.ts';
import type { Rejection } from '../../engine/commands.ts';
import type { MigrationRequest } from '../../engine/definition/migration-request.ts';
import { noReply } from '../../engine/inbox.ts';
import type { Process } from '../../engine/process.ts';
import { type VirtualCall, VirtualHost, VirtualTime } from '../../engine/virtual-host.ts';
import type { CorrelationKeys } from '../language/correlation.ts';
import { durationMs, instantMs, instantText } from '../language/duration.ts';
import type { ExpressionFailure } from '../language/expressions/failure.ts';
import { type FlowFile, type Json, type JsonObject, listenedFor } from '../language/flow-file.ts';
import type { FileMachines } from '../language/machine/file-machines.ts';
import { eventIssues, formatIssues, type PutAside } from '../language/machine/incoming.ts';
import type { Registration } from '../language/machine/listening.ts';
import {
  type EmittedEvent,
  errorView,
  type FlowContext,
  type Invocation,
} from '../language/machine/machine-runtime.ts';
import type { FlowFilePlan } from '../language/machine/migration.ts';
import type { FlowFileProgress } from '../language/machine/progress.ts';
import { Questions } from '../language/machine/questions.ts';
import type { TaskAction, TaskChange } from '../language/machine/tasks.ts';
import { NotCarried, NotPlayable, PlayRefused } from './not-playable.ts';
import { type DoubtDecision, PlayedBookings, type SaidBeside } from './played-bookings.ts';
import { eventOfChild, invokeOf, outputProblem, type SchemasOf, unsentProblem } from './played-calls.ts';
import { playedProcess, type Version } from './played-process.ts';
import { type SentEvent, sentEventOf } from './sent-events.ts';
import { TimerLimits } from './timer-limits.ts';

interface PlayerOptions {
  readonly input?: Json;
  /** What stands beside the request in the argument of the start: `deadlines`, `onOverdue` … */
  readonly beside?: JsonObject;
  /** ISO 8601. The clock stands still until `pass` moves it. */
  readonly at?: string;
  readonly key?: string;
  /** The version of the file; 1 unless given. */
  readonly version?: number;
  /** Those of all that are played together. */
  readonly machines?: FileMachines;
  /** The flow files that it may invoke: they say what they send. */
  readonly files?: readonly FlowFile[];
  readonly schemasOf?: SchemasOf;
}

/** A process that has ended is `done`, `cancelled`, or `failed` by a failure that no state takes. */
type PlayedStatus = 'active' | 'done' | 'cancelled' | 'failed';

const ended = { result: 'done', cancelled: 'cancelled', failed: 'failed', unhandled: 'failed' } as const;

export class Player {
  /** The file of the version it runs. */
  #file: FlowFile;
  readonly #files: readonly FlowFile[];
  readonly #schemasOf: SchemasOf;
  readonly #time: VirtualTime;
  readonly #host: VirtualHost;
  readonly #questions = new Questions();
  readonly #registration: Registration;
  readonly #putAside: () => PutAside;
  readonly process: Process;
  readonly #bookings: PlayedBookings;
  /** Why the process has halted. */
  #failure: ExpressionFailure | undefined;
  #migrations = 0;
  #dropped = 0;
  readonly #timers = new TimerLimits();

  /** Throws an ExpressionFailure if the first step fails. */
  constructor(
    file: FlowFile,
    {
      input = {},
      beside = {},
      at = '2026-01-05T09:00:00Z',
      key = 'played',
      version = 1,
      machines,
      files = [],
      schemasOf = () => null,
    }: PlayerOptions = {},
  ) {
    const begun = instantMs(at);
    if (begun === null)
      throw new NotPlayable(`${at} is not an instant; expected one like 2026-01-05T09:00:00Z`);
    this.#file = file;
    this.#files = files;
    this.#schemasOf = schemasOf;
    this.#time = new VirtualTime(begun);
    this.#host = new VirtualHost(this.#time, { isParentListening: true });
    const { process, registration, putAside } = playedProcess({
      questions: this.#questions,
      input,
      beside,
      key,
      host: this.#host,
      machines,
      file,
      version,
      halted: (failure) => {
        this.#failure = failure;
      },
    });
    this.process = process;
    this.#registration = registration;
    this.#putAside = putAside;
    this.#bookings = new PlayedBookings(process, this.#host);
    this.process.begin();
    this.#step(() => undefined, { books: false });
  }

  get now(): string {
    return instantText(this.#time.now);
  }

  get status(): PlayedStatus {
    return this.process.isOpen ? 'active' : ended[this.process.closing.kind];
  }

  /** `a.b` for a nested state; one entry for each region of a parallel state. */
  get states(): string[] {
    return leavesOf(this.progress.state);
  }

  get context(): JsonObject {
    return this.progress.context as JsonObject;
  }

  get key(): string {
    return this.process.start.workflowId;
  }

  /** What it was started with. */
  get request(): Json {
    return (this.process.snapshot.context as FlowContext).input;
  }

  get output(): Json {
    return (this.status === 'done' ? (this.progress.output ?? null) : null) as Json;
  }

  /** Why it has failed; null if it has not. */
  get error(): JsonObject | null {
    const { closing } = this.process;
    if (this.status !== 'failed') return null;
    const failed = closing.kind === 'unhandled' ? closing.error : closing;
    return errorView(failed) as unknown as JsonObject;
  }

  get open(): readonly Invocation[] {
    if (this.status !== 'active') return [];
    const calls = this.#host.calls.filter(({ id }) => this.#bookings.ownerOf(id) === undefined);
    return [...calls.map(({ input }) => input as Invocation), ...this.#bookings.invocations];
  }

  /** The events that an active state takes, whatever its guards say. */
  get events(): readonly string[] {
    if (this.status !== 'active') return [];
    const { events, childEvents } = this.progress;
    return [...events, ...childEvents];
  }

  /**
   * Brings it to another version of its file. One that is halted takes its event again. Throws NotCarried, or the
   * ExpressionFailure at which it halts then.
   */
  migrate(to: Version, plan: FlowFilePlan = {}): void {
    this.#mustBeOpen();
    const { obstacles } = this.process.migrations.result(migrationTo(to, plan));
    if (obstacles.length > 0) throw new NotCarried(obstacles);
    this.#migrations += 1;
    this.process.migrate(migrationTo(to, plan), `migration ${this.#migrations}`, noReply);
    this.#file = to.file;
    this.process.drain();
    if (this.process.halt) throw this.#failure;
  }

  /** What has left since the last call: events for the outside, and those for other processes. */
  takeSent(): { readonly emitted: readonly EmittedEvent['emitted'][]; readonly sent: readonly SentEvent[] } {
    const all = this.#host.takeSent();
    return {
      emitted: all.flatMap((each) => (each.to === 'outside' ? [(each.event as EmittedEvent).emitted] : [])),
      sent: all.flatMap(sentEventOf),
    };
  }

  /** The keys by which events find it now. */
  get keys(): CorrelationKeys {
    return this.#registration.known?.keys ?? {};
  }

  /**
   * Sends an event as a flow that the process has started would, or else somebody outside. With `keepFor` it comes by correlation:
   * it waits so long for a state that takes it.
   */
  send(type: string, data: Json = null, keepFor?: string): void {
    this.#mustBeOpen();
    const booking = this.#bookings.ownerOf(type);
    if (booking !== undefined) {
      this.#step(() => this.#bookings.report(booking, type.slice(booking.length + 1), data));
      return;
    }
    const { events } = this;
    const child = this.#host.calls.find(({ id, logic }) => 'child' in logic && type.startsWith(`${id}.`));
    const heardAs = child
      ? `${invokeOf(child, this.#file)}${type.slice(child.id.length)}`
      : this.process.named({ type }).type;
    const keepForMs = keepFor === undefined ? undefined : durationMs(keepFor);
    if (keepForMs === null) throw new NotPlayable(`keepFor is ${keepFor}, expected a duration such as PT1H`);
    const isKept = keepForMs !== undefined && matchesAny(type, listenedFor(this.#file));
    if (!isKept && !matchesAny(heardAs, events)) {
      const reports = this.#bookings.ids.map((id) => `${id}.<leg>.<state>`);
      throw new NotPlayable(
        `${type} is not taken in ${this.states.join(', ')}; expected ${listed([...events, ...reports])}`,
      );
    }
    const unsent = child && unsentProblem(child, type, this.#files);
    if (unsent !== undefined) throw new NotPlayable(unsent);
    this.#mustFit(heardAs, data);
    this.#step(() => {
      if (child)
        child.event(
          eventOfChild(
            child,
            { type: type.slice(child.id.length + 1), data },
            { files: this.#files, now: this.#time.now },
          ),
        );
      else if (!this.process.signal('event', { type, data, ...(keepForMs !== undefined && { keepForMs }) }))
        throw new NotPlayable(
          `${type} is an event that only the process itself makes, or a flow of its own while it runs`,
        );
    });
  }

  /** In production it is refused, or put aside. */
  #mustFit(type: string, data: Json): void {
    const issues = eventIssues(this.#file, type, data);
    if (issues.length > 0) throw new NotPlayable(`${type} does not fit: ${formatIssues(issues)}`);
  }

  answer(id: string, values: JsonObject, by = 'somebody', inbox?: string): void {
    this.#goOn();
    if ((this.#call(id).input as Invocation).src !== 'ask')
      throw new NotPlayable(`${id} is not a question, so it takes no answer; give its result with done`);
    const given = { question: id, values, by, ...(inbox !== undefined && { inbox }) };
    const refusal = this.#questions.refusal(given);
    if (refusal) throw new PlayRefused(refusal);
    this.#step(() => this.#questions.answer(given));
  }

  /** Somebody claims, releases or assigns a question. */
  change(action: TaskAction, id: string, change: Omit<TaskChange, 'question'>): void {
    this.#mustBeOpen();
    this.#goOn();
    const given = { ...change, question: id };
    const refusal = this.#questions.changeRefusal(action, given);
    if (refusal) throw new PlayRefused(refusal);
    this.#step(() => void this.#questions.change(action, given));
  }

  /** Somebody moves a timer, or a deadline like `loan.issue.pickUp`: to `until`, or by `fromNow`, `extendBy` or `shortenBy`. */
  extend(name: string, end: JsonObject): void {
    this.#mustBeOpen();
    this.#goOn();
    this.#bookings.book();
    const given = { ...this.#movable(name), ...end, by: 'somebody' };
    const refusal = this.#extensionRefusal(given);
    if (refusal)
      throw new PlayRefused({ ...refusal, message: refusal.message + this.#deadlinesBeside(name) });
    this.#step(() => this.process.update('extendDeadline', given, 'played', noReply));
  }

  #movable(name: string): object {
    return this.#bookings.deadlines.get(name) ?? { timer: name };
  }

  #extensionRefusal(given: object): Rejection | undefined {
    return this.process.updateRefusal('extendDeadline', given);
  }

  /** Those that can be moved, if this is neither one of them nor a timer. */
  #deadlinesBeside(name: string): string {
    const isOpen = (each: string) => !this.#extensionRefusal({ ...this.#movable(each), fromNow: 'P1D' });
    const open = [...this.#bookings.deadlines.keys()].filter(isOpen);
    if (open.length === 0 || isOpen(name)) return '';
    return `; the deadlines of its bookings that can be moved now: ${open.join(', ')}`;
  }

  /** A person decides about a booking in doubt. */
  resolve(id: string, action: DoubtDecision, by = 'somebody'): void {
    this.#mustBeOpen();
    this.#step(() => this.#bookings.resolve(id, action, by));
  }

  done(id: string, output: Json = null): void {
    this.#goOn();
    if (this.#bookings.has(id)) {
      this.#step(() => this.#bookings.done(id));
      return;
    }
    const call = this.#call(id);
    const problem = output === null ? undefined : outputProblem(call, output, this.#schemasOf);
    if (problem !== undefined) throw new NotPlayable(`${id} cannot give this: ${problem}`);
    this.#step(() => call.done(output));
  }

  fail(id: string, code: string, message = code, beside: SaidBeside = {}): void {
    this.#goOn();
    const details = Object.keys(beside).length > 0 ? [beside] : [];
    this.#step(
      () => {
        if (!this.#bookings.refuse(id, { code, message, ...beside }))
          this.#call(id).failed({ code, message, details });
      },
      { books: false },
    );
  }

  /** A process that does not take `cancelRequested` ends at once; its flows undo themselves. */
  cancel(): void {
    this.#mustBeOpen();
    this.process.cancel('cancelled');
    this.process.drain();
    this.#bookings.undo();
    if (this.process.halt) throw this.#failure;
  }

  /** Lets time pass, by a duration or until an instant. Timers that come due meanwhile fire in their order. */
  pass(time: string): void {
    const until = instantMs(time) ?? this.#time.now + (durationMs(time) ?? Number.NaN);
    if (Number.isNaN(until) || until < this.#time.now)
      throw new NotPlayable(
        `${time} is not a duration or a time in the future; expected one like P2D, PT30M or 2026-01-09T12:00:00Z`,
      );
    this.#step(() => {
      this.#timers.passOn(this.#time.now);
      for (const _ of this.#time.passing(until)) {
        this.process.drain();
        const problem = this.#timers.problemOfNext(this.#time.now, this.states);
        if (problem !== undefined) throw new NotPlayable(problem);
      }
    });
  }

  get progress(): FlowFileProgress {
    return this.process.progress({ context: true }) as FlowFileProgress;
  }

  #mustBeOpen(): void {
    if (this.status !== 'active') throw new NotPlayable('the process has ended');
  }

  #call(id: string): VirtualCall {
    this.#mustBeOpen();
    const found = this.#host.calls.find((call) => call.id === id);
    if (found) return found;
    throw new NotPlayable(
      this.#bookings.problemOf(id) ??
        `nothing runs as ${id}; expected ${listed(this.open.map((each) => each.id))}`,
    );
  }

  /**
   * Whatever else happens, what is to be booked is booked before it.
   * Throws the ExpressionFailure at which the process halts. It stays so until the next step: then a person drops the event,
   * and what came meanwhile is taken.
   */
  #step(happen: () => void, { books = true } = {}): void {
    this.#goOn();
    if (books) this.#bookings.book();
    happen();
    this.process.drain();
    this.#bookings.undo();
    if (this.process.halt) throw this.#failure;
    this.#mustHaveFitted();
  }

  /** What the file raises itself. */
  #mustHaveFitted(): void {
    const { dropped, misfits } = this.#putAside();
    const { type, reason } = misfits.at(-1) ?? {};
    const isNew = dropped > this.#dropped;
    this.#dropped = dropped;
    if (isNew && type !== undefined) throw new NotPlayable(`${type} does not fit: ${reason}`);
  }

  /** Before anything is asked of it: the question of an answer that was dropped is asked again. */
  #goOn(): void {
    if (this.process.halt) this.process.decide('dropEvent', 'played', noReply);
    this.process.drain();
  }
}

const migrationTo = (to: Version, plan: FlowFilePlan): MigrationRequest => ({
  semantics: 1,
  to: { ...to, publishedAt: '' },
  plan,
  by: 'played',
  why: 'played',
});

const listed = (names: readonly string[]): string =>
  names.length > 0 ? `one of ${names.join(', ')}` : 'nothing now';
