// The kinds of legs that flows are put together from. Each is what assumptions: States say of such a shipment.
import type { Role } from '../../contract/flows/flow-input.ts';
import type { Leg } from './declaration.ts';

type References = Leg['references'];

/** Newly booked, dropped off and picked up. */
export function newLeg(references: References = 'details'): Leg {
  return {
    begins: 'ReadyForDropoff',
    isPrior: false,
    references,
    follows: null,
    deadlines: ['dropOff', 'pickUp'],
    done: ['Completed'],
    undo: 'cancel',
  };
}

/** Newly booked without a receiver: done once the item is in the locker. */
export function newStock(): Leg {
  return { ...newLeg(), deadlines: ['dropOff'], done: ['WaitForReceiver', 'ReadyForPickup', 'Completed'] };
}

/** Stock that exists and is given a receiver by this flow; undoing takes the receiver away again where it can. */
export function issuedFromStock(): Leg {
  return { ...newLeg('issue'), begins: null, isPrior: true, undo: 'removeReceiver' };
}

/** An intake that another flow has booked and goes on to follow; this one waits for it but never undoes it. */
export function existingIntake(): Leg {
  return { ...newLeg(null), begins: null, isPrior: true, undo: 'leave' };
}

/** Drawn to its predecessor as a swap: its drop-off is assumed when the predecessor is picked up. */
export function swapOf(role: Role, references: References): Leg {
  return {
    ...newLeg(references),
    begins: 'Registered',
    follows: { role, link: 'swap' },
    deadlines: ['pickUp'],
  };
}

/** Stock that takes its predecessor's place in the locker. */
export function stockAfterSwapOf(role: Role): Leg {
  return { ...newStock(), begins: 'Registered', follows: { role, link: 'swap' }, deadlines: [] };
}

/** Ready for its drop-off once the predecessor is picked up; done by its drop-off, which makes stock of the item. */
export function subsequentIntakeOf(role: Role, references: References): Leg {
  return {
    ...newLeg(references),
    begins: 'Registered',
    follows: { role, link: 'subsequentIntake' },
    deadlines: ['dropOff'],
  };
}

/** Available as stock again once its predecessor is dropped off. */
export function circularStockOf(role: Role, references: References): Leg {
  return {
    ...newLeg(references),
    begins: 'Registered',
    follows: { role, link: 'circularStock' },
    deadlines: [],
    done: ['ReadyForPickup', 'WaitForReceiver', 'Completed'],
  };
}

/** Nothing is dropped off. A kept-booked one has no pick-up that ends it, only its cancellation (assumptions: States). */
export function collect(): Leg {
  return {
    ...newLeg(),
    begins: 'ReadyForPickup',
    deadlines: ['pickUp'],
    keptBookedBy: 'keepBookedAfterPickUp',
  };
}
