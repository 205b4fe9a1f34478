// What a process takes along when its history has grown long and it continues as a new run.
import { type AnyMachineSnapshot, type AnyStateMachine, createActor, type Snapshot } from 'xstate';
import type { OpenTimer } from './timers.ts';

export interface Continued {
  readonly version: number;
  readonly snapshot: Snapshot<unknown>;
  readonly timers: readonly OpenTimer[];
}

export function persisted(machine: AnyStateMachine, snapshot: AnyMachineSnapshot): Snapshot<unknown> {
  return machine.getPersistedSnapshot(snapshot);
}

/** The actor is never started: it only turns the plain snapshot into one that `transition` takes. */
export function restored(machine: AnyStateMachine, snapshot: Snapshot<unknown>): AnyMachineSnapshot {
  return createActor(machine, { snapshot }).getSnapshot();
}
