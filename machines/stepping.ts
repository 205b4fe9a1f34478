// xstate's pure steps without their hidden cost. It makes an actor of the machine for each `transition`, and that actor
// computes the machine's first snapshot, without input, for nobody.
import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate';

type FirstSnapshot = AnyStateMachine['getInitialSnapshot'];

/** The same machine to xstate's `initialTransition` and `transition`; its first snapshot is computed for an input alone. */
export function stepping<Machine extends AnyStateMachine>(machine: Machine): Machine {
  const getInitialSnapshot = (
    ...[scope, input]: Parameters<FirstSnapshot>
  ): AnyMachineSnapshot | undefined =>
    input === undefined ? undefined : machine.getInitialSnapshot(scope, input);
  return Object.assign(Object.create(machine), { getInitialSnapshot });
}
