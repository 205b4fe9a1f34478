// Plays what happened to a real process through a version of its file, in virtual time: the one that it ran on, or another.
// What history does not know is never guessed: there the play says so, and stops being sure.
import type { EventObject } from 'xstate';
import type { Answers, Call, Outgoing, RunningCall } from '../../engine/host.ts';
import { noReply } from '../../engine/inbox.ts';
import type { Process } from '../../engine/process.ts';
import { type VirtualCall, VirtualHost, VirtualTime } from '../../engine/virtual-host.ts';
import { bookingsIn } from '../booking/own-bookings.ts';
import { expressionFailureIn } from '../language/expressions/failure.ts';
import type { Json } from '../language/flow-file.ts';
import type { EmittedEvent } from '../language/machine/machine-runtime.ts';
import type { FlowFileProgress } from '../language/machine/progress.ts';
import { Dues } from './dues.ts';
import { FormerNames } from './former-names.ts';
import { doubtAbout, type MadeCall, MadeCalls } from './made-calls.ts';
import { PlayedPeople } from './played-people.ts';
import { playedProcess, type Version } from './played-process.ts';
import { type PlayedStep, PlayedSteps } from './played-steps.ts';
import { PlayedUpdates } from './played-updates.ts';
import {
  type CameOfCall,
  isOfPerson,
  type PersonStimulus,
  type RecordedProcess,
  type Stimulus,
} from './recorded-process.ts';

export interface Play {
  readonly steps: readonly PlayedStep[];
  /** From where on it is not sure: the number of steps before, and why. */
  readonly unknown: { readonly from: number; readonly why: string } | undefined;
  /** The calls that it made and the questions that it asked, by their keys. */
  readonly made: ReadonlyMap<string, MadeCall>;
  /** Which question each answer was for. */
  readonly answered: ReadonlyMap<Stimulus, string>;
}

/** A file with a circle of timers would never come to an end, also one whose steps nobody sees. */
const MAX_EVENTS = 20_000;

/** @param before what the version did that the process ran on; without it, this is that version */
export const played = (recorded: RecordedProcess, on: Version, before?: Play): Play =>
  new PlayedHistory(recorded, on, before).play();

/** The host of the played process: what it calls is answered as history says. */
class PlayedHistory extends VirtualHost {
  readonly #recorded: RecordedProcess;
  readonly #on: Version;
  readonly #before: Play | undefined;
  readonly #names: FormerNames;
  readonly #time: VirtualTime;
  readonly #made: MadeCalls;
  readonly #people: PlayedPeople;
  readonly #updates: PlayedUpdates;
  readonly #steps: PlayedSteps;
  readonly #dues = new Dues();
  #events = 0;
  #unknown: { from: number; why: string } | undefined;
  #process: Process | undefined;

  constructor(recorded: RecordedProcess, on: Version, before?: Play) {
    const time = new VirtualTime(recorded.begunAt);
    super(time);
    this.#time = time;
    this.#recorded = recorded;
    this.#on = on;
    this.#before = before;
    this.#names = new FormerNames(on.file, before && recorded.file);
    this.#made = new MadeCalls(this.#names);
    this.#people = new PlayedPeople(this.#made);
    this.#updates = new PlayedUpdates(this.#names);
    this.#steps = new PlayedSteps(this.#names);
  }

  play(): Play {
    this.#play();
    const unknown = this.#unknown;
    return { steps: this.#steps.all, unknown, made: this.#made.all, answered: this.#people.answered };
  }

  #play(): void {
    const { input, beside = {}, key, stimuli } = this.#recorded;
    const { questions } = this.#people;
    try {
      const given = { ...this.#on, input, beside, key, questions, host: this, halted: () => undefined };
      this.#process = playedProcess(given).process;
      // The others come when the file makes its calls and asks its questions.
      for (const [number, stimulus] of stimuli.entries())
        if (!this.#before || !(stimulus.kind === 'call' || isOfPerson(stimulus)))
          this.#dues.add({ at: stimulus.at, number, take: () => this.#take(stimulus) });
      this.#expectCalls();
      this.#process.begin();
      this.#drain();
      this.#takeAll();
      this.#goOn();
    } catch (error) {
      const code = expressionFailureIn(error)?.code;
      if (code === undefined) throw error;
      // Its first step fails: the process does not begin.
      this.#steps.failAtStart(this.#time.now, code);
    }
  }

  /** What was reported after something was undone came of that. */
  #expectCalls(): void {
    for (const { key, id, src, at, asked } of this.#before?.made.values() ?? []) {
      if (!asked || src === 'book') continue;
      const take = () => {
        if (!this.#made.all.has(key))
          this.#doubtNext(
            `it does not call ${id} when the process did, and what was reported then came of that`,
          );
      };
      this.#dues.add({ at, number: Number.POSITIVE_INFINITY, take });
    }
  }

  #takeAll(): void {
    while (this.#isOpen) {
      const { next } = this.#dues;
      this.#passTo(next?.at ?? this.#recorded.until);
      if (!this.#isOpen || (!next && !this.#dues.next)) return;
      // A timer may have made a call that was answered before.
      if (next !== this.#dues.next) continue;
      this.#dues.take();
      this.#drain();
    }
  }

  /** After the end of its history, only what timers alone decide is known; a terminated process would have gone on. */
  #goOn(): void {
    const { end } = this.#recorded;
    if (end === null || end.status === 'terminated') return;
    while (this.#isOpen) {
      const [next] = this.#openProcess.timers.open
        .map(({ dueAt }) => dueAt)
        .sort((one, other) => one - other);
      if (next === undefined || this.#isWaiting) {
        this.#doubt('its history ends where it still waits for something from outside');
        return;
      }
      this.#passTo(next);
      this.#takeAll();
    }
  }

  get #isWaiting(): boolean {
    const { pending } = this.#openProcess;
    if (this.calls.length > 0 || bookingsIn(pending.actors).some(({ isEnded }) => !isEnded)) return true;
    const { events } = this.#openProcess.progress() as FlowFileProgress;
    return events.length > 0;
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
      if (!this.#isOpen || (this.#dues.next?.at ?? at) < at) break;
    }
  }

