// For each flow, a story in which all goes well: what is there before, what people do, and the result.
import type { Role } from '../../contract/flows/flow-input.ts';
import type { NewShipment } from '../../contract/machines/chain-shipments.ts';
import type { StateCode } from '../../contract/wire/states.ts';
import type { Outside } from './outside.ts';

export type Action = readonly [Role, 'ItemDroppedOff' | 'ItemPickedUp' | 'Cancelled'];

export type Prior = 'stock' | 'intake';

export interface Story {
  readonly flow: string;
  /** The fields of the request, in addition to the common fields of a booking. */
  readonly request?: Readonly<Record<string, unknown>>;
  /** The prior shipment, whose item is in the locker. */
  readonly prior?: Prior;
  readonly actions: readonly Action[];
  readonly ends: Readonly<Partial<Record<Role, StateCode>>>;
}

export const booking = {
  pupUid: 'pup-central',
  allowLargerLockers: true,
  allowOverflowLockers: false,
  dimension: { width: 10, height: 10, length: 10 },
};

const droppedOff = (role: Role): Action => [role, 'ItemDroppedOff'];
const pickedUp = (role: Role): Action => [role, 'ItemPickedUp'];

const priors: Readonly<Record<Prior, Partial<NewShipment>>> = {
  stock: { toUserUid: null },
  intake: { fromUserUid: 'user-anna', toUserUid: 'dispatcher' },
};

export const stories: readonly Story[] = [
  {
    flow: 'LocalShipment',
    request: { toUserUid: 'user-anna' },
    actions: [droppedOff('shipment'), pickedUp('shipment')],
    ends: { shipment: 'Completed' },
  },
  {
    flow: 'Issue',
    request: { toUserUid: 'user-anna' },
    actions: [droppedOff('issue'), pickedUp('issue')],
    ends: { issue: 'Completed' },
  },
  {
    flow: 'IssueAndSwapIntake',
    request: { toUserUid: 'user-anna' },
    actions: [droppedOff('issue'), pickedUp('issue'), pickedUp('intake')],
    ends: { issue: 'Completed', intake: 'Completed' },
  },
  { flow: 'Stock', actions: [droppedOff('stock')], ends: { stock: 'WaitForReceiver' } },
  {
    flow: 'StockAfterSwapIntake',
    prior: 'intake',
    actions: [pickedUp('intake')],
    ends: { intake: 'Completed', stock: 'WaitForReceiver' },
  },
  {
    flow: 'IssueFromStock',
    prior: 'stock',
    request: { toUserUid: 'user-anna' },
    actions: [pickedUp('issue')],
    ends: { issue: 'Completed' },
  },
  {
    flow: 'IssueFromStockAndSwapIntake',
    prior: 'stock',
    request: { toUserUid: 'user-anna' },
    actions: [pickedUp('issue'), pickedUp('intake')],
    ends: { issue: 'Completed', intake: 'Completed' },
  },
  {
    flow: 'Intake',
    request: { fromUserUid: 'user-anna' },
    actions: [droppedOff('intake'), pickedUp('intake')],
    ends: { intake: 'Completed' },
  },
  {
    flow: 'IntakeAndCircularStock',
    request: { fromUserUid: 'user-anna' },
    actions: [droppedOff('intake')],
    ends: { intake: 'Completed', circularStock: 'ReadyForPickup' },
  },
  {
    flow: 'IssueFromStockAndSubsequentIntakeAndCircularStock',
    prior: 'stock',
    request: { toUserUid: 'user-anna' },
    actions: [pickedUp('issue'), droppedOff('intake')],
    ends: { issue: 'Completed', intake: 'Completed', circularStock: 'ReadyForPickup' },
  },
  {
    flow: 'CollectOnly',
    request: { keepBookedAfterPickUp: false },
    actions: [pickedUp('collect')],
    ends: { collect: 'Completed' },
  },
  {
    flow: 'CollectByDispatcher',
    request: { keepBookedAfterPickUp: true },
    actions: [pickedUp('collect'), ['collect', 'Cancelled']],
    ends: { collect: 'Cancelled' },
  },
  {
    flow: 'CollectByUser',
    request: { toUserUid: 'user-anna', keepBookedAfterPickUp: false },
    actions: [pickedUp('collect')],
    ends: { collect: 'Completed' },
  },
];

export async function requestOf(story: Story, outside: Outside): Promise<Record<string, unknown>> {
  if (!story.prior) return bookingOf(story);
  return fromPrior(story, await outside.existing(priors[story.prior], 'ItemDroppedOff'));
}

export function bookingOf({ request }: Story): Record<string, unknown> {
  return { ...booking, ...request };
}

/** The request of a flow that begins with a prior shipment. Its other fields come from that shipment. */
export function fromPrior({ flow, request }: Story, priorShipmentUid: string): Record<string, unknown> {
  const dimension = flow === 'StockAfterSwapIntake' ? { dimension: booking.dimension } : {};
  return { priorShipmentUid, ...dimension, ...request };
}
