// The notifications that a built-in flow sends to the outside, where its start asked for them by `tell`.
import type { AnyMachineSnapshot, EventObject } from 'xstate';
import type { Tell } from '../contract/flows/flow-input.ts';
import type { Ending, OutboxCall } from '../engine/definition.ts';
import type { Json } from '../flows/language/flow-file.ts';
import { eventOutbox, type OutgoingEvent } from './event-delivery.ts';

const NOTIFICATION = 'notification';

export interface Notification extends EventObject {
  readonly notification: OutgoingEvent;
}

export const notificationOutbox: OutboxCall = eventOutbox(
  NOTIFICATION,
  ({ event }) => (event as Notification).notification,
);

/** Null where nothing is asked for. The first activity checks the input; until then it may be anything. */
export function tellIn(input: unknown): Tell | null {
  const { tell } = input as { readonly tell?: Tell | null };
  return tell && Array.isArray(tell.events) && isConnector(tell.to ?? 'x') ? tell : null;
}

const isConnector = (to: unknown): boolean => typeof to === 'string' && /^[A-Za-z][\w-]{0,63}$/.test(to);

export const notification = (
  { to }: Tell,
  flow: OutgoingEvent['flow'],
  type: string,
  data: unknown,
): Notification => ({
  type: NOTIFICATION,
  notification: { type: `flow.${type}`, data: data as Json, ...(to != null && { to }), flow },
});

/** The data of the notification that the flow has ended; null: it has not with this step, or nobody asked for it. */
export function endIn(
  { events }: Tell,
  before: AnyMachineSnapshot | null,
  { status, output }: AnyMachineSnapshot,
): Json | null {
  if (status === 'active' || before?.status !== 'active' || !events.includes('ended')) return null;
  const ending = output as Ending;
  if (ending.kind === 'result') return { result: ending.result as Json };
  return ending.kind === 'failed' ? { code: ending.code } : { cancelled: true };
}
