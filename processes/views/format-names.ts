// Formats states, legs and flow names as text for lists.
import type { FlowType } from '../../contract/flows/flow-types.ts';

/** In the words of a person at a desk. */
const states: Readonly<Record<string, string>> = {
  Registered: 'booked ahead',
  ReadyForDropoff: 'to be dropped off',
  WaitForReceiver: 'waits for a receiver',
  ReadyForPickup: 'to be picked up',
  Completed: 'done',
  Cancelled: 'cancelled',
  Superseded: 'taken over by another process',
  Unknown: 'state not known yet',
  RoleUnknown: 'not known yet which shipment it is',
  Booking: 'being booked',
  Undoing: 'being undone',
  Following: 'on its way',
  NeedsPerson: 'needs a person',
  Ended: 'ended',
  Running: 'on its way',
};

/** The legs of built-in flows. */
const roles: Readonly<Record<string, string>> = {
  issue: 'Delivery',
  intake: 'Return',
  shipment: 'Shipment',
  stock: 'Stock',
  circularStock: 'Back in stock',
  collect: 'Collection',
};

/** `lent.waitingForReturn` becomes "lent: waiting for return". Parallel states are separated by commas. */
export function formatState(state: string): string {
  const known = states[state];
  if (known !== undefined) return known;
  return state
    .split(', ')
    .map((path) => path.split('.').map(spaced).join(': '))
    .join(', ');
}

/** `circularStock` becomes "Back to stock". */
export const formatRole = (role: string): string => roles[role] ?? capitalized(spaced(role));

const stageTexts: Readonly<Record<string, string>> = {
  dropOff: 'to be dropped off',
  pickUp: 'to be picked up',
  receiver: 'to get a receiver',
};

/** In a sentence: "the return". */
export const legOf = (role: string): string => `the ${formatRole(role).toLowerCase()}`;

/** "Return to be dropped off". */
export const formatStage = (role: string, stage: string): string =>
  `${formatRole(role)} ${stageTexts[stage] ?? stage}`;

export const formatDeadline = (role: string, stage: string): string =>
  `the deadline for ${legOf(role)} ${stageTexts[stage] ?? stage}`;

interface Leg {
  readonly role: string | null;
  readonly state: string;
  readonly lockerName: string | null;
  /** In place of the role's. */
  readonly name?: string;
}

export function formatLeg({ role, state, lockerName, name }: Leg): string {
  const of = name ?? (role === null ? '' : (roles[role] ?? spaced(role)));
  const words = `${of} ${formatState(state)}`.trim();
  const all = lockerName === null ? words : `${words}, locker ${lockerName}`;
  return capitalized(all);
}

/** The built-in flows, as people at a desk call them; another one is called as it is named. */
const flowNames: Readonly<Partial<Record<string, string>>> = {
  LocalShipment: 'Parcel from user to user',
  Issue: 'Delivery',
  IssueAndSwapIntake: 'Delivery with exchange',
  Stock: 'Into stock',
  StockAfterSwapIntake: 'Into stock after an exchange',
  IssueFromStock: 'Delivery from stock',
  IssueFromStockAndSwapIntake: 'Exchange from stock',
  IssueFromStockAndSubsequentIntakeAndCircularStock: 'Loan',
  Intake: 'Return',
  IntakeAndCircularStock: 'Return into stock',
  CollectOnly: 'Collection',
  CollectByDispatcher: 'Collection by the desk',
  CollectByUser: 'Collection by the user',
  OnboardAccount: 'New account',
} satisfies Partial<Record<FlowType, string>>;

/** `DeviceRepair` becomes "Device repair". */
export const formatFlowName = (flow: string): string => flowNames[flow] ?? formatName(flow);

/** For the name of a state, a field or an event: `withUser` becomes "With user". */
export const formatName = (name: string): string => capitalized(spaced(name.replaceAll('.', ' ')));

export const spaced = (name: string): string =>
  name
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/\b([A-Z])(?=[a-z])/g, (letter) => letter.toLowerCase())
    .trim();

export const capitalized = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1);
