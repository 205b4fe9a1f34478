// The events of a machine that come from outside: no part of the machine makes them.
import type { AnyStateMachine, AnyStateNode } from 'xstate';

/** The event for the chart when the workflow is cancelled; a chart that does not take it ends at once. */
export const CANCEL_REQUESTED = 'cancelRequested';

/** The only event of xstate that comes from outside: it asks for a state that has a `route`. */
const ROUTE = 'xstate.route';

export const nodesOf = (node: AnyStateNode): AnyStateNode[] => [
  node,
  ...Object.values(node.states).flatMap(nodesOf),
];

/** The events in the states of the machine, each once. */
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
