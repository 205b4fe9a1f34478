// One step of a machine, or of other logic, pure: snapshot and event in, snapshot and actions out. It separates a
// defect (the workflow task fails, the process waits for a repaired worker) from a refusal (the process fails).
import { ActivityFailure, ApplicationFailure, ChildWorkflowFailure, rootCause } from '@temporalio/workflow';
import type { AnyActorLogic, AnyMachineSnapshot, AnyStateMachine, EventObject } from 'xstate';
import type { Ending } from './definition.ts';
import { type Action, inertActor, Scope, type Step } from './xstate-internals.ts';

export type { Action, Step };

/** xstate does not throw errors of the first step: they are in the snapshot. All of them are defects. */
export function firstStep(
  logic: AnyActorLogic,
  input: unknown,
  scope: Scope = new Scope(inertActor(logic)),
): Step {
  const first = scope.first(input);
  if (first.snapshot.status === 'error') throw notStartable(logic, first.snapshot.error);
  return first;
}

/** A step of the root machine: it throws a failure that none of its states handles. */
export function step(machine: AnyStateMachine, from: AnyMachineSnapshot, event: EventObject): Step {
  const next = stepWithin(new Scope(inertActor(machine)), from, event);
  if (next.snapshot.status === 'error') throw refused(next.snapshot.error);
  return next;
}

/** An error of any class that a machine throws is a defect: as an ApplicationFailure it would end the process. */
export function stepWithin(scope: Scope, from: AnyMachineSnapshot, event: EventObject): Step {
  try {
    return scope.next(from, event);
  } catch (error) {
    if (!(error instanceof ApplicationFailure)) throw error;
    throw new Error(`the machine cannot take its step: ${error.message}`, { cause: error });
  }
}

function notStartable(logic: AnyActorLogic, cause: unknown): Error {
  const { id } = logic as Partial<AnyStateMachine>;
  return new Error(`the machine ${id ?? ''} cannot be started: ${String(cause)}`, { cause });
}

/** The workflow fails with the code of the refusal, not with "activity failed" around it. */
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

/** Not of category BENIGN, unlike its activity's failure: operators count refused processes with that metric. */
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
