// xstate names the event of `after` by delay and state; people know the delay by its name in the chart alone.
import type { AnyStateMachine } from 'xstate';
import { nodesOf } from './messages.ts';

/** From the event's type to the delay's name, for every `after` of a chart. */
export type DelayNames = (machine: AnyStateMachine) => ReadonlyMap<string, string>;

/** Each chart is looked through once for each of these functions that is made. */
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
