// The life of one shipment as one statechart (interface: States and transitions; assumptions: States), and `apply`, its
// pure use. It does not know other shipments: chain.ts has the rules between them. It is bundled into workflows: no
// I/O, no clock, no mutable state.

import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  assign,
  getNextTransitions,
  setup,
  transition,
} from 'xstate';
import type { StateCode } from '../wire/states.ts';

/** The facts beside the state that the rules of one shipment use. */
export interface ShipmentFacts {
  hasReceiver: boolean;
  keepBookedAfterPickUp: boolean;
  /** An active circular stock shipment waits for this shipment's item. */
  circularStockPending: boolean;
  followsPredecessor: boolean;
  isCollectOnly: boolean;
}

export interface ShipmentState extends ShipmentFacts {
  shipmentUid: string;
  stateCode: StateCode;
}

export type ShipmentEvent =
  | { type: 'ItemDroppedOff' }
  | { type: 'ItemPickedUp' }
  | { type: 'SwapBegun' }
  | { type: 'SubsequentIntakeBegun' }
  | { type: 'CircularStockBegun' }
  | { type: 'ReceiverSet' }
  | { type: 'ReceiverRemoved' }
  | { type: 'IssuedFromStock' }
  | { type: 'Cancelled' };

export type RefusableEvent = ShipmentEvent['type'] | 'AccessChanged' | 'Booked' | 'LeftItemPickedUp';

/** Each name is the condition that does not hold. */
export type Rule =
  | 'stateTakesEvent'
  | 'hasReceiver'
  | 'hasNoReceiver'
  | 'isNotKeptBooked'
  | 'hasNoPendingSuccessor'
  | 'isStock'
  | 'hasNoCircularStockPending'
  | 'isItemLeft'
  | 'goesToDispatcher';

/** The shipment that the rule is about: for a booking that is refused, the predecessor. */
export interface RuleViolation {
  shipmentUid: string;
  stateCode: StateCode;
  event: RefusableEvent;
  rule: Rule;
}

type GuardArgs = { context: ShipmentFacts };

export const guards = {
  followsPredecessor: ({ context }: GuardArgs) => context.followsPredecessor,
  isCollectOnly: ({ context }: GuardArgs) => context.isCollectOnly,
  isCircularStockPending: ({ context }: GuardArgs) => context.circularStockPending,
  isKeptBooked: ({ context }: GuardArgs) => context.keepBookedAfterPickUp,
  hasReceiver: ({ context }: GuardArgs) => context.hasReceiver,
  hasNoReceiver: ({ context }: GuardArgs) => !context.hasReceiver,
};

const chart = setup({
  types: {
    context: {} as ShipmentFacts,
    input: {} as ShipmentFacts,
    events: {} as ShipmentEvent,
  },
  guards,
  actions: {
    takeReceiver: assign({ hasReceiver: true }),
    dropReceiver: assign({ hasReceiver: false }),
  },
});

const withReceiverReadyElseWaiting = [
  { guard: 'hasReceiver', target: 'ReadyForPickup' },
  { target: 'WaitForReceiver' },
] as const;
const takeReceiver = { guard: 'hasNoReceiver', actions: 'takeReceiver' } as const;
const dropReceiver = { guard: 'hasReceiver', actions: 'dropReceiver' } as const;

