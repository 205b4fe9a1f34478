// Plays what happened to a real process through a version of its file, in virtual time: the one that it ran on, or another.
// What history does not know is never guessed: there the play says so, and stops being sure.
import type { EventObject } from 'xstate';
import { leavesOf, ownOf } from '../../engine/chart/messages.ts';
import { nobody } from '../../engine/inbox.ts';
import type { Process } from '../../engine/process.ts';
import { type VirtualCall, VirtualTime, VirtualWorld } from '../../engine/virtual-world.ts';
import type { Answers, Call, Outgoing, RunningCall } from '../../engine/world.ts';
import { expressionFailureIn } from '../language/expressions/failure.ts';
import { invokesIn, type Json, type JsonObject } from '../language/flow-file.ts';
import { type EmittedEvent, errorView, type Invocation } from '../language/machine/kit.ts';
import { inverse, type Renames, renamed, renamesOf } from '../language/machine/migration.ts';
import type { FlowFileProgress } from '../language/machine/progress.ts';
import { Questions } from '../language/machine/questions.ts';
import { UNDO_KEY } from '../language/machine/undo.ts';
import { playedProcess, type Version } from './played-process.ts';
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
  readonly begun: ReadonlyMap<string, StartedCall>;
  /** Which question each answer was for. */
  readonly answered: ReadonlyMap<Stimulus, string>;
}

interface StartedCall {
  readonly at: number;
  readonly src: string;
  readonly subscriptions: readonly string[];
  /** How what came of it is read: `keep` of a call. */
  readonly keep: Json | undefined;
  isCancelled: boolean;
}

/** A file with a circle of timers would never come to an end, also one whose steps nobody sees. */
const MAX_EVENTS = 20_000;

/** @param before what the version did that the process ran on; without it, this is that version */
export const played = (recorded: RecordedProcess, on: Version, before?: Play): Play =>
  new PlayedHistory(recorded, on, before).play();

interface Due {
  readonly at: number;
  /** Its place in history: of one moment, what came first is taken first. */
  readonly number: number;
  take(): void;
}

const noNames: Renames = { states: {}, invokes: {}, events: {} };

/** The world of the played process: what it calls is answered as history says. */
class PlayedHistory extends VirtualWorld {
  readonly #recorded: RecordedProcess;
  readonly #on: Version;
  readonly #before: Play | undefined;
  /** What the parts of the file were called in the version that the process ran on. */
  readonly #names: Renames;
  readonly #ids: ReadonlyMap<string, string>;
  readonly #time: VirtualTime;
  readonly #questions = new Questions();
  readonly #keys = new WeakMap<VirtualCall, string>();
  readonly #counts = new Map<string, number>();
  readonly #begun = new Map<string, StartedCall>();
  readonly #answered = new Map<Stimulus, string>();
  readonly #steps: PlayedStep[] = [];
  readonly #dues: Due[] = [];
  #events = 0;
  #starts: Started[] = [];
  #emits: Json[] = [];
  #states: readonly string[] = [];
  #unknown: { from: number; why: string } | undefined;
  #process: Process | undefined;

