// The kinds of legs that flows are put together from. Each is what assumptions: States say of such a shipment.
import type { Role } from '../../contract/flows/flow-input.ts';
import type { Declaration, Leg, Legs, Versions } from './declaration.ts';

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
function issuedFromStock(): Leg {
  return { ...newLeg('issue'), begins: null, isPrior: true, undo: 'removeReceiver' };
}

/** An intake that another flow has booked and goes on to follow; this one waits for it but never undoes it. */
function existingIntake(): Leg {
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
function stockAfterSwapOf(role: Role): Leg {
  return { ...newStock(), begins: 'Registered', follows: { role, link: 'swap' }, deadlines: [] };
}

/** Ready for its drop-off once the predecessor is picked up; done by its drop-off, which makes stock of the item. */
function subsequentIntakeOf(role: Role, references: References): Leg {
  return {
    ...newLeg(references),
    begins: 'Registered',
    follows: { role, link: 'subsequentIntake' },
    deadlines: ['dropOff'],
  };
}

/** Available as stock again once its predecessor is dropped off. */
function circularStockOf(role: Role, references: References): Leg {
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

export const localShipment = {
  name: 'LocalShipment',
  operation: 'CreateLocalShipment',
  meaning:
    'Somebody puts an item into a locker, and somebody else takes it out: who that is can be said later.',
  legs: {
    shipment: {
      ...newLeg('request'),
      registeredWith: 'swapsShipmentUid',
      deadlines: ['dropOff', 'receiver', 'pickUp'],
    },
  },
} satisfies Declaration;

export const issue = {
  name: 'Issue',
  operation: 'CreateLocalShipmentAsIssue',
  meaning: 'The desk puts an item into a locker, and a person takes it out.',
  legs: { issue: newLeg() },
} satisfies Declaration;

export const issueAndSwapIntake = {
  name: 'IssueAndSwapIntake',
  operation: 'CreateLocalShipmentAsIssueAndSwapIntake',
  meaning:
    'The desk puts an item into a locker; a person takes it out and leaves another one, which the desk takes out.',
  legs: { issue: newLeg(), intake: swapOf('issue', 'return') },
} satisfies Declaration;

export const stock = {
  name: 'Stock',
  operation: 'CreateLocalShipmentAsStock',
  meaning: 'The desk puts an item into a locker, to be given out later.',
  legs: { stock: newStock() },
} satisfies Declaration;

const stockAfterSwapIntake = {
  name: 'StockAfterSwapIntake',
  operation: 'CreateLocalShipmentAsStockAfterSwapIntake',
  meaning:
    'The desk takes out an item that was brought back, and puts one into its locker, to be given out later.',
  legs: { intake: existingIntake(), stock: stockAfterSwapOf('intake') },
} satisfies Declaration;

export const issueFromStock = {
  name: 'IssueFromStock',
  operation: 'CreateLocalShipmentAsIssueFromStock',
  meaning: 'A person takes out an item that is in stock, or will be.',
  legs: { issue: issuedFromStock() },
} satisfies Declaration;

const issueFromStockAndSwapIntake = {
  name: 'IssueFromStockAndSwapIntake',
  operation: 'CreateLocalShipmentAsIssueFromStockAndSwapIntake',
  meaning: 'A person takes out an item that is in stock and leaves another one, which the desk takes out.',
  legs: { issue: issuedFromStock(), intake: swapOf('issue', 'return') },
} satisfies Declaration;

export const intake = {
  name: 'Intake',
  operation: 'CreateLocalShipmentAsIntake',
  meaning: 'A person puts an item into a locker, and the desk takes it out.',
  legs: { intake: newLeg() },
} satisfies Declaration;

const intakeAndCircularStock = {
  name: 'IntakeAndCircularStock',
  operation: 'CreateLocalShipmentAsIntakeAndCircularStock',
  meaning: 'A person puts an item into a locker, and it is in stock again.',
  legs: {
    intake: { ...newLeg(), deadlines: ['dropOff'] },
    circularStock: circularStockOf('intake', 'details'),
  },
} satisfies Declaration;

export const issueFromStockAndSubsequentIntakeAndCircularStock = {
  name: 'IssueFromStockAndSubsequentIntakeAndCircularStock',
  operation: 'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock',
  meaning: 'A person takes out an item that is in stock and brings it back later: then it is in stock again.',
  legs: {
    issue: issuedFromStock(),
    intake: subsequentIntakeOf('issue', 'return'),
    // If the caller gives no details, this shipment keeps the details of the stock shipment (interface).
    circularStock: circularStockOf('intake', null),
  },
} satisfies Declaration;

export const collectOnly = {
  name: 'CollectOnly',
  operation: 'CreateCollectOnlyShipment',
  meaning:
    'The person who is named, or else the desk, takes out of a locker once, or the locker stays booked.',
  legs: { collect: collect() },
} satisfies Declaration;

const collectByDispatcher = {
  name: 'CollectByDispatcher',
  operation: 'CreateCollectOnlyShipmentAsCollectByDispatcher',
  meaning: 'The desk takes out of a locker once, or the locker stays booked.',
  legs: { collect: collect() },
} satisfies Declaration;

const collectByUser = {
  name: 'CollectByUser',
  operation: 'CreateCollectOnlyShipmentAsCollectByUser',
  meaning: 'A person takes out of a locker once, or the locker stays booked.',
  legs: { collect: collect() },
} satisfies Declaration;

/** A version stays as long as processes run on it; new ones begin on the highest. */
export const flows = {
  LocalShipment: { 1: localShipment },
  Issue: { 1: issue },
  IssueAndSwapIntake: { 1: issueAndSwapIntake },
  Stock: { 1: stock },
  StockAfterSwapIntake: { 1: stockAfterSwapIntake },
  IssueFromStock: { 1: issueFromStock },
  IssueFromStockAndSwapIntake: { 1: issueFromStockAndSwapIntake },
  Intake: { 1: intake },
  IntakeAndCircularStock: { 1: intakeAndCircularStock },
  IssueFromStockAndSubsequentIntakeAndCircularStock: { 1: issueFromStockAndSubsequentIntakeAndCircularStock },
  CollectOnly: { 1: collectOnly },
  CollectByDispatcher: { 1: collectByDispatcher },
  CollectByUser: { 1: collectByUser },
} as const satisfies Readonly<Record<string, Versions>>;

const flowNames = Object.keys(flows) as (keyof typeof flows)[];

export const newestVersionOf = (versions: Readonly<Record<number, unknown>>): number =>
  Math.max(...Object.keys(versions).map(Number));

function newestOf(versions: Versions): Declaration {
  const newest = versions[newestVersionOf(versions)];
  if (!newest) throw new TypeError('a flow has no version of its declaration, expected at least version 1');
  return newest;
}

/** The newest of each, as new processes run. */
export const declarations: readonly Declaration[] = flowNames.map((name) => newestOf(flows[name]));

/** The built-in flow that books by the operation. Undefined: nothing that the operation books can be followed. */
export const declarationThatBooks = (operation: unknown): Declaration | undefined =>
  declarations.find((each) => each.operation === operation);

/** None: nothing that the operation books can be followed. */
export const legsBookedBy = (operation: unknown): Legs => declarationThatBooks(operation)?.legs ?? {};

/** In a swap it is another item than the one that was taken out before it. */
export const isReturnOfSwap = (operation: unknown, role: Role | null): boolean =>
  role === 'intake' && legsBookedBy(operation).intake?.follows?.link === 'swap';

/** None: it is no built-in flow, or has no legs. */
export const legsOfFlow = (name: string | undefined): Legs =>
  declarations.find((each) => each.name === name)?.legs ?? {};
