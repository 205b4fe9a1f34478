// The names in a machine: of the events that come from outside, because no part of the machine makes them, and of its delays.
import type { AnyStateMachine, AnyStateNode } from 'xstate';

/** The event for the chart when the workflow is cancelled; a chart that does not take it ends at once. */
export const CANCEL_REQUESTED = 'cancelRequested';

/** The event for the chart when somebody has moved a timer of it; only a chart that names it gets it. */
export const TIMER_MOVED = 'timerMoved';

/** Events that nobody sends: the process makes them itself. */
export const isOfItself = (type: string): boolean => type === CANCEL_REQUESTED || type === TIMER_MOVED;

export const nodesOf = (node: AnyStateNode): AnyStateNode[] => [
  node,
  ...Object.values(node.states).flatMap(nodesOf),
];

/** The events in the states of the machine, each once. */
const descriptors = (machine: AnyStateMachine): string[] => [
  ...new Set(nodesOf(machine.root).flatMap(({ transitions }) => [...transitions.keys()])),
];

const isWild = (descriptor: string) => descriptor === '*' || descriptor.endsWith('.*');

/** As xstate matches them: `parcel.*` takes `parcel` too. */
export function matchesAny(type: string, descriptors: Iterable<string>): boolean {
  for (const each of descriptors) {
    if (each === type || each === '*') return true;
    if (each.endsWith('.*') && `${type}.`.startsWith(each.slice(0, -1))) return true;
  }
  return false;
}

/** What a map has under a name; what every object inherits, such as `constructor`, is not in it. */
export const ownOf = <Value>(
  map: Readonly<Record<string, Value>> | undefined,
  name: string,
): Value | undefined => (map !== undefined && Object.hasOwn(map, name) ? map[name] : undefined);

const ANSWER_OF_ACTOR = /^xstate\.(?:done|error)\.actor\.(.*)$/;

/** The id of the actor that such an event is the answer of. */
export const actorOf = (type: string): string | undefined => ANSWER_OF_ACTOR.exec(type)?.[1];

export function messagesOf(machine: AnyStateMachine): string[] {
  return descriptors(machine).filter(
    (type) => !isWild(type) && !isOfItself(type) && !type.startsWith('xstate.'),
  );
}

/** The delay of an `after`, by its event: xstate names that by delay and state, people know the name of the delay only. */
export function delayName(machine: AnyStateMachine, type: string): string | undefined {
  for (const { after } of nodesOf(machine.root)) {
    const found = after.find(({ eventType }) => eventType === type);
    if (found) return String(found.delay);
  }
  return undefined;
}

/** The name that its author has given to an `after`, by its event. */
export function timerName(machine: AnyStateMachine, type: string): string | undefined {
  for (const { after } of nodesOf(machine.root))
    for (const each of after) {
      const { name } = each as { readonly name?: unknown };
      if (each.eventType === type && typeof name === 'string') return name;
    }
  return undefined;
}

/** As people read of a timer: its name, or its delay. A delay that is computed is told by the state that waits. */
export function timerSummary(machine: AnyStateMachine, type: string): string {
  const delay = delayName(machine, type) ?? type;
  const named = timerName(machine, type);
  if (named !== undefined || !delay.includes('${')) return named ?? delay;
  const node = nodesOf(machine.root).find(({ after }) => after.some(({ eventType }) => eventType === type));
  return `wait in ${node?.path.join('.') || machine.id}`;
}

/** `a.b` for a nested state; commas separate the regions of a parallel one. */
export const formatStateValue = (value: unknown): string =>
  leavesOf(value)
    .map((path) => `\`${path}\``)
    .join(', ');

/** The innermost active states of a snapshot's value, each as `a.b`. */
export function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  const inner = Object.entries(value as Record<string, unknown>);
  return inner.flatMap(([state, deeper]) => {
    const leaves = leavesOf(deeper);
    return leaves.length > 0 ? leaves.map((path) => `${state}.${path}`) : [state];
  });
}
