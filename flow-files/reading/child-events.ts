// The events that a flow sends to the file that invokes it. The declaration of a built-in flow says which.
import type { StateCode } from '../../contract/wire/states.ts';
import { declarations } from '../../flows/flows.ts';

const stateCodes = {
  Registered: true,
  ReadyForDropoff: true,
  WaitForReceiver: true,
  ReadyForPickup: true,
  Completed: true,
  Cancelled: true,
} as const satisfies Record<StateCode, true>;

/** The events that a flow sends, without the id of its invoke. */
export function eventsOfFlow(flow: string): string[] {
  const declared = declarations.find(({ name }) => name === flow);
  // OnboardAccount, or a flow file.
  if (!declared) return ['needsPerson'];
  const ofLegs = Object.entries(declared.legs).flatMap(([role, { deadlines }]) => [
    ...Object.keys(stateCodes).map((code) => `${role}.${code}`),
    ...(deadlines.length > 0 ? [`${role}.overdue`] : []),
  ]);
  return [...ofLegs, 'needsPerson'];
}

/** Whether one of the events is sent, or several that a wildcard means. */
export const isAmong = (sent: readonly string[], event: string): boolean =>
  sent.some((each) => each === event || (event.endsWith('*') && each.startsWith(event.slice(0, -1))));
