// The events of a machine that come from outside: those that no part of it makes by itself.
import type { AnyStateMachine, AnyStateNode } from 'xstate';

/** The event that the chart gets when someone cancels the workflow; one that takes none ends at once. */
export const CANCEL_REQUESTED = 'cancelRequested';

/** Of xstate's own events the only one that is sent: it asks for a state that has a `route`. */
const ROUTE = 'xstate.route';

export const nodesOf = (node: AnyStateNode): AnyStateNode[] => [
  node,
  ...Object.values(node.states).flatMap(nodesOf),
];

/** As they stand in the states of the machine, each once. */
const descriptors = (machine: AnyStateMachine): string[] => [
  ...new Set(nodesOf(machine.root).flatMap(({ transitions }) => [...transitions.keys()])),
];

const isWild = (descriptor: string) => descriptor === '*' || descriptor.endsWith('.*');

export function messagesOf(machine: AnyStateMachine): string[] {
  return descriptors(machine).filter(
    (type) => !isWild(type) && type !== CANCEL_REQUESTED && (type === ROUTE || !type.startsWith('xstate.')),
  );
}

export function hasWildcard(machine: AnyStateMachine): boolean {
  return descriptors(machine).some(isWild);
}
