// One step of the chart, pure: snapshot and event in, snapshot and actions out.
// Tells a defect (the workflow task fails, the process waits for a repaired worker) from a refusal (the process fails).
import { ActivityFailure, ApplicationFailure, rootCause } from '@temporalio/workflow';
import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type EventObject,
  type ExecutableActionsFrom,
  initialTransition,
  transition,
} from 'xstate';
import type { Ending } from './definition.ts';

export type Action = ExecutableActionsFrom<AnyStateMachine>;

export interface Step {
  readonly snapshot: AnyMachineSnapshot;
  readonly actions: readonly Action[];
}

/** xstate does not throw what goes wrong in the first step: it is in the snapshot. All of it is a defect. */
export function firstStep(machine: AnyStateMachine, input: unknown): Step {
  const [snapshot, actions] = initialTransition(machine, input);
  if (snapshot.status === 'error') throw defect(machine, snapshot.error);
  return { snapshot, actions };
}

/** A guard, delay or assign that throws does so out of `transition`; only a failure that no state takes does not. */
export function step(machine: AnyStateMachine, from: AnyMachineSnapshot, event: EventObject): Step {
  const [snapshot, actions] = transition(machine, from, event);
  if (snapshot.status === 'error') throw refused(snapshot.error);
  return { snapshot, actions };
}

function defect(machine: AnyStateMachine, cause: unknown): Error {
  return new Error(`the definition ${machine.id} cannot be started: ${String(cause)}`, { cause });
}

/** The workflow fails with the code of what refused it, not with "activity failed" around it. */
function refused(failure: unknown): ApplicationFailure {
  const cause = failure instanceof ActivityFailure ? failure.cause : failure;
  return refusal({
    code: cause instanceof ApplicationFailure && cause.type ? cause.type : 'ActivityFailed',
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
