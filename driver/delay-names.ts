// xstate names the event of `after` by delay and state; people know the delay by its name in the chart alone.
import type { AnyStateMachine, AnyStateNode } from 'xstate';

/** From the event's type to the delay's name, for every `after` of the chart. */
export function delayNames(machine: AnyStateMachine): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const visit = (node: AnyStateNode) => {
    for (const { eventType, delay } of node.after) names.set(eventType, String(delay));
    for (const child of Object.values(node.states)) visit(child);
  };
  visit(machine.root);
  return names;
}
