// xstate names the event of `after` by delay and state; people know only the delay's name in the chart.
import type { AnyStateMachine } from 'xstate';
import { nodesOf } from './messages.ts';

/** From the event's type to the delay's name, for every `after` of a chart. */
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
