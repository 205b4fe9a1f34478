// For every flow, and every state that its prior may have: what is there before, what people do, and what it comes to.
// Written from the interface and assumptions: States, not from the flows' declarations.
import type { Role } from '../../contract/flows/flow-input.ts';
import type { ShipmentFlowType } from '../../contract/flows/flow-rules.ts';
import type { StateCode } from '../../contract/wire/states.ts';
import type { StoredShipment } from '../support/chains/stored-shipments.ts';
import { type Before, intakes, type Priors, type Step, stocks } from './priors.ts';

export interface Story {
  readonly title: string;
  readonly flow: ShipmentFlowType;
  readonly prior?: (before: Before) => Promise<Priors>;
  /** Beside the common fields of a booking, or the prior's uid. */
  readonly request: Readonly<Record<string, unknown>>;
  /** How each shipment hangs in its chain: the prior itself, or by its link to the one before. */
  readonly legs: Readonly<Partial<Record<Role, 'prior' | StoredShipment['link']>>>;
  readonly steps: readonly Step[];
  readonly ends: Readonly<Partial<Record<Role, StateCode>>>;
}

const toAnna = { toUserUid: 'user-anna' };
const fromAnna = { fromUserUid: 'user-anna' };
const dropAndPick = (role: Role): readonly Step[] => [
  [role, 'dropOff'],
  [role, 'pickUp'],
];

/** Called as their flow, where there is one of it. */
const withoutPrior: readonly (Omit<Story, 'title'> & { readonly title?: string })[] = [
  {
    title: 'LocalShipment from user to user',
    flow: 'LocalShipment',
    request: { ...fromAnna, toUserUid: 'user-bram' },
    legs: { shipment: null },
    steps: dropAndPick('shipment'),
    ends: { shipment: 'Completed' },
  },
  {
    title: 'LocalShipment whose receiver is set when the item is there',
    flow: 'LocalShipment',
    request: { ...fromAnna, isReceiverDelayed: true },
    legs: { shipment: null },
    steps: [
      ['shipment', 'dropOff'],
      ['shipment', 'setReceiver'],
      ['shipment', 'pickUp'],
    ],
    ends: { shipment: 'Completed' },
  },
  {
    flow: 'Issue',
    request: toAnna,
    legs: { issue: null },
    steps: dropAndPick('issue'),
    ends: { issue: 'Completed' },
  },
  {
    flow: 'IssueAndSwapIntake',
    request: toAnna,
    legs: { issue: null, intake: 'swap' },
    steps: [...dropAndPick('issue'), ['intake', 'pickUp']],
    ends: { issue: 'Completed', intake: 'Completed' },
  },
  {
    flow: 'Stock',
    request: {},
    legs: { stock: null },
    steps: [['stock', 'dropOff']],
    ends: { stock: 'WaitForReceiver' },
  },
  {
    flow: 'Intake',
    request: fromAnna,
    legs: { intake: null },
    steps: dropAndPick('intake'),
    ends: { intake: 'Completed' },
  },
  {
    flow: 'IntakeAndCircularStock',
    request: fromAnna,
    legs: { intake: null, circularStock: 'circularStock' },
    steps: [['intake', 'dropOff']],
    ends: { intake: 'Completed', circularStock: 'ReadyForPickup' },
  },
  {
    title: 'CollectOnly by a user',
    flow: 'CollectOnly',
    request: { ...toAnna, keepBookedAfterPickUp: false },
    legs: { collect: null },
    steps: [['collect', 'pickUp']],
    ends: { collect: 'Completed' },
  },
  {
    title: 'CollectOnly kept booked for the dispatcher',
    flow: 'CollectOnly',
    request: { keepBookedAfterPickUp: true },
    legs: { collect: null },
    steps: [
      ['collect', 'pickUp'],
      ['collect', 'cancel'],
    ],
    ends: { collect: 'Cancelled' },
  },
  {
    flow: 'CollectByDispatcher',
    request: { keepBookedAfterPickUp: false },
    legs: { collect: null },
    steps: [['collect', 'pickUp']],
    ends: { collect: 'Completed' },
  },
  {
    flow: 'CollectByUser',
    request: { ...toAnna, keepBookedAfterPickUp: false },
    legs: { collect: null },
    steps: [['collect', 'pickUp']],
    ends: { collect: 'Completed' },
  },
];

const swapping: Story = {
  title: 'LocalShipment that swaps an intake',
  flow: 'LocalShipment',
  prior: async (before) => {
    const { prior } = await intakes.ReadyForDropoff.make(before);
    return { prior, former: prior };
  },
  request: { ...fromAnna, toUserUid: 'user-bram' },
  legs: { shipment: 'swap' },
  steps: [
    ['former', 'dropOff'],
    ['former', 'pickUp'],
    ['shipment', 'pickUp'],
  ],
  ends: { shipment: 'Completed' },
};

const fromStock: readonly Omit<Story, 'title' | 'prior'>[] = [
  {
    flow: 'IssueFromStock',
    request: toAnna,
    legs: { issue: 'prior' },
    steps: [['issue', 'pickUp']],
    ends: { issue: 'Completed' },
  },
  {
    flow: 'IssueFromStockAndSwapIntake',
    request: toAnna,
    legs: { issue: 'prior', intake: 'swap' },
    steps: [
      ['issue', 'pickUp'],
      ['intake', 'pickUp'],
    ],
    ends: { issue: 'Completed', intake: 'Completed' },
  },
  {
    flow: 'IssueFromStockAndSubsequentIntakeAndCircularStock',
    request: toAnna,
    legs: { issue: 'prior', intake: 'subsequentIntake', circularStock: 'circularStock' },
    steps: [
      ['issue', 'pickUp'],
      ['intake', 'dropOff'],
    ],
    ends: { issue: 'Completed', intake: 'Completed', circularStock: 'ReadyForPickup' },
  },
];

const afterIntake: Omit<Story, 'title' | 'prior'> = {
  flow: 'StockAfterSwapIntake',
  request: {},
  legs: { intake: 'prior', stock: 'swap' },
  steps: [['intake', 'pickUp']],
  ends: { intake: 'Completed', stock: 'WaitForReceiver' },
};

export const stories: readonly Story[] = [
  ...withoutPrior.map((story) => ({ title: story.flow, ...story })),
  swapping,
  ...fromStock.flatMap((flow) =>
    Object.values(stocks).map(({ words, make, first }) => ({
      ...flow,
      title: `${flow.flow} of ${words}`,
      prior: make,
      steps: [...first('issue'), ...flow.steps],
    })),
  ),
  ...Object.values(intakes).map(({ words, make, first }) => ({
    ...afterIntake,
    title: `StockAfterSwapIntake of ${words}`,
    prior: make,
    steps: [...first('intake'), ...afterIntake.steps],
  })),
];

export function storyOf(title: string): Story {
  const story = stories.find((each) => each.title === title);
  if (!story)
    throw new TypeError(`there is no story ${title}, expected one of ${stories.map((each) => each.title)}`);
  return story;
}
