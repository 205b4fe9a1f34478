// Your own function within the workflow as an actor of the chart. It needs no activity and no separate workflow: it
// waits for a message to the workflow.
import type { EventObject, PromiseActorLogic } from 'xstate';
import type { Clock } from '../clock.ts';
import { neverRun } from './activity-call.ts';

/** A replay runs it again: it must be deterministic, like everything in a workflow. */
export interface Procedure {
  /** Rejects with CancelledFailure when its scope is cancelled, as Temporal's own promises do. */
  readonly result: Promise<unknown>;
  /** Events that are sent to it. */
  tell?(event: EventObject): void;
}

export type ProcedureLogic<Output, Input> = PromiseActorLogic<Output, Input> & {
  readonly procedure: { readonly name: string; begin(input: Input, clock: Clock): Procedure };
};

/** If it waits for a time, it must do so by the process's clock. */
export function procedure<Output = unknown, Input = unknown>(
  name: string,
  begin: (input: Input, clock: Clock) => Procedure,
): ProcedureLogic<Output, Input> {
  return { ...neverRun<Output, Input>(name), procedure: { name, begin } };
}

export function isProcedureLogic(logic: unknown): logic is ProcedureLogic<unknown, unknown> {
  return typeof logic === 'object' && logic !== null && 'procedure' in logic;
}