export const shipmentMachine = chart.createMachine({
  id: 'shipment',
  context: ({ input }) => input,
  /** Not a state code: the moment of the booking, left at once. */
  initial: 'Booked',
  states: {
    Booked: {
      always: [
        { guard: 'followsPredecessor', target: 'Registered' },
        { guard: 'isCollectOnly', target: 'ReadyForPickup' },
        { target: 'ReadyForDropoff' },
      ],
    },
    Registered: {
      on: {
        SwapBegun: withReceiverReadyElseWaiting,
        SubsequentIntakeBegun: 'ReadyForDropoff',
        CircularStockBegun: 'ReadyForPickup',
        ReceiverSet: takeReceiver,
        ReceiverRemoved: dropReceiver,
        IssuedFromStock: takeReceiver,
        Cancelled: 'Cancelled',
      },
    },
    ReadyForDropoff: {
      on: {
        ItemDroppedOff: [
          { guard: 'isCircularStockPending', target: 'Completed' },
          ...withReceiverReadyElseWaiting,
        ],
        ReceiverSet: takeReceiver,
        ReceiverRemoved: dropReceiver,
        IssuedFromStock: takeReceiver,
        Cancelled: 'Cancelled',
      },
    },
    WaitForReceiver: {
      on: {
        ReceiverSet: { ...takeReceiver, target: 'ReadyForPickup' },
        IssuedFromStock: { ...takeReceiver, target: 'ReadyForPickup' },
        Cancelled: 'Cancelled',
      },
    },
    ReadyForPickup: {
      on: {
        ItemPickedUp: [{ guard: 'isKeptBooked', target: 'ReadyForPickup' }, { target: 'Completed' }],
        // Circular stock waits here without a receiver; SetShipmentReceiver is still refused here (interface: Stated
        // rules that involve state; assumptions: Chains IssueFromStock).
        IssuedFromStock: takeReceiver,
        Cancelled: 'Cancelled',
      },
    },
    Completed: { type: 'final' },
    Cancelled: { type: 'final' },
  },
});

type FirstSnapshot = AnyStateMachine['getInitialSnapshot'];

/**
 * xstate's pure steps without their hidden cost: it makes an actor of the machine for each `transition`, and that actor
 * computes the machine's first snapshot, without input, and throws it away. To xstate's
 * `initialTransition` and `transition` it is the same machine; its first snapshot is computed for an input alone.
 */
function stepping<Machine extends AnyStateMachine>(machine: Machine): Machine {
  const getInitialSnapshot = (
    ...[scope, input]: Parameters<FirstSnapshot>
  ): AnyMachineSnapshot | undefined =>
    input === undefined ? undefined : machine.getInitialSnapshot(scope, input);
  return Object.assign(Object.create(machine), { getInitialSnapshot });
}

const steps = stepping(shipmentMachine);

type ShipmentSnapshot = ReturnType<typeof snapshotOf>;

function snapshotOf({ shipmentUid: _, stateCode, ...context }: ShipmentState) {
  return shipmentMachine.resolveState({ value: stateCode, context });
}

function stateCodeOf(snapshot: ShipmentSnapshot): StateCode {
  if (snapshot.value === 'Booked') throw new TypeError('the chart rests in Booked, expected a state code');
  return snapshot.value;
}

type Applied =
  | { applied: true; stateCode: StateCode; hasReceiver: boolean; stateCodeChanged: boolean }
  | { applied: false; refusal: RuleViolation };

/** The shipment after the event, or the rule that refuses it. */
export function apply(shipment: ShipmentState, event: ShipmentEvent): Applied {
  const snapshot = snapshotOf(shipment);
  if (!snapshot.can(event)) {
    const { shipmentUid, stateCode } = shipment;
    return {
      applied: false,
      refusal: { shipmentUid, stateCode, event: event.type, rule: refusingRule(snapshot, event) },
    };
  }
  const [next] = transition(steps, snapshot, event);
  const stateCode = stateCodeOf(next);
  return {
    applied: true,
    stateCode,
    hasReceiver: next.context.hasReceiver,
    stateCodeChanged: stateCode !== shipment.stateCode,
  };
}

/** The guard that refuses every transition of this event; without such a transition, the state itself. */
function refusingRule(snapshot: ShipmentSnapshot, event: ShipmentEvent): Rule {
  const way = getNextTransitions(snapshot).find((candidate) => candidate.eventType === event.type);
  return way?.guard === 'hasReceiver' || way?.guard === 'hasNoReceiver' ? way.guard : 'stateTakesEvent';
}
