// One step of a machine, or of other logic, pure: snapshot and event in, snapshot and actions out.
// Tells a defect (the workflow task fails, the process waits for a repaired worker) from a refusal (the process fails).
import { ActivityFailure, ApplicationFailure, ChildWorkflowFailure, rootCause } from '@temporalio/workflow';
import type { AnyActorLogic, AnyMachineSnapshot, AnyStateMachine, EventObject } from 'xstate';
import type { Ending } from './definition.ts';
import { type Action, inertActor, Scope } from './scope.ts';

export type { Action };

export interface Step {
  readonly snapshot: AnyMachineSnapshot;
  readonly actions: readonly Action[];
}

/** xstate does not throw what goes wrong in the first step: it is in the snapshot. All of it is a defect. */
export function firstStep(
  logic: AnyActorLogic,
  input: unknown,
  scope: Scope = new Scope(inertActor(logic)),
): Step {
  const first = scope.step((within) => logic.getInitialSnapshot(within, input));
  if (first.snapshot.status === 'error') throw notStartable(logic, first.snapshot.error);
  return first;
}

/** A step of a machine that is no child: a failure that none of its states takes is thrown. */
export function step(machine: AnyStateMachine, from: AnyMachineSnapshot, event: EventObject): Step {
  const next = stepWithin(new Scope(inertActor(machine)), machine, from, event);
  if (next.snapshot.status === 'error') throw refused(next.snapshot.error);
  return next;
}

/** A guard, delay or assign that throws does so out of `transition`; only a failure that no state takes does not. */
export function stepWithin(
  scope: Scope,
  logic: AnyActorLogic,
  from: AnyMachineSnapshot,
  event: EventObject,
): Step {
  return scope.step((within) => taken(() => logic.transition(from, event, within)));
}

/** What a machine throws is a defect, of any class: as an ApplicationFailure it would end the process. */
function taken<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof ApplicationFailure)) throw error;
    throw new Error(`the machine cannot take its step: ${error.message}`, { cause: error });
  }
}

function notStartable(logic: AnyActorLogic, cause: unknown): Error {
  const { id } = logic as Partial<AnyStateMachine>;
  return new Error(`the machine ${id ?? ''} cannot be started: ${String(cause)}`, { cause });
}

/** The workflow fails with the code of what refused it, not with "activity failed" around it. */
export function refused(failure: unknown): ApplicationFailure {
  const isWrapped = failure instanceof ActivityFailure || failure instanceof ChildWorkflowFailure;
  const cause = isWrapped ? failure.cause : failure;
  const fallback = failure instanceof ChildWorkflowFailure ? 'ChildWorkflowFailed' : 'ActivityFailed';
  return refusal({
    code: cause instanceof ApplicationFailure && cause.type ? cause.type : fallback,
    message: rootCause(failure) ?? 'an activity failed',
    details: cause instanceof ApplicationFailure ? (cause.details ?? []) : [],
    ...(failure instanceof Error ? { cause: failure } : {}),
  });
}

/** Not of category BENIGN, as its activity's failure is: operators watch how many processes are refused by that metric. */
export function refusal({
  code,
  message,
  details = [],
  cause,
}: Omit<Extract<Ending, { kind: 'failed' }>, 'kind'> & { readonly cause?: Error }): ApplicationFailure {
  return ApplicationFailure.create({
    type: code,
    message,
    details: [...details],
    nonRetryable: true,
    ...(cause && { cause }),
  });
}