  constructor(recorded: RecordedProcess, on: Version, before?: Play) {
    const time = new VirtualTime(recorded.begunAt);
    super(time);
    this.#time = time;
    this.#recorded = recorded;
    this.#on = on;
    this.#before = before;
    const names = before ? inverse(renamesOf(on.file)) : noNames;
    this.#names = names;
    this.#ids = new Map(
      invokesIn(on.file).map(({ id, invoke }) => [
        id,
        // Without an id of its own it is named after its state.
        ownOf(names.invokes, id) ?? (invoke.id === undefined ? renamed(id, names.states) : id),
      ]),
    );
  }

  play(): Play {
    this.#play();
    const unknown = this.#unknown;
    return { steps: this.#steps, unknown, begun: this.#begun, answered: this.#answered };
  }

  #play(): void {
    const { input, key, stimuli } = this.#recorded;
    const questions = this.#questions;
    try {
      const given = { ...this.#on, input, key, questions, world: this, halted: () => undefined };
      this.#process = playedProcess(given).process;
      // The others come when the file makes its calls and asks its questions.
      for (const [number, stimulus] of stimuli.entries())
        if (!this.#before || !(stimulus.kind === 'call' || isOfPerson(stimulus)))
          this.#due({ at: stimulus.at, number, take: () => this.#take(stimulus) });
      this.#process.begin();
      this.#drain();
      this.#takeAll();
      this.#goOn();
    } catch (error) {
      const code = expressionFailureIn(error)?.code;
      if (code === undefined) throw error;
      // Its first step fails: the process does not begin.
      this.#push({ event: 'start', ended: { status: 'failed', code } });
    }
  }

  #due(due: Due): void {
    // Nearly all come in their order, and there are as many as a history has.
    const before = this.#dues.findLastIndex(
      ({ at, number }) => at < due.at || (at === due.at && number < due.number),
    );
    this.#dues.splice(before + 1, 0, due);
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

  /** After the end of its history, only what timers alone decide is known; a terminated process would have gone on. */
  #goOn(): void {
    const { end } = this.#recorded;
    if (end === null || end.status === 'terminated') return;
    while (this.#isOpen) {
      const [next] = this.#openProcess.timers.open
        .map(({ dueAt }) => dueAt)
        .sort((one, other) => one - other);
      const { events } = this.#openProcess.progress() as FlowFileProgress;
      const isWaiting = this.calls.length > 0 || events.length > 0;
      if (next === undefined || isWaiting) {
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
    return this.#openProcess.isOpen && this.#events < MAX_EVENTS;
  }

  #passTo(at: number): void {
    for (const _ of this.#time.passing(Math.max(at, this.#time.now))) {
      this.#drain();
      if (!this.#isOpen) break;
    }
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
      case 'cancellation':
        process.cancel('cancelled');
        return;
      case 'decision':
        if (process.halt) process.decide(stimulus.decision, 'played', nobody);
        return;
      case 'call': {
        const call = this.calls.find((each) => this.#keys.get(each) === stimulus.call);
        if (call) answer(call, stimulus.came);
        return;
      }
      case 'event':
        process.signal('event', this.#renamed(stimulus.payload));
        return;
      default:
        this.#takeOfPerson(stimulus);
    }
  }

  /** An outside event that the file knows by another name now. */
  #renamed(payload: unknown): unknown {
    const { type } = (payload ?? {}) as { readonly type?: unknown };
    const found = Object.entries(this.#names.events).find(([, former]) => former === type);
    return found ? { ...(payload as object), type: found[0] } : payload;
  }

  /** @param question what it is for now, where the file asks it by another id */
  #takeOfPerson(stimulus: PersonStimulus, question?: string): void {
    const questions = this.#questions;
    const given = { ...stimulus.given, ...(question !== undefined && { question }) };
    const refusal =
      stimulus.kind === 'answer' ? questions.refusal(given) : questions.changeRefusal(stimulus.action, given);
    if (refusal) {
      const what =
        stimulus.kind === 'answer'
          ? 'the answer of history is not one to its question'
          : `somebody did ${stimulus.action} a question, which is refused now`;
      this.#doubt(`${what}: ${refusal.message}`);
      return;
    }
    const taken =
      stimulus.kind === 'answer' ? questions.answer(given) : questions.change(stimulus.action, given);
    const former = this.#former(taken.question);
    this.#answered.set(stimulus, callKey(former, this.#counts.get(former) ?? 0));
  }

  #former(id: string): string {
    return this.#ids.get(id) ?? id;
  }

  override call(made: Call, answers: Answers): RunningCall {
    const running = super.call(made, answers);
    const call = this.calls.at(-1);
    if (call) this.#called(call);
    return running;
  }

  #called(call: VirtualCall): void {
    const { id, src, input, subscriptions, step } = call.input as Invocation;
    const undoes = src === 'ask' ? undefined : step;
    const former = undoes === undefined ? this.#former(id) : UNDO_KEY;
    const count = undoes ?? (this.#counts.get(former) ?? 0) + 1;
    this.#counts.set(former, count);
    const key = callKey(former, count);
    this.#keys.set(call, key);
    const { keep } = (src === 'call' ? input : {}) as JsonObject;
    const begun = { at: this.#time.now, src, subscriptions, keep, isCancelled: false };
    this.#begun.set(key, begun);
    this.#starts.push({ id: former, src, input: shownInput(src, input) });
    if (this.#before) this.#planAnswers(call, key, begun, this.#before);
  }

  /** What came of it comes as long after its beginning as it did. */
  #planAnswers(call: VirtualCall, key: string, begun: StartedCall, before: Play): void {
    const { id } = call;
    const then = before.begun.get(key);
    if (then?.src !== begun.src) {
      this.#doubt(`history has no ${begun.src === 'ask' ? 'answer to' : 'outcome of'} ${id}`);
      return;
    }
    // A task is played with the file: it sends its events itself.
    const heard = begun.src === 'ask' ? [] : begun.subscriptions;
    const unheard = heard.filter(
      (type) => !then.subscriptions.includes(type) && !then.subscriptions.includes('*'),
    );
    if (unheard.length > 0)
      this.#doubt(`it listens for ${unheard.join(', ')} of ${id}, which history was not told`);
    if (JSON.stringify(begun.keep) !== JSON.stringify(then.keep))
      this.#doubt(`it keeps something else of the answer to ${id}`);
    const later = begun.at - then.at;
    for (const [number, stimulus] of this.#recorded.stimuli.entries()) {
      const due = { at: stimulus.at + later, number };
      if (stimulus.kind === 'call' && stimulus.call === key)
        this.#due({ ...due, take: () => answer(call, stimulus.came) });
      // Nobody answers or claims a question that is no longer open.
      if (isOfPerson(stimulus) && before.answered.get(stimulus) === key)
        this.#due({
          ...due,
          take: () => this.calls.includes(call) && this.#takeOfPerson(stimulus, call.id),
        });
    }
  }

  /** A question ends at once; any other call is answered when history answered it. */
  override cancelled(call: VirtualCall): void {
    const key = this.#keys.get(call) ?? '';
    const begun = this.#begun.get(key);
    if (begun) begun.isCancelled = true;
    if (call.type === 'ask') super.cancelled(call);
    else if (this.#before && !this.#before.begun.get(key)?.isCancelled && this.calls.includes(call))
      this.#doubt(`it cancels ${call.id}, which history let go on`);
  }

  override send(message: Outgoing): void {
    const { emitted } = ('event' in message ? message.event : {}) as Partial<EmittedEvent>;
    if (emitted) this.#emits.push(emitted as unknown as Json);
  }

  trace({ type }: EventObject): void {
    this.#push({ event: this.#eventName(type) });
    this.#events += 1;
    // Its next step may have been that of history.
    if (this.#events >= MAX_EVENTS)
      this.#doubt(`it takes more than ${MAX_EVENTS} events`, this.#steps.length - 1);
  }

  #push(step: { event: string; ended?: PlayedEnd }): void {
    const process = this.#process;
    const value: unknown = process ? process.snapshot.value : {};
    const states = leavesOf(value)
      .map((path) => renamed(path, this.#names.states))
      .sort();
    const halted = process?.halt?.code;
    const isSame = JSON.stringify(states) === JSON.stringify(this.#states);
    // An event that changes nothing is nobody's decision.
    if (isSame && !step.ended && halted === undefined && this.#starts.length + this.#emits.length === 0)
      return;
    this.#states = states;
    this.#steps.push({
      at: this.#time.now,
      ...step,
      states,
      starts: this.#starts,
      emits: this.#emits,
      ...(halted !== undefined && { halted }),
    });
    this.#starts = [];
    this.#emits = [];
  }

  #eventName(type: string): string {
    if (type.startsWith('xstate.after.')) return 'a timer';
    const [, what, id = ''] = /^xstate\.(done|error)\.actor\.(.*)$/s.exec(type) ?? [];
    if (what) return `${this.#former(id)} ${what === 'done' ? 'is done' : 'has failed'}`;
    const of = [...this.#ids].find(([now]) => type.startsWith(`${now}.`));
    if (of) return `${of[1]}${type.slice(of[0].length)}`;
    return ownOf(this.#names.events, type) ?? type;
  }

  #doubt(why: string, from = this.#steps.length): void {
    this.#unknown ??= { from, why };
  }
}

type PersonStimulus = Extract<Stimulus, { readonly kind: 'answer' | 'task' }>;

const isOfPerson = (stimulus: Stimulus): stimulus is PersonStimulus =>
  stimulus.kind === 'answer' || stimulus.kind === 'task';

function shownInput(src: string, input: Json): Json {
  if (src === 'ask') return { of: (input as JsonObject).of ?? null };
  if (src !== 'call') return input;
  const { keep: _, ...asked } = input as JsonObject;
  return asked;
}

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
