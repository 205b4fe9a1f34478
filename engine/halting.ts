// A step that throws halts its process: it takes nothing more until a person decides about the event of that step.
import type { EventObject } from 'xstate';
import type { OpenCall } from './calls.ts';
import { actorOf } from './chart/messages.ts';
import { notPossible, type Rejection } from './commands.ts';
import type { Halt, HaltReason } from './definition/halt-rules.ts';
import type { Decision, Entry } from './inbox.ts';
import { dropProblem } from './migration/reachability.ts';
import type { RunningProcess } from './running-chart.ts';
import { iso, type Timer } from './timers.ts';

export class Halting {
  readonly #of: RunningProcess;
  #halt: Halt | undefined;
  #unhandledProcedure: OpenCall | undefined;
  /** Timers that were due at once, taken directly one after the other. */
  #rounds = 0;
  /** A person has decided so, or its first step has failed. */
  #isGivenUp = false;

  constructor(of: RunningProcess) {
    this.#of = of;
  }

  get halt(): Halt | undefined {
    return this.#halt;
  }

  get isGivenUp(): boolean {
    return this.#isGivenUp;
  }

  /** The procedure whose answer the failed step could not take. */
  get unhandledProcedure(): OpenCall | undefined {
    return this.#unhandledProcedure;
  }

  /** The event of a step that throws stays the next one of the chart. */
  attempt(step: () => void): void {
    const { cancellation, definition } = this.#of;
    definition.stepping?.({ isCancelled: cancellation !== undefined });
    this.haltIfThrows(step);
    if (!this.#halt) this.#unhandledProcedure = undefined;
  }

  /** As a part of an attempt. */
  haltIfThrows(step: () => void): void {
    try {
      step();
    } catch (error) {
      const { definition, chart } = this.#of;
      const halt = definition.halting?.ofError(error);
      if (!halt) throw error;
      const failed = chart.waiting[0];
      if (this.#unhandledProcedure && !isAnswerOf(this.#unhandledProcedure, failed))
        this.#unhandledProcedure = undefined;
      this.#haltAt(failed ?? { type: '' }, halt);
    }
  }

  /** The step that follows takes the answer of this call. */
  expectAnswerOf(call: OpenCall): void {
    this.#unhandledProcedure = call.kind === 'procedure' ? call : undefined;
  }

  /** Timers that were due at once go around without a pause, as long as nothing else comes between them. */
  countRound(entry: Entry): void {
    if (entry.kind !== 'timer' || !isDueAtOnce(entry.timer)) this.#rounds = 0;
  }

  /** In place of a step that takes the timer. Its event waits as that of a step that fails. */
  haltsAround(timer: Timer): boolean {
    // An inline actor has only so many, however late it is: bookings after an outage.
    if (timer.of !== undefined || !isDueAtOnce(timer)) return false;
    const { definition, chart } = this.#of;
    const { event, delay } = timer;
    const halt = definition.halting?.ofLoop?.(this.#rounds, delay.name);
    this.#rounds = halt ? 0 : this.#rounds + 1;
    if (!halt) return false;
    chart.waiting.push(event);
    this.#haltAt(event, halt);
    return true;
  }

  #haltAt(event: EventObject, halt: HaltReason): void {
    const { host } = this.#of;
    this.#halt = { ...halt, event: event.type, since: iso(host.now()) };
    host.trace?.(event, false);
  }

  /** The chart is another one, which takes the event of the failed step again. */
  lift(): void {
    this.#halt = undefined;
  }

  /**
   * The process goes on without the event of the failed step. If that was the answer of a procedure, the procedure begins again:
   * nobody else would bring another answer, and its state would wait for ever.
   */
  release(): void {
    const call = this.#unhandledProcedure;
    this.#halt = undefined;
    this.#unhandledProcedure = undefined;
    const logic = call && this.#of.chart.logicOfCall(call);
    if (logic) this.#of.calls.start(call.of, { id: call.id, logic, input: call.input });
  }

  /** Why the decision is not possible now; undefined: it is. */
  decisionRefusal(decision: Decision): Rejection | undefined {
    if (!this.#halt) return notPossible('the process is not halted: no step has failed');
    if (this.#isGivenUp) return notPossible('the process is given up already, and cleans up');
    const problem = decision === 'dropEvent' ? dropProblem(this.#of) : undefined;
    return problem === undefined ? undefined : notPossible(problem);
  }

  /** It cancels what it has begun, and fails. */
  giveUp(): void {
    const { calls, chart } = this.#of;
    this.#isGivenUp = true;
    this.#of.isCalledOff = true;
    calls.requestCancellation();
    if (chart.actors.haveToCleanUp) chart.actors.requestCancellation();
  }

  /** For a copy of the process. */
  takeOver({ halt, unhandledProcedure, isGivenUp }: Halting): void {
    this.#isGivenUp = isGivenUp;
    this.#halt = halt;
    this.#unhandledProcedure = unhandledProcedure;
  }
}

/** A part gets an answer directly: no event of the chart waits then. */
const isAnswerOf = ({ id, of }: OpenCall, failed: EventObject | undefined): boolean =>
  of === undefined && failed ? actorOf(failed.type) === id : failed === undefined;

// A moment that is past may wait for the least time that there is.
const isDueAtOnce = ({ dueAt, armedAt }: Timer): boolean => dueAt - armedAt <= 1;
