// The shipmentUids of an answer: in chain order, or shuffled if a staging tenant wants to test that its software does
// not rely on the order (assumptions: Chains: the order is not part of the interface).
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
