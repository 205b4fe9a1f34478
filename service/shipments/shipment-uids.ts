// The shipmentUids of an answer: in chain order, or shuffled where a staging tenant wants to see that nobody relies on
// it (assumptions: Chains: the order is not part of the interface).
import { randomInt } from 'node:crypto';
import type { Context } from '../handler.ts';

export function several(
  { switches }: Context,
  shipments: readonly { readonly shipmentUid: string }[],
): { shipmentUids: string[] } {
  const shipmentUids = shipments.map(({ shipmentUid }) => shipmentUid);
  return { shipmentUids: switches.shuffledShipmentUids ? shuffled(shipmentUids) : shipmentUids };
}

function shuffled(uids: readonly string[]): string[] {
  const left = [...uids];
  return uids.flatMap(() => left.splice(randomInt(left.length), 1));
}
