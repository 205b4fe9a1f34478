// Plays what happened to a real process through a flow file, in virtual time: the one that it ran on, or another version. What
// history does not know is never guessed: there the play says so, and stops being sure.
import type { EventObject } from 'xstate';
import { leavesOf } from '../../driver/defaults.ts';
import type { MigrationRequest } from '../../driver/definition.ts';
import type { Process } from '../../driver/process.ts';
import { type VirtualCall, VirtualTime, VirtualWorld } from '../../driver/virtual-world.ts';
import type { Answers, Call, Outgoing, RunningCall } from '../../driver/world.ts';
import { canonical } from '../diff/compared.ts';
import { expressionFailureIn } from '../expressions/failure.ts';
import type { FlowFile, Json, JsonObject } from '../flow-file.ts';
import type { FlowFilePlan } from '../machine/migration.ts';
import type { FlowFileProgress } from '../machine/progress.ts';
import type { Answer, Questions } from '../machine/questions.ts';
import { errorView } from '../machine/scope.ts';
import type { EmittedEvent, Invocation } from '../machine/start.ts';
import type { TaskChange } from '../machine/tasks.ts';
import type { Published } from '../registry.ts';
import { type FormerNames, formerNames } from './former-names.ts';
import { playedProcess } from './played-process.ts';
import { type CameOfCall, callKey, type RecordedProcess, type Stimulus } from './recorded-process.ts';

/** What a process did with one event, by the names of the version that it ran on. */
export interface PlayedStep {
  readonly at: number;
  readonly event: string;
  readonly states: readonly string[];
  readonly starts: readonly Started[];
  readonly emits: readonly Json[];
  /** The code of the failure at which it halted. */
  readonly halted?: string;
  readonly ended?: PlayedEnd;
}

/** A call that it made, or a question that it asked. */
export interface Started {
  readonly id: string;
  readonly src: string;
  /** For a question only whose it is: its words do not change what the process does. */
  readonly input: Json;
}

export interface PlayedEnd {
  readonly status: 'done' | 'failed' | 'cancelled';
  readonly output?: Json;
  readonly code?: string;
}

export interface Play {
  readonly steps: readonly PlayedStep[];
  /** From where on it is not sure: the number of steps before, and why. */
  readonly unknown: { readonly from: number; readonly why: string } | undefined;
  /** The calls and questions that it began, and when. */
  readonly begun: ReadonlyMap<string, Begun>;
  /** Which question each answer was for. */
  readonly answered: ReadonlyMap<Stimulus, string>;
}

interface Begun {
  readonly at: number;
  readonly src: string;
  readonly hears: readonly string[];
  /** How what came of it is read: `keep` of a call. */
  readonly keep: Json | undefined;
  isCancelled: boolean;
}

/** A file that starts with an immediate circle of timers would never come to an end. */
const MOST_STEPS = 20_000;

/** The file that the process ran on. */
export const playedAgain = (recorded: RecordedProcess): Play => new HistoryPlayer(recorded, recorded).play();

/** Another file. @param before what its own file did */
export const playedOn = (recorded: RecordedProcess, file: FlowFile, before: Play): Play =>
  new HistoryPlayer(recorded, { file, version: recorded.version }, before).play();

export interface Standings {
  /** What its own file did. */
  readonly before: Play;
  /** What the other version would have done from its start. */
  readonly after: Play;
  readonly carried: unknown;
  readonly begun: unknown;
}

/** Where a process stands that goes over to a version now, and where its own history leads in that version; null: it is not carried. */
export function standingsIn(recorded: RecordedProcess, to: Published, plan: FlowFilePlan): Standings | null {
  const carried = new HistoryPlayer(recorded, recorded);
  const before = carried.play();
  if (!carried.migrate(to, plan)) return null;
  const begun = new HistoryPlayer(recorded, to, before);
  const after = begun.play();
  return { before, after, carried: carried.standing, begun: begun.standing };
}

interface Due {
  readonly at: number;
  /** Its place in history: of one moment, what came first is taken first. */
  readonly number: number;
  take(): void;
}

class HistoryPlayer {
  readonly #recorded: RecordedProcess;
  readonly #file: FlowFile;
  readonly #version: number;
  readonly #before: Play | undefined;
  readonly #names: FormerNames;
  readonly #time: VirtualTime;
  readonly #world: HistoryWorld;
  readonly #dues: Due[] = [];
  readonly #counts = new Map<string, number>();
  readonly #begun = new Map<string, Begun>();
  readonly #answered = new Map<Stimulus, string>();
  readonly #steps: PlayedStep[] = [];
  #starts: Started[] = [];
  #emits: Json[] = [];
  #states: readonly string[] = [];
  #unknown: { from: number; why: string } | undefined;
  #process: Process | undefined;
  #questions: Questions | undefined;

