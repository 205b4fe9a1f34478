// Who may follow whom in a chain (assumptions: Chains): books a new chain or successors of an existing one, all or none.
import type { StateCode } from '../wire/states.ts';
import { activeSuccessor, begun, type Chain, type NewShipment, shipmentOf } from './chain-shipments.ts';
import { isActive, statesTaking } from './chart.ts';
import type { Rule, RuleViolation } from './shipment.ts';

type Booking = { applied: true; chain: Chain } | { applied: false; refusal: RuleViolation };

/** `predecessorGoesTo`: the receiver that the first one's predecessor must have (assumptions: Chains, StockAfterSwapIntake). */
export function book(chain: Chain, shipments: readonly NewShipment[], predecessorGoesTo?: string): Booking {
  let grown = chain;
  for (const shipment of shipments) {
    const refusal = refusalOf(grown, shipment, shipment === shipments[0] ? predecessorGoesTo : undefined);
    if (refusal) return { applied: false, refusal };
    grown = [...grown, begun(grown, withSender(grown, shipment))];
  }
  return { applied: true, chain: grown };
}

function refusalOf(chain: Chain, shipment: NewShipment, predecessorGoesTo?: string): RuleViolation | null {
  if (chain.some(({ shipmentUid }) => shipmentUid === shipment.shipmentUid)) {
    throw new TypeError(`${shipment.shipmentUid} is in the chain already, expected a new uid`);
  }
  if (!shipment.predecessor) {
    if (chain.length > 0)
      throw new TypeError(`${shipment.shipmentUid} has no predecessor, expected one in this chain`);
    return null;
  }
  const { shipmentUid, stateCode, ...predecessor } = shipmentOf(chain, shipment.predecessor.shipmentUid);
  if (
    shipment.predecessor.link === 'circularStock' &&
    !willBeDroppedOff(stateCode, predecessor.predecessor)
  ) {
    throw new TypeError(`nothing will be dropped off for ${shipmentUid}, expected an intake still to come`);
  }
  const broken: [Rule, boolean][] = [
    ['stateTakesEvent', !isActive(stateCode)],
    ['isNotKeptBooked', predecessor.keepBookedAfterPickUp],
    ['hasNoPendingSuccessor', activeSuccessor(chain, shipmentUid) !== undefined],
    ['goesToDispatcher', predecessorGoesTo !== undefined && predecessor.toUserUid !== predecessorGoesTo],
  ];
  const rule = broken.find(([, isBroken]) => isBroken)?.[0];
  return rule ? { shipmentUid, stateCode, event: 'Booked', rule } : null;
}

/** A swap's drop-off is assumed, not made; all others that have not begun or wait for it have one. */
function willBeDroppedOff(stateCode: StateCode, predecessor: NewShipment['predecessor']): boolean {
  const isToCome = stateCode === 'Registered' && predecessor?.link === 'subsequentIntake';
  return isToCome || statesTaking('ItemDroppedOff').includes(stateCode);
}

function withSender(chain: Chain, shipment: NewShipment): NewShipment {
  if (!shipment.predecessor || !shipment.fromFollowsPredecessorReceiver) return shipment;
  return { ...shipment, fromUserUid: shipmentOf(chain, shipment.predecessor.shipmentUid).toUserUid };
}
