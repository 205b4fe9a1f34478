// The rules between the shipments of one chain, which share one locker (assumptions: Chains): chain and events in, ordered
// changes out. The one source of every change of state, for the service and for the tests. Pure; plain data only.

import type { StateCode } from '../wire/states.ts';
import {
  type CodeChange,
  codeChange,
  noneRenewed,
  type RenewedCodes,
  renewedByAccess,
} from './chain-codes.ts';
import {
  activeSuccessor,
  type Chain,
  type ChainShipment,
  hasItemInside,
  holderOf,
  isCircularStockPending,
  type Link,
  type NewShipment,
  shipmentOf,
  shipmentState,
  withShipment,
} from './chain-shipments.ts';
import { isActive } from './chart.ts';
import { apply, type Rule, type RuleViolation, type ShipmentEvent } from './shipment.ts';
import { book } from './succession.ts';

export type ChainEvent =
  /** A new chain, or successors in a chain. `predecessorGoesTo`: the receiver that the first's predecessor must have. */
  | { type: 'Booked'; shipments: readonly NewShipment[]; predecessorGoesTo?: string }
  | { type: 'ItemDroppedOff' | 'ItemPickedUp' | 'ReceiverRemoved' | 'Cancelled'; shipmentUid: string }
  | { type: 'ReceiverSet' | 'IssuedFromStock'; shipmentUid: string; toUserUid: string }
  /** Somebody takes out the item that the cancelled shipment left behind. */
  | { type: 'LeftItemPickedUp'; shipmentUid: string }
  /** Makes new access codes (interface: AddShipmentObject). A code that does not exist is not made. */
  | { type: 'AccessChanged'; shipmentUid: string; pickUp: boolean; delivery: boolean };

/** The change of one shipment. It has only changed fields, and only changed shipments have one. */
export interface Change extends CodeChange {
  shipmentUid: string;
  /** Null: booked by this event. */
  from: StateCode | null;
  to: StateCode;
  /** If set, a callback is due; a booking is not a change of state (assumptions: States). */
  stateCodeChanged: boolean;
  fromUserUid?: string | null;
  toUserUid?: string | null;
}

/**
 * Released: in its state before the booking, so still to be emptied if a collect-only booking named it and it was not
 * opened. ToBeEmptied: released with the item still inside (assumptions: Lockers and codes, an item left behind).
 * Emptied: that item was taken out; another chain that holds the locker by now keeps it.
 */
export type LockerEffect = 'Booked' | 'Kept' | 'Released' | 'ToBeEmptied' | 'Emptied';

export type ChainOutcome =
  | { applied: true; chain: Chain; changes: Change[]; locker: LockerEffect }
  | { applied: false; refusal: RuleViolation };

/**
 * Applies all events, or none if one is refused. Changes are in the order of the events; within an event, in
 * chain order.
 */
export function applyToChain(chain: Chain, ...events: readonly ChainEvent[]): ChainOutcome {
  let current = chain;
  const changes: Change[] = [];
  for (const event of events) {
    const step = take(current, event);
    if (!step.applied) return step;
    changes.push(...changesBetween(current, step.chain, step.renewed));
    current = step.chain;
  }
  return { applied: true, chain: current, changes, locker: lockerEffect(chain, current) };
}

type Step =
  | { applied: true; chain: Chain; renewed: RenewedCodes }
  | { applied: false; refusal: RuleViolation };

function take(chain: Chain, event: ChainEvent): Step {
  switch (event.type) {
    case 'Booked': {
      const booking = book(chain, event.shipments, event.predecessorGoesTo);
      return booking.applied ? { ...booking, renewed: noneRenewed } : booking;
    }
    case 'AccessChanged':
      return changeAccess(chain, event);
    case 'LeftItemPickedUp':
      return takeLeftItem(chain, event);
    default:
      return advance(chain, event);
  }
}

function changeAccess(chain: Chain, event: Extract<ChainEvent, { type: 'AccessChanged' }>): Step {
  const { shipmentUid, type } = event;
  const { stateCode } = shipmentOf(chain, shipmentUid);
  if (!isActive(stateCode)) {
    return { applied: false, refusal: { shipmentUid, stateCode, event: type, rule: 'stateTakesEvent' } };
  }
  return { applied: true, chain, renewed: renewedByAccess(chain, shipmentUid, event.pickUp, event.delivery) };
}

function takeLeftItem(chain: Chain, event: Extract<ChainEvent, { type: 'LeftItemPickedUp' }>): Step {
  const { shipmentUid, type } = event;
  const shipment = shipmentOf(chain, shipmentUid);
  const { stateCode, isItemLeft } = shipment;
  if (!isItemLeft)
    return { applied: false, refusal: { shipmentUid, stateCode, event: type, rule: 'isItemLeft' } };
  return {
    applied: true,
    chain: withShipment(chain, { ...shipment, isItemLeft: false }),
    renewed: noneRenewed,
  };
}

