// A process's host on Temporal: its timers, its activities and child workflows, and when it wakes. A cancellation of the
// workflow reaches none of them by itself; the chart gets it as an event.
import { CancelledFailure, condition, log, sleep, workflowInfo } from '@temporalio/workflow';
import type { EventObject } from 'xstate';
import type { ProcedureHost, ProcedureLogic } from '../actor-kinds.ts';
import type { CarriedChild, Continued } from '../continued.ts';
import type { Alarm, Answers, Call, Host, Outgoing, RunningCall } from '../host.ts';
import type { Process } from '../process.ts';
import { callActivity } from './call-activity.ts';
import { Children } from './children.ts';
import { asIf, ignoreCancellation, type MovableClock } from './movable-clock.ts';
import type { OperatorView } from './operator-view.ts';
import { Outbox } from './outbox.ts';
import { isPutOff, PutOffCalls } from './put-off-calls.ts';
import { Scope, shielded } from './scope.ts';
import { traceStep } from './trace.ts';

interface Parts {
  readonly view: OperatorView;
  /** Null: the real time. */
  readonly clock: MovableClock | null;
  readonly continued: Continued | undefined;
  migrated(process: Process): void;
}

export class TemporalHost implements Host {
  readonly outbox: Outbox;
  readonly children: Children;
  readonly #parts: Parts;
  #process: Process | null = null;
  #wake = (): void => undefined;
  readonly #putOff: PutOffCalls;
  /** There is no next one: what the process would carry to it is more than Temporal takes. */
  isLastRun = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { continued } = parts;
    this.#putOff = new PutOffCalls(
      (made, answers) => this.#start(made, answers),
      (dueAt, summary, ring) => this.alarm(dueAt, summary, ring),
      () => this.#untilAllHasCome(),
    );
    this.outbox = new Outbox(() => this.process.definition, continued);
    this.children = new Children(
      { changed: () => this.wake(false), forged: () => this.#process?.definition.messages.forged?.() },
      continued?.children,
    );
  }

  /** The process whose host it is; it is made on this host. */
  attach(process: Process): void {
    this.#process = process;
  }

  get process(): Process {
    if (!this.#process) throw new TypeError('the host has no process yet; expected it to be attached first');
    return this.#process;
  }

  now(): number {
    return Date.now();
  }

  asIf<Result>(moment: number, compute: () => Result): Result {
    return asIf(moment, compute);
  }

  alarm(dueAt: number, summary: string, ring: () => void): Alarm {
    const { clock } = this.#parts;
    if (clock) return clock.at(dueAt, summary, ring);
    const scope = new Scope();
    // A sleep of 0 would not wait at all; a timer that is due still comes after the entries in the inbox.
    const delay = Math.max(1, dueAt - Date.now());
    void scope.run(() => sleep(delay, { summary })).then(ring, ignoreCancellation);
    return scope;
  }

  call(made: Call, answers: Answers): RunningCall {
    const { kept, isWithin = false } = made;
    // Somebody waits for the reply to an update, and the run for that.
    const mayWait = isWithin && kept === undefined && !this.process.replies.areOpen;
    return mayWait && this.#hasNextRun ? this.#putOff.add(made, answers) : this.#start(made, answers);
  }

  #start({ logic, input, kept: given }: Call, answers: Answers): RunningCall {
    const kept = isPutOff(given) ? undefined : given;
    if ('child' in logic)
      return kept === undefined
        ? this.children.start(logic.child, input, answers)
        : this.children.resume(kept as CarriedChild, answers);
    if ('procedure' in logic) return this.#procedure(logic, { input, kept, answers });
    const scope = new Scope();
    const { call } = logic;
    void scope.run(() => callActivity(call, input)).then(answers.done, answers.failed);
    return { cancel: () => scope.cancel(), send: () => undefined, end: () => undefined };
  }

  /** A cancelled process ends in the run in which it is. */
  get #hasNextRun(): boolean {
    return (
      workflowInfo().continueAsNewSuggested && !this.isLastRun && this.process.cancellation === undefined
    );
  }

  get isParentListening(): boolean {
    return this.outbox.parent.isListening;
  }

  send(message: Outgoing): void {
    this.outbox.send(message);
  }

  log(message: string, fields: object): void {
    log.info(message, { ...fields });
  }

  acted(): void {
    const { view, clock } = this.#parts;
    view.acted(Date.now() - (clock?.aheadMs ?? 0));
  }

  wake(isCancellation: boolean): void {
    if (isCancellation) void this.#untilAllHasCome().then(() => this.#wake());
    else this.#wake();
  }

  settle(): void {
    if (!this.#hasNextRun) this.#putOff.begin();
    this.#parts.view.show(this.process);
    this.outbox.start();
  }

  migrated(): void {
    this.#parts.migrated(this.process);
  }

  trace({ type }: EventObject, isTaken: boolean): void {
    traceStep(this.process, type, isTaken);
  }

  /**
   * Two turns after the first entry: what came with it is there then. Not by `condition`, which takes its turn only when
   * Temporal asks once more: a call into the sandbox for each answer of an activity. And with as few promises as can be:
   * each costs Temporal a stack.
   */
  hasCome(process: Process): Promise<void> {
    return new Promise<void>((resolve) => {
      this.#wake = () => resolve(aTurnLater);
      if (!process.inbox.isEmpty) this.#wake();
    });
  }

  aTurn(): Promise<void> {
    return new Promise((resolve) => resolve(aTurnLater));
  }

  /** Temporal checks a condition again after all events of its task. */
  #untilAllHasCome(): Promise<void> {
    let isAsked = false;
    const asked = shielded(() => condition(() => isAsked));
    isAsked = true;
    return asked;
  }

  #procedure(
    { procedure: { name, begin } }: ProcedureLogic<unknown, unknown>,
    { input, kept, answers }: StartedCall,
  ): RunningCall {
    const alarms: Alarm[] = [];
    let isAnswered = false;
    let isOver = false;
    // Events that are not in the inbox yet: the continued run would not know of them.
    let onTheirWay = 0;
    // Once all has come, so that an update which leads to it is answered before the next step.
    const answered = (answer: () => void): void => {
      if (isAnswered || isOver) return;
      isAnswered = true;
      void this.#untilAllHasCome().then(() => {
        for (const alarm of alarms.splice(0)) alarm.cancel();
        answer();
      });
    };
    const host: ProcedureHost = {
      now: () => Date.now(),
      alarm: (dueAt, summary, ring) => void alarms.push(this.alarm(dueAt, summary, ring)),
      done: (output) => answered(() => answers.done(output)),
      failed: (error) => answered(() => answers.failed(error)),
      // As an answer: a step that ends the process must not come before the reply to the update that leads to it.
      event: (event) => {
        onTheirWay += 1;
        void this.#untilAllHasCome().then(() => {
          onTheirWay -= 1;
          if (!isAnswered && !isOver) answers.event(event);
        });
      },
    };
    const running = begin(input, host, kept);
    const end = () => {
      if (isOver) return;
      isOver = true;
      const cancel = () => {
        for (const alarm of alarms) alarm.cancel();
      };
      if (this.#parts.clock) cancel();
      // A turn later, as by a scope around them: their commands keep their place in histories.
      else if (alarms.length > 0) void Promise.resolve().then(cancel);
      running.end?.();
    };
    return {
      cancel: () => {
        answered(() => answers.failed(new CancelledFailure(`${name} was cancelled`)));
        end();
      },
      send: () => undefined,
      // One that has answered is not begun again by it.
      changed: ({ input: changed }) => {
        if (!isAnswered && !isOver) running.changed?.(changed);
      },
      end,
      // Its answer is on its way to the inbox.
      get kept() {
        return isAnswered || onTheirWay > 0 ? undefined : running.kept?.();
      },
    };
  }
}

interface StartedCall {
  readonly input: unknown;
  readonly kept: unknown;
  readonly answers: Answers;
}

/** A value that settles a promise one turn later. */
const aTurnLater: PromiseLike<void> = {
  // biome-ignore lint/suspicious/noThenProperty: a promise of its own would cost a stack
  then: (resolve) => {
    resolve?.();
    return aTurnLater as never;
  },
};
