// Shipments that are there before a flow takes one of them as its prior, in each state that it may have by then, and what
// people have to do until its item lies in the locker.
import type { Role } from '../../contract/flows/flow-input.ts';
import type { OperationName } from '../../contract/index.ts';
import type { People } from './people.ts';

/** `former` is the shipment that has the locker before the prior. */
export type Step = readonly [Role | 'former', 'dropOff' | 'pickUp' | 'cancel' | 'setReceiver'];

export interface Before {
  readonly people: People;
  readonly booking: Readonly<Record<string, unknown>>;
}

export interface Priors {
  readonly prior: string;
  /** Has the locker before the prior. */
  readonly former?: string;
}

interface PriorState {
  readonly words: string;
  readonly make: (before: Before) => Promise<Priors>;
  readonly first: (prior: Role) => readonly Step[];
}

const toAnna = { toUserUid: 'user-anna' };
const fromAnna = { fromUserUid: 'user-anna' };

/** The one shipment that a call books. */
async function booked(
  { people, booking }: Before,
  name: OperationName,
  request: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { shipmentUids } = await people.call(name, { ...booking, ...request });
  return String((shipmentUids as readonly string[])[0]);
}

/** The two of a call that books two: which is which is in the database, for the answer may be shuffled. */
async function bookedPair({ people, booking }: Before, name: OperationName, user: object): Promise<Priors> {
  const { shipmentUids } = await people.call(name, { ...booking, ...user });
  const pair = await Promise.all((shipmentUids as string[]).map((uid) => people.shipment(uid)));
  const second = pair.find(({ predecessorUid }) => predecessorUid !== null);
  if (!second?.predecessorUid) throw new Error(`${name} did not book a pair`);
  return { prior: second.shipmentUid, former: second.predecessorUid };
}

const untilDroppedOff = (prior: Role): readonly Step[] => [[prior, 'dropOff']];
const untilFormerPickedUp = (): readonly Step[] => [
  ['former', 'dropOff'],
  ['former', 'pickUp'],
];

/** Shipments without a receiver. */
export const stocks = {
  ReadyForDropoff: {
    words: 'stock that is still to be dropped off',
    make: async (before) => ({ prior: await booked(before, 'CreateLocalShipmentAsStock', {}) }),
    first: untilDroppedOff,
  },
  WaitForReceiver: {
    words: 'stock that waits for a receiver',
    make: async (before) => {
      const prior = await booked(before, 'CreateLocalShipmentAsStock', {});
      await before.people.dropOff(prior);
      return { prior };
    },
    first: () => [],
  },
  Registered: {
    words: 'stock that is registered after an intake',
    make: async (before) => {
      const former = await booked(before, 'CreateLocalShipmentAsIntake', fromAnna);
      const { people, booking } = before;
      const { shipmentUids } = await people.call('CreateLocalShipmentAsStockAfterSwapIntake', {
        priorShipmentUid: former,
        dimension: booking.dimension,
      });
      return { prior: String((shipmentUids as string[])[0]), former };
    },
    first: untilFormerPickedUp,
  },
  ReadyForPickup: {
    words: 'circular stock that is back in its locker',
    make: async (before) => {
      const pair = await bookedPair(before, 'CreateLocalShipmentAsIntakeAndCircularStock', fromAnna);
      await before.people.dropOff(pair.former ?? '');
      return pair;
    },
    first: () => [],
  },
  RegisteredCircular: {
    words: 'circular stock that is registered after an intake',
    make: (before) => bookedPair(before, 'CreateLocalShipmentAsIntakeAndCircularStock', fromAnna),
    first: () => [['former', 'dropOff']],
  },
} as const satisfies Readonly<Record<string, PriorState>>;

/** Intakes that another call has booked. */
export const intakes = {
  ReadyForDropoff: {
    words: 'an intake that is still to be dropped off',
    make: async (before) => ({ prior: await booked(before, 'CreateLocalShipmentAsIntake', fromAnna) }),
    first: untilDroppedOff,
  },
  ReadyForPickup: {
    words: 'an intake that is to be picked up',
    make: async (before) => {
      const prior = await booked(before, 'CreateLocalShipmentAsIntake', fromAnna);
      await before.people.dropOff(prior);
      return { prior };
    },
    first: () => [],
  },
  Registered: {
    words: 'an intake that is registered after an issue',
    make: (before) => bookedPair(before, 'CreateLocalShipmentAsIssueAndSwapIntake', toAnna),
    first: untilFormerPickedUp,
  },
} as const satisfies Readonly<Record<string, PriorState>>;
