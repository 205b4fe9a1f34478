// The events that a built-in flow sends to the outside, where its start asked for them by `tell`.
import type { AnyMachineSnapshot, EventObject } from 'xstate';
import type { Tell } from '../contract/flows/flow-input.ts';
import type { Ending, OutboxCall } from '../driver/definition.ts';
import type { Json } from '../flow-files/flow-file.ts';
import { eventOutbox, type Told as Sent } from './event-call.ts';

const TOLD = 'told';

export interface Told extends EventObject {
  readonly told: Sent;
}

export const toldOutbox: OutboxCall = eventOutbox(TOLD, ({ event }) => (event as Told).told);

/** Null where nothing is asked for. The first activity checks the input; until then it may be anything. */
export function tellIn(input: unknown): Tell | null {
  const { tell } = input as { readonly tell?: Tell | null };
  return tell && Array.isArray(tell.events) && isConnector(tell.to ?? 'x') ? tell : null;
}

const isConnector = (to: unknown): boolean => typeof to === 'string' && /^[A-Za-z][\w-]{0,63}$/.test(to);

export const toldEvent = ({ to }: Tell, flow: Sent['flow'], type: string, data: unknown): Told => ({
  type: TOLD,
  told: { type: `flow.${type}`, data: data as Json, ...(to != null && { to }), flow },
});

/** Where the flow has ended with this step, and the end was asked for. */
export function endToTell(
  { events }: Tell,
  before: AnyMachineSnapshot | null,
  { status, output }: AnyMachineSnapshot,
): Json | null {
  if (status === 'active' || before?.status !== 'active' || !events.includes('ended')) return null;
  const ending = output as Ending;
  if (ending.kind === 'result') return { result: ending.result as Json };
  return ending.kind === 'failed' ? { code: ending.code } : { cancelled: true };
}
