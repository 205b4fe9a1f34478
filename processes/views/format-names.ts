// Formats states, legs and flow names as text for lists.
import type { FlowType } from '../../contract/flows/flow-types.ts';
import { t } from '../../shared/texts/text.ts';

/** In the words of a person at a desk. */
const states = (): Readonly<Record<string, string>> => ({
  Registered: t`booked ahead`,
  ReadyForDropoff: t`to be dropped off`,
  WaitForReceiver: t`waits for a receiver`,
  ReadyForPickup: t`to be picked up`,
  Completed: t`done`,
  Cancelled: t`cancelled`,
  Superseded: t`taken over by another case`,
  Unknown: t`state not known yet`,
  RoleUnknown: t`not known yet which shipment it is`,
  Booking: t`being booked`,
  Undoing: t`being undone`,
  Following: t`in progress`,
  NeedsPerson: t`needs a person`,
  Ended: t`ended`,
  Running: t`in progress`,
});

/** It lies in a locker for nobody: nobody comes for it. */
export const isInStock = (state: string, isStock: boolean): boolean => isStock && state === 'ReadyForPickup';

/** @param isStock it is for nobody */
export const formatShipmentState = (state: string, isStock: boolean): string =>
  isInStock(state, isStock) ? t`in stock` : formatState(state);

const stockRoles: ReadonlySet<string | null> = new Set(['stock', 'circularStock']);

/** Its item stays in a locker at the end. */
export const isStockRole = (role: string | null): boolean => stockRoles.has(role);

/** The legs of built-in flows. */
const roles = (): Readonly<Record<string, string>> => ({
  issue: t`Delivery`,
  intake: t`Return`,
  shipment: t`Shipment`,
  stock: t`Stock`,
  circularStock: t`Back in stock`,
  collect: t`Collection`,
});

/** `lent.waitingForReturn` becomes "lent: waiting for return". Parallel states are separated by commas. */
export function formatState(state: string): string {
  const known = states()[state];
  if (known !== undefined) return known;
  return state
    .split(', ')
    .map((path) => path.split('.').map(spaced).join(': '))
    .join(', ');
}

/** `circularStock` becomes "Back to stock". */
export const formatRole = (role: string): string => roles()[role] ?? capitalized(spaced(role));

const stageTexts = (): Readonly<Record<string, string>> => ({
  dropOff: t`to be dropped off`,
  pickUp: t`to be picked up`,
  receiver: t`to get a receiver`,
});

/** In a sentence: "the return". */
export function legOf(role: string): string {
  if (role === 'circularStock') return t`the return to stock`;
  // Its Dutch has another article.
  return role === 'collect' ? t`the collection` : t`the ${formatRole(role).toLowerCase()}`;
}

/** "Return to be dropped off". */
export const formatStage = (role: string, stage: string): string => capitalized(stageOf(role, stage));

/** In a sentence: "return to be dropped off". */
export const stageOf = (role: string, stage: string): string =>
  `${formatRole(role).toLowerCase()} ${stageTexts()[stage] ?? stage}`;

export const formatDeadline = (role: string, stage: string): string =>
  t`the deadline for ${legOf(role)} ${stageTexts()[stage] ?? stage}`;

interface Leg {
  readonly role: string | null;
  readonly state: string;
  readonly lockerName: string | null;
  /** In place of the role's. */
  readonly name?: string;
}

export function formatLeg({ role, state, lockerName, name }: Leg): string {
  const of = name ?? (role === null ? '' : (roles()[role] ?? spaced(role)));
  const words = isInStock(state, isStockRole(role))
    ? (name ?? t`in stock`)
    : `${of} ${formatState(state)}`.trim();
  const all = lockerName === null ? words : t`${words}, locker ${lockerName}`;
  return capitalized(all);
}

/** The built-in flows, as people at a desk call them; another one is called as it is named. */
const flowNames = (): Readonly<Partial<Record<string, string>>> =>
  ({
    LocalShipment: t`Parcel from user to user`,
    Issue: t`Delivery`,
    IssueAndSwapIntake: t`Delivery with exchange`,
    Stock: t`Into stock`,
    StockAfterSwapIntake: t`Into stock after an exchange`,
    IssueFromStock: t`Delivery from stock`,
    IssueFromStockAndSwapIntake: t`Exchange from stock`,
    IssueFromStockAndSubsequentIntakeAndCircularStock: t`Loan`,
    Intake: t`Return`,
    IntakeAndCircularStock: t`Return into stock`,
    CollectOnly: t`Collection`,
    CollectByDispatcher: t`Collection by the desk`,
    CollectByUser: t`Collection by the user`,
    OnboardAccount: t`New account`,
  }) satisfies Partial<Record<FlowType, string>>;

/** Who did something, in the reader's language: `Anna by shop (API)` where a program says for whom it acts. */
export const formatWho = ({
  by,
  onBehalfOf,
}: {
  readonly by: string;
  readonly onBehalfOf?: string | null | undefined;
}): string => (onBehalfOf == null ? by : t`${onBehalfOf} by ${by}`);

/** What published files call their flows, as far as a server has read it (flow-titles.ts). */
const titles = new Map<string, string>();

export function keepTitle(flow: string, title: string | undefined): void {
  if (title === undefined) titles.delete(flow);
  else titles.set(flow, title);
}

/** The title that its file gives it; else `DeviceRepair` becomes "Device repair". */
export const formatFlowName = (flow: string): string =>
  flowNames()[flow] ?? titles.get(flow) ?? formatName(flow);

/** For the name of a state, a field or an event: `withUser` becomes "With user". */
export const formatName = (name: string): string => capitalized(spaced(name.replaceAll('.', ' ')));

export const spaced = (name: string): string =>
  name
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/\b([A-Z])(?=[a-z])/g, (letter) => letter.toLowerCase())
    .trim();

export const capitalized = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1);
