// The rules that may refuse an event on a shipment or its chain, each with a name and a message that a person can act
// on. The rules themselves are in shipment.ts and chain.ts; the error code on the wire is the service's.

import type { StateCode } from '../contract/wire/states.ts';
import { chartStateCodes, isActive, statesTaking } from './chart.ts';
import type { RefusableEvent, Refusal, Rule } from './shipment.ts';

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
};

function statesOf(event: RefusableEvent): StateCode[] {
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
};

/** Why it was refused, as one sentence for the message of the answer. */
export function explain(refusal: Refusal): string {
  return `Shipment ${refusal.shipmentUid} ${because[refusal.rule](refusal)}.`;
}
