// The rules that may refuse an event on a shipment or its chain, each with a name and a message that a person can act
// on. The rules themselves are in shipment.ts and chain.ts; the error code on the wire is the service's.
import type { StateCode } from '../wire/states.ts';
import { chartStateCodes, isActive, statesTaking } from './chart.ts';
import type { RefusableEvent, Rule, RuleViolation } from './shipment.ts';

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

const because: Record<Rule, (refusal: RuleViolation) => string> = {
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
export function explain(refusal: RuleViolation): string {
  return `Shipment ${refusal.shipmentUid} ${because[refusal.rule](refusal)}.`;
}