  constructor(
    recorded: RecordedProcess,
    { file, version }: Pick<Published, 'file' | 'version'>,
    before?: Play,
  ) {
    this.#recorded = recorded;
    this.#file = file;
    this.#version = version;
    this.#before = before;
    // The file that it ran on has its own names.
    this.#names = before ? formerNames(file) : { states: new Map(), calls: new Map(), events: new Map() };
    this.#time = new VirtualTime(recorded.begunAt);
    this.#world = new HistoryWorld(this.#time, {
      called: (call) => this.#called(call),
      cancelled: (call) => this.#cancelled(call),
      sent: (message) => this.#sent(message),
      traced: (event) => this.#traced(event),
    });
  }

  play(): Play {
    const [file, version, recorded] = [this.#file, this.#version, this.#recorded];
    const { rules, input, key } = recorded;
    try {
      const played = playedProcess({
        ...{ file, version, rules, input, key, world: this.#world, halted: () => undefined },
      });
      this.#process = played.process;
      this.#questions = played.questions;
      for (const [number, stimulus] of recorded.stimuli.entries()) this.#plan(stimulus, number);
      played.process.begin();
      this.#drain();
      this.#takeAll();
      this.#goOn();
    } catch (error) {
      const failure = expressionFailureIn(error);
      if (!failure) throw error;
      // Its first step fails: the process does not begin.
      this.#push({ event: 'start', ended: { status: 'failed', code: failure.code } });
    }
    const unknown = this.#unknown;
    return { steps: this.#steps, unknown, begun: this.#begun, answered: this.#answered };
  }

  /** After the play. False: it is not carried. */
  migrate(to: Published, plan: FlowFilePlan): boolean {
    const process = this.#openProcess;
    const request: MigrationRequest = { semantics: 1, to, plan, by: 'played', why: 'played' };
    if (!process.isOpen || process.verdict(request).obstacles.length > 0) return false;
    process.migrate(request, 'played', nobody);
    process.drain();
    return true;
  }

  /** What decides how it goes on: its states, its data, its timers, and what it waits for. */
  get standing(): unknown {
    const process = this.#openProcess;
    const { version, snapshot, timers, entered, calls = [] } = process.carried;
    const { value, context, historyValue } = snapshot as unknown as Readonly<Record<string, unknown>>;
    return {
      ...{ version, value, context, historyValue, entered, isOpen: process.isOpen, halt: process.halt },
      timers: timers.map(({ id, dueAt, event }) => canonical({ id, dueAt, event })).sort(),
      calls: this.#world.calls.map(({ id, input }) => canonical({ id, input })).sort(),
      kept: calls.map(({ id, kept = null }) => canonical({ id, kept })).sort(),
    };
  }

  /** What does not depend on when the file makes its calls and asks its questions. */
  #plan(stimulus: Stimulus, number: number): void {
    const isOfFile = ['call', 'answer', 'task'].includes(stimulus.kind);
    if (this.#before && isOfFile) return;
    this.#due({ at: stimulus.at, number, take: () => this.#take(stimulus) });
  }

  #due(due: Due): void {
    const after = this.#dues.findIndex(
      ({ at, number }) => at > due.at || (at === due.at && number > due.number),
    );
    this.#dues.splice(after < 0 ? this.#dues.length : after, 0, due);
  }

  #takeAll(): void {
    for (let due = this.#dues.shift(); due && this.#isOpen; due = this.#dues.shift()) {
      this.#passTo(due.at);
      if (!this.#isOpen) return;
      due.take();
      this.#drain();
    }
    if (this.#isOpen) this.#passTo(this.#recorded.until);
  }

  /** After the end of its history, only what timers alone decide is known. */
  #goOn(): void {
    if (this.#recorded.end === null) return;
    while (this.#isOpen) {
      const [next] = this.#openProcess.timers.open
        .map(({ dueAt }) => dueAt)
        .sort((one, other) => one - other);
      const { events } = this.#openProcess.progress() as FlowFileProgress;
      if (next === undefined || this.#world.calls.length > 0 || events.length > 0) {
        this.#doubt('its history ends where it still waits for something from outside');
        return;
      }
      this.#passTo(next);
    }
  }

  get #openProcess(): Process {
    if (!this.#process) throw new Error('a process that is played has not begun');
    return this.#process;
  }

  get #isOpen(): boolean {
    return this.#openProcess.isOpen && this.#steps.length < MOST_STEPS;
  }

  #passTo(at: number): void {
    for (const _ of this.#time.passing(Math.max(at, this.#time.now))) {
      this.#drain();
      if (!this.#isOpen) break;
    }
    if (this.#steps.length >= MOST_STEPS) this.#doubt(`it takes more than ${MOST_STEPS} steps`);
  }

  #drain(): void {
    const process = this.#openProcess;
    process.drain();
    if (process.isOpen || this.#steps.at(-1)?.ended) return;
    this.#push({ event: 'end', ended: endOf(process) });
  }

  #take(stimulus: Stimulus): void {
    const process = this.#openProcess;
    switch (stimulus.kind) {
      case 'event':
        process.signal('event', this.#renamed(stimulus.payload));
        return;
      case 'cancellation':
        process.cancel('cancelled');
        return;
      case 'decision':
        if (!process.decisionRefusal()) process.decide(stimulus.decision, 'played', nobody);
        return;
      case 'answer':
        this.#takeAnswer(stimulus, stimulus.given);
        return;
      case 'task':
        this.#takeTask(stimulus, stimulus.given);
        return;
      case 'call': {
        const call = this.#world.calls.find((each) => this.#keyOf(each) === stimulus.call);
        if (call) answer(call, stimulus.came);
      }
    }
  }

  /** An outside event that the file knows by another name now. */
  #renamed(payload: unknown): unknown {
    const { type } = (payload ?? {}) as { readonly type?: unknown };
    const found = [...this.#names.events].find(([, former]) => former === type);
    return found ? { ...(payload as object), type: found[0] } : payload;
  }

  #takeAnswer(stimulus: Stimulus, given: Answer): void {
    const questions = this.#questions;
    const refusal = questions?.refusal(given);
    if (!questions || refusal !== undefined) {
      this.#doubt(`the answer of history is not one to its question: ${refusal?.message}`);
      return;
    }
    this.#remember(stimulus, questions.answer(given));
  }

  #takeTask(stimulus: Extract<Stimulus, { kind: 'task' }>, given: TaskChange): void {
    const { action } = stimulus;
    const questions = this.#questions;
    const refusal = questions?.changeRefusal(action, given);
    if (!questions || refusal !== undefined)
      this.#doubt(`somebody did ${action} a question, which is refused now: ${refusal?.message}`);
    else this.#remember(stimulus, questions.change(action, given));
  }

  #remember(stimulus: Stimulus, { question }: { readonly question: string }): void {
    const former = this.#former(question);
    this.#answered.set(stimulus, callKey(former, this.#counts.get(former) ?? 0));
  }

  #former(id: string): string {
    return this.#names.calls.get(id) ?? id;
  }

  readonly #keys = new WeakMap<object, string>();

  #keyOf(call: VirtualCall): string | undefined {
    return this.#keys.get(call);
  }

  #called(call: VirtualCall): void {
    const { id, src, input, hears } = call.input as Invocation;
    const former = this.#former(id);
    const count = (this.#counts.get(former) ?? 0) + 1;
    this.#counts.set(former, count);
    const key = callKey(former, count);
    this.#keys.set(call, key);
    const { keep, ...others } = (src === 'call' ? input : {}) as JsonObject;
    const begun = { at: this.#time.now, src, hears, keep, isCancelled: false };
    this.#begun.set(key, begun);
    this.#starts.push({ id: former, src, input: shownInput(src, input, others) });
    if (this.#before) this.#planAnswers(call, key, begun, this.#before);
  }

  /** What came of it comes as long after its beginning as it did. */
  #planAnswers(call: VirtualCall, key: string, begun: Begun, before: Play): void {
    const { id } = call;
    const then = before.begun.get(key);
    if (then?.src !== begun.src) {
      this.#doubt(`history has no ${begun.src === 'ask' ? 'answer to' : 'outcome of'} ${id}`);
      return;
    }
    // A task is played with the file: it sends its events itself.
    const heard = begun.src === 'ask' ? [] : begun.hears;
    const unheard = heard.filter((type) => !then.hears.includes(type) && !then.hears.includes('*'));
    if (unheard.length > 0)
      this.#doubt(`it listens for ${unheard.join(', ')} of ${id}, which history was not told`);
    if (JSON.stringify(begun.keep) !== JSON.stringify(then.keep))
      this.#doubt(`it keeps something else of the answer to ${id}`);
    const later = begun.at - then.at;
    for (const [number, stimulus] of this.#recorded.stimuli.entries()) {
      const due = { at: stimulus.at + later, number };
      if (stimulus.kind === 'call' && stimulus.call === key)
        this.#due({ ...due, take: () => answer(call, stimulus.came) });
      if (before.answered.get(stimulus) === key)
        this.#due({ ...due, take: () => this.#takeLater(call, stimulus) });
    }
  }

  /** Nobody answers or claims a question that is no longer open. */
  #takeLater(call: VirtualCall, stimulus: Stimulus): void {
    if (!this.#world.calls.includes(call)) return;
    const question = call.id;
    if (stimulus.kind === 'answer') this.#takeAnswer(stimulus, { ...stimulus.given, question });
    if (stimulus.kind === 'task') this.#takeTask(stimulus, { ...stimulus.given, question });
  }

  #cancelled(call: VirtualCall): 'endsAtOnce' | 'answersItself' {
    const key = this.#keyOf(call) ?? '';
    const begun = this.#begun.get(key);
    if (begun) begun.isCancelled = true;
    if (call.type === 'ask') return 'endsAtOnce';
    if (this.#before && !this.#before.begun.get(key)?.isCancelled && this.#world.calls.includes(call))
      this.#doubt(`it cancels ${call.id}, which history let go on`);
    return 'answersItself';
  }

  #sent(message: Outgoing): void {
    if (message.to === 'outside')
      this.#emits.push((message.event as EmittedEvent).emitted as unknown as Json);
  }

  #traced({ type }: EventObject): void {
    this.#push({ event: this.#eventName(type) });
  }

  #push(step: { event: string; ended?: PlayedEnd }): void {
    const process = this.#process;
    const value: unknown = process ? process.snapshot.value : {};
    const states = leavesOf(value)
      .map((path) => this.#formerState(path))
      .sort();
    const halted = process?.halt?.code;
    const isSame = JSON.stringify(states) === JSON.stringify(this.#states);
    // An event that changes nothing is nobody's decision.
    if (isSame && !step.ended && halted === undefined && this.#starts.length + this.#emits.length === 0)
      return;
    this.#states = states;
    this.#steps.push({
      ...{ at: this.#time.now, ...step, states, starts: this.#starts, emits: this.#emits },
      ...(halted !== undefined && { halted }),
    });
    this.#starts = [];
    this.#emits = [];
  }

  #formerState(path: string): string {
    return this.#names.states.get(path) ?? path;
  }

  #eventName(type: string): string {
    if (type.startsWith('xstate.after.')) return 'a timer';
    const [, what, id = ''] = /^xstate\.(done|error)\.actor\.(.*)$/s.exec(type) ?? [];
    if (what) return `${this.#former(id)} ${what === 'done' ? 'is done' : 'has failed'}`;
    const of = [...this.#names.calls].find(([now]) => type.startsWith(`${now}.`));
    if (of) return `${of[1]}${type.slice(of[0].length)}`;
    return this.#names.events.get(type) ?? type;
  }

  #doubt(why: string): void {
    this.#unknown ??= { from: this.#steps.length, why };
  }
}

