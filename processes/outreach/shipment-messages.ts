// The messages about shipments that no case follows, to the people whom they are for.
import { z } from 'zod';
import { MESSAGE_SUBJECT, type ShipmentMessageMemo } from '../../contract/flows/outreach.ts';
import type { TemporalContext } from '../temporal-context.ts';
import { deliveryOutcome } from '../views/deliveries.ts';
import { deliveryIdOf, lastDelivery } from './begin-without-case.ts';
import { foundOutreach, type OutreachParts, type OutreachSpan } from './found-outreach.ts';

export const shipmentMessage = z.object({
  at: z.string(),
  by: z.string().meta({ description: 'Who has sent it' }),
  onBehalfOf: z
    .string()
    .nullable()
    .meta({ description: 'The person for whom a program said that it sent it' }),
  why: z.string().nullable(),
  to: z.string().meta({ description: 'userUid of the person' }),
  text: z.string(),
  shipmentUid: z.string(),
  pupUid: z.string().nullable(),
  lockerName: z.string().nullable(),
  state: z.enum(['delivered', 'trying', 'refused']),
  words: z.string().meta({ description: 'What became of it, for people' }),
  runId: z.string(),
});
export type ShipmentMessage = Readonly<z.infer<typeof shipmentMessage>>;

export const messageDeliveryOf = (shipmentUid: string): string => deliveryIdOf({ shipmentUid });

/** The newest first. Throws CommandError (unreachable). */
export async function shipmentMessages(parts: OutreachParts, span: OutreachSpan): Promise<ShipmentMessage[]> {
  const found = await foundOutreach(
    parts,
    MESSAGE_SUBJECT,
    span,
    ({ message }) => message as ShipmentMessageMemo | undefined,
  );
  return found.map(({ memo, ...became }) => ({ ...messageOf(memo), ...became }));
}

/** By its id: it is known as soon as it is sent. Null: Temporal knows none. The caller says how long it waits. */
export async function lastMessageAbout(
  parts: Pick<TemporalContext, 'client'>,
  shipmentUid: string,
): Promise<ShipmentMessage | null> {
  const id = messageDeliveryOf(shipmentUid);
  const last = await lastDelivery(parts, id);
  const memo = last?.memo.message as ShipmentMessageMemo | undefined;
  if (!last || !memo) return null;
  const { runId, startTime } = last;
  const became = await deliveryOutcome(parts.client, id, runId);
  return became ? { ...messageOf(memo), ...became, at: startTime.toISOString(), runId } : null;
}

const messageOf = ({ request: _, by, onBehalfOf, why, ...about }: ShipmentMessageMemo) => ({
  by,
  onBehalfOf: onBehalfOf ?? null,
  why: why ?? null,
  ...about,
});