type Advance = Exclude<ChainEvent, { type: 'Booked' | 'AccessChanged' | 'LeftItemPickedUp' }>;

function advance(chain: Chain, event: Advance): Step {
  const { shipmentUid, type } = event;
  const shipment = shipmentOf(chain, shipmentUid);
  const rule = type === 'IssuedFromStock' ? ruleAgainstIssuing(chain, shipment) : undefined;
  if (rule)
    return { applied: false, refusal: { shipmentUid, stateCode: shipment.stateCode, event: type, rule } };
  const applied = apply(shipmentState(chain, shipment), { type });
  if (!applied.applied) return applied;
  const receiver = 'toUserUid' in event ? event.toUserUid : shipment.toUserUid;
  const toUserUid = applied.hasReceiver ? receiver : null;
  const moved = withShipment(chain, { ...inState(shipment, applied.stateCode), toUserUid });
  // A former receiver's code must not open the locker for the next receiver (assumptions: States, SetShipmentReceiver).
  const renewed = toUserUid === shipment.toUserUid ? noneRenewed : { pickUp: [shipmentUid], delivery: [] };
  return { applied: true, chain: passOn(moved, shipmentUid), renewed };
}

/** The chart says it of an ended shipment. */
function ruleAgainstIssuing(
  chain: Chain,
  { shipmentUid, stateCode, isStock }: ChainShipment,
): Rule | undefined {
  if (!isActive(stateCode)) return undefined;
  if (!isStock) return 'isStock';
  // Its item would be somebody else's as soon as it is dropped off.
  return isCircularStockPending(chain, shipmentUid) ? 'hasNoCircularStockPending' : undefined;
}

/** Who cancels a shipment leaves its item where it is. */
const inState = (shipment: ChainShipment, stateCode: StateCode): ChainShipment => ({
  ...shipment,
  stateCode,
  isItemLeft: stateCode === 'Cancelled' && hasItemInside(shipment),
});

const beginnings: Record<Link, ShipmentEvent['type']> = {
  swap: 'SwapBegun',
  subsequentIntake: 'SubsequentIntakeBegun',
  circularStock: 'CircularStockBegun',
};

/** Applies the change of a shipment to its pending successor: it begins, is cancelled too, or gets another sender. */
function passOn(chain: Chain, shipmentUid: string): Chain {
  const { stateCode, toUserUid } = shipmentOf(chain, shipmentUid);
  const successor = activeSuccessor(chain, shipmentUid);
  if (!successor?.predecessor) return chain;
  if (isActive(stateCode)) {
    return successor.fromFollowsPredecessorReceiver
      ? withShipment(chain, { ...successor, fromUserUid: toUserUid })
      : chain;
  }
  const type = stateCode === 'Cancelled' ? 'Cancelled' : beginnings[successor.predecessor.link];
  const applied = apply(shipmentState(chain, successor), { type });
  if (!applied.applied) {
    throw new TypeError(
      `${successor.shipmentUid} after ${stateCode} is ${successor.stateCode}, expected Registered`,
    );
  }
  const moved = withShipment(chain, inState(successor, applied.stateCode));
  return passOn(moved, successor.shipmentUid);
}

function changesBetween(before: Chain, after: Chain, renewed: RenewedCodes): Change[] {
  return after.flatMap((shipment) => {
    const former = before.find((each) => each.shipmentUid === shipment.shipmentUid);
    const codes = codeChange(before, after, shipment, renewed);
    const users = former ? usersChanged(former, shipment) : {};
    const { shipmentUid, stateCode: to } = shipment;
    const from = former?.stateCode ?? null;
    const differs = from !== to || Object.keys({ ...codes, ...users }).length > 0;
    if (!differs) return [];
    return [{ shipmentUid, from, to, stateCodeChanged: from !== null && from !== to, ...users, ...codes }];
  });
}

function usersChanged({ fromUserUid, toUserUid }: ChainShipment, now: ChainShipment) {
  return {
    ...(fromUserUid !== now.fromUserUid && { fromUserUid: now.fromUserUid }),
    ...(toUserUid !== now.toUserUid && { toUserUid: now.toUserUid }),
  };
}

function lockerEffect(before: Chain, after: Chain): LockerEffect {
  if (before.length === 0) return 'Booked';
  if (holderOf(after)) return 'Kept';
  const [wasLeft, isLeft] = [before, after].map((chain) => chain.some(({ isItemLeft }) => isItemLeft));
  // It had ended before: another chain may hold the locker by now.
  if (!holderOf(before)) return wasLeft && !isLeft ? 'Emptied' : 'Kept';
  return isLeft ? 'ToBeEmptied' : 'Released';
}