interface Heard {
  called(call: VirtualCall): void;
  cancelled(call: VirtualCall): 'endsAtOnce' | 'answersItself';
  sent(message: Outgoing): void;
  traced(event: EventObject): void;
}

class HistoryWorld extends VirtualWorld {
  readonly #heard: Heard;

  constructor(time: VirtualTime, heard: Heard) {
    super(time);
    this.#heard = heard;
  }

  override call(made: Call, answers: Answers): RunningCall {
    const running = super.call(made, answers);
    const call = this.calls.at(-1);
    if (call) this.#heard.called(call);
    return running;
  }

  override cancelled(call: VirtualCall): void {
    if (this.#heard.cancelled(call) === 'endsAtOnce') super.cancelled(call);
  }

  override send(message: Outgoing): void {
    this.#heard.sent(message);
  }

  trace(event: EventObject): void {
    this.#heard.traced(event);
  }
}

function shownInput(src: string, input: Json, withoutKeep: JsonObject): Json {
  if (src === 'ask') return { of: (input as JsonObject).of ?? null };
  return src === 'call' ? withoutKeep : input;
}

const nobody = { answer: () => undefined, refuse: () => undefined };

function answer(call: VirtualCall, came: CameOfCall): void {
  if ('event' in came) call.event(came.event);
  else if ('output' in came) call.done(came.output);
  else call.failed(came.error);
}

function endOf({ closing }: Process): PlayedEnd {
  switch (closing.kind) {
    case 'result':
      return { status: 'done', output: (closing.result ?? null) as Json };
    case 'cancelled':
      return { status: 'cancelled' };
    case 'failed':
      return { status: 'failed', code: closing.code };
    case 'unhandled':
      return { status: 'failed', code: errorView(closing.error).code };
  }
}
