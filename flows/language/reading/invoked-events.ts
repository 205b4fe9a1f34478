// The events that flows and bookings send, by their names: to the file that has invoked them.

import type { Legs } from '../../built-in/declaration.ts';
import { declarationThatBooks } from '../../built-in/flows.ts';
import type { FlowFile, Json } from '../flow-file.ts';
import { toldTo } from './action-effects.ts';
import { builtInFlowOf, nodesOf, ONBOARDING, stateCodes } from './walk.ts';

/** The events that a flow sends of its legs, without the id of its invoke. They have fields of their own, and no `data`. */
export function legEventsOfFlow(flow: string, files: readonly FlowFile[] = []): string[] {
  const builtIn = builtInFlowOf(flow, files);
  return builtIn ? eventsOfLegs(builtIn.legs) : [];
}

/** The events that a flow sends, without the id of its invoke. Null: those of a flow file that is not among these. */
export function eventsOfFlow(flow: string, files: readonly FlowFile[] = []): string[] | null {
  if (flow === ONBOARDING) return ['needsPerson'];
  const ofLegs = legEventsOfFlow(flow, files);
  const file = files.find(({ name }) => name === flow);
  if (file) return [...new Set([...ofLegs, ...toldTo('parent', nodesOf(file)), 'needsPerson'])];
  return ofLegs.length > 0 ? ofLegs : null;
}

/** The events that a booking sends, without the id of its invoke. Null: the operation books nothing that can be followed. */
export function eventsOfBooking(operation: Json | undefined): string[] | null {
  const declared = declarationThatBooks(operation);
  if (!declared) return null;
  const timed = Object.entries(declared.legs).filter(([, { deadlines }]) => deadlines.length > 0);
  return [...eventsOfLegs(declared.legs), ...timed.map(([role]) => `${role}.deadlineMoved`)];
}

function eventsOfLegs(legs: Legs): string[] {
  const ofLegs = Object.entries(legs).flatMap(([role, { deadlines }]) => [
    ...stateCodes.map((code) => `${role}.${code}`),
    ...(deadlines.length > 0 ? [`${role}.overdue`] : []),
  ]);
  return [...ofLegs, 'needsPerson'];
}

/** Whether one of the events is sent, or several that a wildcard means. */
export const isAmong = (sent: readonly string[], event: string): boolean =>
  sent.some((each) => each === event || (event.endsWith('*') && each.startsWith(event.slice(0, -1))));
