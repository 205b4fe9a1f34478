// What opening a shipment's locker means in its state, by access code or by goal (interface: UnlockShipmentLocker;
// assumptions: Lockers and codes). It says what an access is; only the store knows whether a pin is right. And, in words, why a
// rule refuses an event (explain).

import type { StateCode } from '../wire/states.ts';
import type { ChainShipment } from './chain-shipments.ts';
import { chartStateCodes, isActive, statesTaking } from './chart.ts';
import type { RefusableEvent, Refusal, Rule } from './shipment.ts';

export type UnlockGoal = 'DropOff' | 'PickUp';
export type AccessCode = 'deliveryCode' | 'pickUpCode';
export type AccessEvent = 'ItemDroppedOff' | 'ItemPickedUp';
/** What an opening may mean: an access, or that somebody takes out what a cancelled shipment left behind. */
export type OpeningEvent = AccessEvent | 'LeftItemPickedUp';

interface Access {
  goal: UnlockGoal;
  code: AccessCode;
  event: AccessEvent;
}

const accesses: readonly Access[] = [
  { goal: 'DropOff', code: 'deliveryCode', event: 'ItemDroppedOff' },
  { goal: 'PickUp', code: 'pickUpCode', event: 'ItemPickedUp' },
];

/** What happens when this code is typed at the locker; null: it does not open in this state. */
export function eventOfCode(stateCode: StateCode, code: AccessCode): AccessEvent | null {
  const access = accesses.find((each) => each.code === code && statesTaking(each.event).includes(stateCode));
  return access?.event ?? null;
}

export type Unlock =
  /** `event` null: the door opens and nothing else changes. A given pin must be one of `codes`. */
  | { opens: true; event: OpeningEvent | null; codes: readonly AccessCode[] }
  | { opens: false; error: 'InvalidShipmentState' | 'UnlockNotAllowed' };

/** What UnlockShipmentLocker does on a shipment that has a locker. */
export function unlock(
  { stateCode, isItemLeft }: Pick<ChainShipment, 'stateCode' | 'isItemLeft'>,
  goal: UnlockGoal | null,
): Unlock {
  const isReachable = isActive(stateCode) || (isItemLeft && goal !== 'DropOff');
  if (!isReachable) return { opens: false, error: 'InvalidShipmentState' };
  if (goal === null) return { opens: true, event: null, codes: accesses.map(({ code }) => code) };
  if (isItemLeft) return { opens: true, event: 'LeftItemPickedUp', codes: ['pickUpCode'] };
  const access = accesses.find((each) => each.goal === goal && statesTaking(each.event).includes(stateCode));
  if (!access) return { opens: false, error: 'UnlockNotAllowed' };
  return { opens: true, event: access.event, codes: [access.code] };
}

// The rules that may refuse an event on a shipment or its chain, each with a name and a message that a person can act
// on. The rules themselves are in shipment.ts and chain.ts; the error code on the wire is the service's.

const can: Record<RefusableEvent, string> = {
  ItemDroppedOff: 'its item can be dropped off',
  ItemPickedUp: 'its item can be picked up',
  SwapBegun: 'its swap can begin',
  SubsequentIntakeBegun: 'its intake can begin',
  CircularStockBegun: 'it can become available as stock',
  ReceiverSet: 'a receiver can be set',
  ReceiverRemoved: 'its receiver can be removed',
  IssuedFromStock: 'it can be issued from stock',
  Cancelled: 'it can be cancelled',
  AccessChanged: 'its access codes can be changed',
  Booked: 'another shipment can follow it',
  LeftItemPickedUp: 'the item that it left can be taken out',
};

function statesOf(event: RefusableEvent): StateCode[] {
  if (event === 'LeftItemPickedUp') return ['Cancelled'];
  return event === 'AccessChanged' || event === 'Booked'
    ? chartStateCodes.filter(isActive)
    : statesTaking(event);
}

const because: Record<Rule, (refusal: Refusal) => string> = {
  stateTakesEvent: ({ stateCode, event }) =>
    `is ${stateCode}; ${can[event]} only in ${statesOf(event).join(', ')}`,
  hasReceiver: () => 'has no receiver, so there is none to remove',
  hasNoReceiver: () => 'has a receiver already; remove that one first, or choose a shipment without one',
  isNotKeptBooked: () =>
    'keeps its locker booked after the pick up, so no other shipment can follow it; cancel it and book anew',
  hasNoPendingSuccessor: () =>
    'is followed by another shipment already, and only one can be pending; cancel that one first',
  goesToDispatcher: () =>
    'does not go to the dispatcher; only a shipment that the dispatcher collects can be followed by this one',
  isStock: () =>
    'is not stock; choose one that was booked as stock or with its receiver delayed, or set the receiver of this one with SetShipmentReceiver',
  hasNoCircularStockPending: () =>
    'becomes stock again as another shipment when its item is dropped off; issue that one, or cancel it first',
  isItemLeft: () => 'has left no item in its locker, or somebody has taken it out already',
};

/** Why it was refused, as one sentence for the message of the answer. */
export function explain(refusal: Refusal): string {
  return `Shipment ${refusal.shipmentUid} ${because[refusal.rule](refusal)}.`;
}
