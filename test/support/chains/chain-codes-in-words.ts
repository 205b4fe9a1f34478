// Access codes are drawn, so what they should be is said in words: none, as before, new, or the predecessor's.

import type { Change } from '../../../machines/chain.ts';
import { hasDeliveryCode, hasPickUpCode } from '../../../machines/chain-codes.ts';
import type { Chain, ChainShipment } from '../../../machines/chain-shipments.ts';
import { isActive } from '../../../machines/chart.ts';

interface Codes {
  readonly pickUpCode: string | null;
  readonly deliveryCode: string | null;
}

/** A code as it was before stands for itself; else it is 'new' or, where it is the predecessor's, 'shared'. */
export function codesInWords(now: Codes, former: Codes | undefined, predecessor: Codes | undefined): Codes {
  const { pickUpCode, deliveryCode } = now;
  const isShared = deliveryCode !== null && deliveryCode === predecessor?.pickUpCode;
  return {
    pickUpCode: pickUpCode === null || pickUpCode === former?.pickUpCode ? pickUpCode : 'new',
    deliveryCode:
      deliveryCode === null || deliveryCode === former?.deliveryCode
        ? deliveryCode
        : (isShared && 'shared') || 'new',
  };
}

/** What the rules say of a shipment's codes after a change of the chain, in the same words. */
export function expectedCodes(
  chain: Chain,
  shipment: ChainShipment,
  change: Change | undefined,
  former: Codes | undefined,
): Codes {
  const isOpen = isActive(shipment.stateCode);
  return {
    pickUpCode:
      isOpen && hasPickUpCode(chain, shipment) ? (change?.pickUpCode ?? former?.pickUpCode ?? null) : null,
    deliveryCode:
      isOpen && hasDeliveryCode(shipment) ? (change?.deliveryCode ?? former?.deliveryCode ?? null) : null,
  };
}
