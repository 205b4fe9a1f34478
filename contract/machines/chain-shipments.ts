// What a chain is: shipments that share one locker, each but the first after a predecessor (assumptions: Chains). Plain data,
// independent of how it is stored, and the questions that its rules ask of it.
import type { ShipmentType, StateCode } from '../wire/states.ts';
import { initialStateCode, isActive, statesTaking } from './chart.ts';
import type { ShipmentState } from './shipment.ts';

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
export function begun(chain: Chain, shipment: NewShipment): ChainShipment {
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
