// The names in a machine: of the events that come from outside, because no part of the machine makes them, and of its delays.
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
    (type) => !isWild(type) && type !== CANCEL_REQUESTED && (type === ROUTE || !type.startsWith('xstate.')),
  );
}

export function hasWildcard(machine: AnyStateMachine): boolean {
  return descriptors(machine).some(isWild);
}

/**
 * From the event's type to the delay's name, for every `after` of a chart: xstate names the event by delay and state, people
 * know the name of the delay only.
 */
export type DelayNames = (machine: AnyStateMachine) => ReadonlyMap<string, string>;

/** Each such function reads the chart once. */
export function delayNamesOnce(): DelayNames {
  const known = new WeakMap<AnyStateMachine, ReadonlyMap<string, string>>();
  return (machine) => {
    const names = known.get(machine) ?? delayNames(machine);
    known.set(machine, names);
    return names;
  };
}

function delayNames(machine: AnyStateMachine): ReadonlyMap<string, string> {
  const afters = nodesOf(machine.root).flatMap(({ after }) => after);
  return new Map(afters.map(({ eventType, delay }) => [eventType, String(delay)]));
}
