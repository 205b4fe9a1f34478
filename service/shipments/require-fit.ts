// assumptions: Chains: the item of a swap goes into its predecessor's locker, and must fit there.

import { Refusal } from '../refusal.ts';
import { fits, inWords } from '../sides.ts';
import type { LockedChain } from './lock-chain.ts';
import type { PlannedShipment } from './planned-shipment.ts';

export function requireFit({ room }: PlannedShipment, { locker }: LockedChain): void {
  if (fits(room.sides, locker.inside)) return;
  throw new Refusal(
    'NoLockerAvailable',
    `The item of ${inWords(room.sides)} does not fit in the prior shipment's locker ${locker.lockerName} ` +
      `(${inWords(locker.inside)} inside), and a swap has no other`,
  );
}
