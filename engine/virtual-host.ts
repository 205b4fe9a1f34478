// A host with virtual time, for everything that plays a process without Temporal: stories, backtests and tests. Nothing in it
// happens by itself: whoever plays the process moves the time, answers its calls, and drains its inbox.
import type { EventObject } from 'xstate';
import { callTypeOf } from './actor-kinds.ts';
import {
  Agenda,
  type Alarm,
  type Answers,
  type Call,
  type Host,
  type Outgoing,
  type RunningCall,
} from './host.ts';

/** Stands still until somebody moves it. All processes that are played together share one. */
export class VirtualTime {
  readonly #agenda = new Agenda();
  #now: number;

  /** @param now milliseconds since 1970 */
  constructor(now: number) {
    this.#now = now;
  }

  get now(): number {
    return this.#now;
  }

  at(dueAt: number, summary: string, ring: () => void): Alarm {
    // Never at once, as on Temporal.
    const due = { dueAt: Math.max(this.#now + 1, dueAt), summary, ring };
    this.#agenda.add(due);
    return { cancel: () => this.#agenda.drop(due) };
  }

  asIf<Result>(moment: number, compute: () => Result): Result {
    const now = this.#now;
    this.#now = moment;
    try {
      return compute();
    } finally {
      this.#now = now;
    }
  }

  /** Rings what is due until then, and yields after each moment: the player takes it before it asks for the next. */
  *passing(until: number): Generator<void> {
    for (let next = this.#agenda.next; next && next.dueAt <= until; next = this.#agenda.next) {
      this.#now = next.dueAt;
      this.#agenda.take()?.ring();
      yield;
    }
    this.#now = Math.max(this.#now, until);
  }
}

/** A call that waits for the player to answer it. */
export interface VirtualCall extends Call, Answers {
  /** The activity's or workflow's type, or the procedure's name. */
  readonly type: string;
}

/** An event that the process has sent to a child workflow. */
interface SentToChild {
  readonly to: 'child';
  /** Its actor's id. */
  readonly id: string;
  readonly event: EventObject;
}

/** The host of one process. */
export class VirtualHost implements Host {
  readonly isParentListening: boolean;
  readonly #time: VirtualTime;
  #calls: VirtualCall[] = [];
  #sent: (Outgoing | SentToChild)[] = [];

  constructor(time: VirtualTime, { isParentListening = false } = {}) {
    this.#time = time;
    this.isParentListening = isParentListening;
  }

  /** A call is asked to end early. By itself it ends at once; a player may let it answer later, or otherwise. */
  cancelled(call: VirtualCall): void {
    call.failed(cancellation(call));
  }

  /** Calls without an answer, in the order in which they were made. */
  get calls(): readonly VirtualCall[] {
    return this.#calls;
  }

  /** What has left the process since this was called last. */
  takeSent(): (Outgoing | SentToChild)[] {
    const sent = this.#sent;
    this.#sent = [];
    return sent;
  }

  now(): number {
    return this.#time.now;
  }

  asIf<Result>(moment: number, compute: () => Result): Result {
    return this.#time.asIf(moment, compute);
  }

  alarm(dueAt: number, summary: string, ring: () => void): Alarm {
    return this.#time.at(dueAt, summary, ring);
  }

  call(made: Call, answers: Answers): RunningCall {
    const { logic, input } = made;
    const close = () => {
      this.#calls = this.#calls.filter((each) => each !== call);
    };
    const answered = (answer: () => void) => {
      if (!this.#calls.includes(call)) return;
      close();
      answer();
    };
    const call: VirtualCall = {
      ...made,
      type: callTypeOf(logic),
      done: (output) => answered(() => answers.done(output)),
      failed: (error) => answered(() => answers.failed(error)),
      event: (event) => answers.event(event),
    };
    this.#calls.push(call);
    const running = { cancel: () => this.cancelled(call), send: () => undefined, end: close };
    const changed = (now: Omit<Call, 'kept'>) => void Object.assign(call, now);
    const sendToChild = (event: EventObject) => void this.#sent.push({ to: 'child', id: call.id, event });
    if ('child' in logic) return { ...running, send: sendToChild, changed, kept: {} };
    if (!('procedure' in logic)) return { ...running, changed };
    const alarms: Alarm[] = [];
    const host = {
      now: () => this.#time.now,
      alarm: (dueAt: number, summary: string, ring: () => void) =>
        void alarms.push(this.#time.at(dueAt, summary, ring)),
      done: call.done,
      failed: call.failed,
      event: call.event,
    };
    const begun = logic.procedure.begin(input, host, made.kept);
    const release = () => {
      for (const alarm of alarms) alarm.cancel();
      close();
      begun.end?.();
    };
    return {
      ...running,
      end: release,
      changed: (now) => {
        if (!this.#calls.includes(call)) return;
        changed(now);
        begun.changed?.(now.input);
      },
      get kept() {
        return begun.kept?.();
      },
    };
  }

  send(message: Outgoing): void {
    this.#sent.push(message);
  }
}

/** By its name, as Temporal's own failure of a cancelled call. */
function cancellation({ type }: VirtualCall): Error {
  return Object.assign(new Error(`${type} was cancelled`), { name: 'CancelledFailure' });
}
