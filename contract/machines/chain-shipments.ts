// What a chain is: shipments that share one locker, each but the first after a predecessor (assumptions: Chains). Plain data,
// independent of how it is stored, and the questions that its rules ask of it.

import type { ShipmentType, StateCode } from '../wire/states.ts';
import { initialStateCode, isActive, statesTaking } from './chart.ts';
import type { Refusal, Rule, ShipmentState } from './shipment.ts';

/** What makes a successor begin: its predecessor picked up (swap, subsequentIntake) or dropped off (circularStock). */
export type Link = 'swap' | 'subsequentIntake' | 'circularStock';

export interface ChainShipment {
  shipmentUid: string;
  shipmentType: ShipmentType;
  stateCode: StateCode;
  predecessor: { shipmentUid: string; link: Link } | null;
  /** ASSUMPTION: null, where the sender follows a predecessor without a receiver, is the dispatcher's main account. */
  fromUserUid: string | null;
  toUserUid: string | null;
  /** The From user was derived from the predecessor's receiver, and follows it while this shipment is Registered. */
  fromFollowsPredecessorReceiver: boolean;
  keepBookedAfterPickUp: boolean;
  /** Booked without a receiver: stock of any kind, or with its receiver delayed. It can be issued from stock. */
  isStock: boolean;
  /** Cancelled while its item was in the locker, and the item is still there. */
  isItemLeft: boolean;
}

/** In chain order, each after its predecessor. Ended shipments may be left out: they have no effect. */
export type Chain = readonly ChainShipment[];

export type NewShipment = Omit<ChainShipment, 'stateCode' | 'isStock' | 'isItemLeft'>;

export function shipmentOf(chain: Chain, shipmentUid: string): ChainShipment {
  const shipment = chain.find((each) => each.shipmentUid === shipmentUid);
  if (!shipment)
    throw new TypeError(`no shipment ${shipmentUid} in the chain, expected one of its shipments`);
  return shipment;
}

/** The chain with this new version of a shipment. */
export function withShipment(chain: Chain, shipment: ChainShipment): Chain {
  return chain.map((each) => (each.shipmentUid === shipment.shipmentUid ? shipment : each));
}

/** The one active successor, if any; on an active shipment it is the pending one, still Registered. */
export function activeSuccessor(chain: Chain, shipmentUid: string): ChainShipment | undefined {
  return chain.find((each) => each.predecessor?.shipmentUid === shipmentUid && isActive(each.stateCode));
}

/** Circular stock waits for the item of this shipment. */
export function isCircularStockPending(chain: Chain, shipmentUid: string): boolean {
  return activeSuccessor(chain, shipmentUid)?.predecessor?.link === 'circularStock';
}

/** The shipment that has the locker now; undefined when all have ended. */
export function holderOf(chain: Chain): ChainShipment | undefined {
  return chain.find((each) => isActive(each.stateCode));
}

/** Whether an item that was dropped off is in the locker in this state (assumptions: States, the meaning of the two states). */
function isItemInside(stateCode: StateCode): boolean {
  return stateCode === 'WaitForReceiver' || statesTaking('ItemPickedUp').includes(stateCode);
}

/** Whether the shipment has an item in the locker now. A collect-only shipment has none: nothing is dropped off for it. */
export function hasItemInside({
  shipmentType,
  stateCode,
}: Pick<ChainShipment, 'shipmentType' | 'stateCode'>): boolean {
  return shipmentType !== 'CollectOnlyShipment' && isItemInside(stateCode);
}

/** The shipment as its own chart sees it. */
export function shipmentState(chain: Chain, shipment: ChainShipment): ShipmentState {
  return { ...facts(chain, shipment), shipmentUid: shipment.shipmentUid, stateCode: shipment.stateCode };
}

/** A shipment that is booked now, in the state in which its kind begins. */
function begun(chain: Chain, shipment: NewShipment): ChainShipment {
  return {
    ...shipment,
    stateCode: initialStateCode(facts(chain, shipment)),
    isStock: shipment.toUserUid === null,
    isItemLeft: false,
  };
}

function facts(chain: Chain, shipment: NewShipment) {
  return {
    hasReceiver: shipment.toUserUid !== null,
    keepBookedAfterPickUp: shipment.keepBookedAfterPickUp,
    circularStockPending: isCircularStockPending(chain, shipment.shipmentUid),
    followsPredecessor: shipment.predecessor !== null,
    isCollectOnly: shipment.shipmentType === 'CollectOnlyShipment',
  };
}

// Who may follow whom in a chain (assumptions: Chains): books a new chain or successors of an existing one, all or none.

type Booking = { applied: true; chain: Chain } | { applied: false; refusal: Refusal };

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

function refusalOf(chain: Chain, shipment: NewShipment, predecessorGoesTo?: string): Refusal | null {
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