  #drain(): void {
    const process = this.#openProcess;
    process.drain();
    if (!process.isOpen) this.#steps.end(this.#time.now, process);
  }

  #take(stimulus: Stimulus): void {
    const process = this.#openProcess;
    switch (stimulus.kind) {
      case 'cancellation':
        process.cancel('cancelled');
        return;
      case 'decision':
        if (process.halt) process.decide(stimulus.decision, 'played', noReply);
        return;
      case 'call': {
        const call = this.calls.find((each) => this.#made.keyOf(each) === stimulus.call);
        if (call) answer(call, stimulus.came);
        return;
      }
      case 'event':
        process.signal('event', this.#names.eventNow(stimulus.payload));
        return;
      case 'signal':
        process.signal(stimulus.name, stimulus.payload);
        return;
      case 'update':
        this.#update(stimulus.name, stimulus.given);
        return;
      default:
        this.#takeOfPerson(stimulus);
    }
  }

  #update(name: string, given: unknown): void {
    const why = this.#updates.take(this.#openProcess, name, given);
    if (why !== undefined) this.#doubtNext(why);
  }

  /** @param question what it is for now, where the file asks it by another id */
  #takeOfPerson(stimulus: PersonStimulus, question?: string): void {
    const why = this.#people.take(stimulus, question);
    if (why !== undefined) this.#doubt(why);
  }

  override call(made: Call, answers: Answers): RunningCall {
    const running = super.call(made, answers);
    const call = this.calls.at(-1);
    if (call) this.#called(call);
    return running;
  }

  #called(call: VirtualCall): void {
    const made = this.#made.add(call, this.#time.now);
    this.#steps.starts(made);
    if (this.#before) this.#planAnswers(call, made, this.#before);
  }

  /** What came of it comes as long after its beginning as it did. */
  #planAnswers(call: VirtualCall, made: MadeCall, before: Play): void {
    const { key } = made;
    const then = before.made.get(key);
    const doubt = doubtAbout(call.id, made, then);
    if (doubt !== undefined) this.#doubt(doubt);
    // The service has given no answer to that.
    const isUnanswered = made.asked !== undefined && doubt !== undefined;
    if (then?.src !== made.src || isUnanswered) return;
    const later = made.at - then.at;
    for (const [number, stimulus] of this.#recorded.stimuli.entries()) {
      const due = { at: stimulus.at + later, number };
      if (stimulus.kind === 'call' && stimulus.call === key)
        this.#dues.add({ ...due, take: () => this.#answer(call, stimulus.came, { now: made, then }) });
      // Nobody answers or claims a question that is no longer open.
      if (isOfPerson(stimulus) && before.answered.get(stimulus) === key)
        this.#dues.add({
          ...due,
          take: () => this.calls.includes(call) && this.#takeOfPerson(stimulus, call.id),
        });
    }
  }

  #answer(call: VirtualCall, came: CameOfCall, { now, then }: Record<'now' | 'then', MadeCall>): void {
    if (then.isCancelled && !now.isCancelled && !('event' in came))
      this.#doubtNext(`it lets ${call.id} go on, which history cancelled`);
    else answer(call, came);
  }

  /** A question ends at once; any other call is answered when history answered it. */
  override cancelled(call: VirtualCall): void {
    const key = this.#made.keyOf(call);
    const made = this.#made.all.get(key);
    if (made) made.isCancelled = true;
    if (call.type === 'ask') super.cancelled(call);
    else if (this.#before && !this.#before.made.get(key)?.isCancelled && this.calls.includes(call))
      this.#doubt(`it cancels ${call.id}, which history let go on`);
  }

  override send(message: Outgoing): void {
    const { emitted } = ('event' in message ? message.event : {}) as Partial<EmittedEvent>;
    if (emitted) this.#steps.emits(emitted as unknown as Json);
  }

  trace({ type }: EventObject): void {
    this.#steps.take(this.#time.now, type, this.#openProcess);
    this.#events += 1;
    if (this.#events >= MAX_EVENTS) this.#doubtNext(`it takes more than ${MAX_EVENTS} events`);
  }

  /** Its next step may have been that of history. */
  #doubtNext(why: string): void {
    this.#doubt(why, this.#steps.all.length - 1);
  }

  #doubt(why: string, from = this.#steps.all.length): void {
    this.#unknown ??= { from, why };
  }
}

function answer(call: VirtualCall, came: CameOfCall): void {
  if ('event' in came) call.event(came.event);
  else if ('output' in came) call.done(came.output);
  else call.failed(came.error);
}
