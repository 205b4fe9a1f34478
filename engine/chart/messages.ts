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
export const getOwn = <Value>(
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

interface After {
  readonly node: AnyStateNode;
  readonly delay: string;
  /** That its author has given to it. */
  readonly name?: string;
}

/** The `after` of a machine by their events: xstate names these by delay and state, people know the delay or the name. */
export const aftersOf = (machine: AnyStateMachine): ReadonlyMap<string, After> =>
  new Map(
    nodesOf(machine.root).flatMap((node) =>
      node.after.map((each) => {
        const name = timerNameOf(each);
        return [
          String(each.eventType),
          { node, delay: String(each.delay), ...(name !== undefined && { name }) },
        ] as const;
      }),
    ),
  );

export function timerNameOf(after: AnyStateNode['after'][number]): string | undefined {
  const { name } = after as { readonly name?: unknown };
  return typeof name === 'string' ? name : undefined;
}

interface TimerTexts {
  readonly delay: string;
  /** For people: the timer's name or its delay. A computed delay is named by its state. */
  readonly summary: string;
}

/** @param type of the timer's event, which may be that of a delayed `raise` */
export function timerTexts(machine: AnyStateMachine, type: string): TimerTexts {
  const { node, delay = type, name = delay } = aftersOf(machine).get(type) ?? {};
  const summary = name.includes('${') ? `wait in ${node?.path.join('.') || machine.id}` : name;
  return { delay, summary };
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
