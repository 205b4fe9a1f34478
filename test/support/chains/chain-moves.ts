// Every call that touches a chain, and what the chart says of it: a model to walk beside the running service.
// Written from the interface, not from the service: each move says which events it stands for, nothing of HTTP.

import { type AccessCode, eventOfCode, type UnlockGoal, unlock } from '../../../contract/machines/access.ts';
import { applyToChain, type ChainEvent, type ChainOutcome } from '../../../contract/machines/chain.ts';
import {
  hasDeliveryCode,
  hasPickUpCode,
  sharesPredecessorCode,
} from '../../../contract/machines/chain-codes.ts';
import {
  type Chain,
  type Link,
  type NewShipment,
  shipmentOf,
} from '../../../contract/machines/chain-shipments.ts';
import { isActive } from '../../../contract/machines/chart.ts';

/** The users of the model; a walk against the service puts real accounts in their place. */
export const users = { dispatcher: 'dispatcher', anna: 'anna', bram: 'bram' } as const;

export type RefusedWith = 'InvalidShipmentState' | 'InvalidAccessCode' | 'UnlockNotAllowed';
export type Expected =
  | { applied: true; outcome: Extract<ChainOutcome, { applied: true }> }
  | { applied: false; error: RefusedWith };

type Meaning = readonly ChainEvent[] | { error: RefusedWith };

/** Numbered in the order of booking; a walk against the service keeps the real uid beside it. */
function modelUid(number: number): string {
  return `shipment-${number}`;
}

function nextNumber(chain: Chain): number {
  return 1 + Math.max(-1, ...chain.map(({ shipmentUid }) => Number(shipmentUid.split('-')[1])));
}

function local(chain: Chain, ahead: number, parties: Partial<NewShipment>): NewShipment {
  return {
    shipmentUid: modelUid(nextNumber(chain) + ahead),
    shipmentType: 'LocalPupShipment',
    predecessor: null,
    fromUserUid: users.dispatcher,
    toUserUid: users.dispatcher,
    fromFollowsPredecessorReceiver: false,
    keepBookedAfterPickUp: false,
    ...parties,
  };
}

const booked = (...shipments: NewShipment[]): ChainEvent => ({ type: 'Booked', shipments });
const after = (shipmentUid: string, link: Link) => ({ predecessor: { shipmentUid, link } });
const stock = { toUserUid: null };
const collectOnly = { shipmentType: 'CollectOnlyShipment' } as const;
const fromReceiver = { fromUserUid: null, fromFollowsPredecessorReceiver: true };

/** Moves that begin a chain. */
export const beginnings = {
  'CreateLocalShipment from user to user': [
    booked(local([], 0, { fromUserUid: users.anna, toUserUid: users.bram })),
  ],
  'CreateLocalShipment with a delayed receiver': [
    booked(local([], 0, { fromUserUid: users.anna, ...stock })),
  ],
  CreateLocalShipmentAsIssue: [booked(local([], 0, { toUserUid: users.anna }))],
  CreateLocalShipmentAsIssueAndSwapIntake: [
    booked(
      local([], 0, { toUserUid: users.anna }),
      local([], 1, { ...after(modelUid(0), 'swap'), ...fromReceiver }),
    ),
  ],
  CreateLocalShipmentAsStock: [booked(local([], 0, stock))],
  CreateLocalShipmentAsIntake: [booked(local([], 0, { fromUserUid: users.anna }))],
  CreateLocalShipmentAsIntakeAndCircularStock: [
    booked(
      local([], 0, { fromUserUid: users.anna }),
      local([], 1, { ...after(modelUid(0), 'circularStock'), ...stock }),
    ),
  ],
  'CreateCollectOnlyShipment kept booked': [
    booked(local([], 0, { ...collectOnly, toUserUid: users.anna, keepBookedAfterPickUp: true })),
  ],
  CreateCollectOnlyShipmentAsCollectByDispatcher: [booked(local([], 0, collectOnly))],
  CreateCollectOnlyShipmentAsCollectByUser: [booked(local([], 0, { ...collectOnly, toUserUid: users.anna }))],
} satisfies Record<string, readonly ChainEvent[]>;

const issue = (shipmentUid: string): ChainEvent => ({
  type: 'IssuedFromStock',
  shipmentUid,
  toUserUid: users.anna,
});

/** What a code does that a shipment of the chain has: it opens the one shipment for which it opens now, if any. */
function access(chain: Chain, shipmentUid: string, code: AccessCode): Meaning {
  const shipment = shipmentOf(chain, shipmentUid);
  const exists = code === 'deliveryCode' ? hasDeliveryCode(shipment) : hasPickUpCode(chain, shipment);
  const own = exists ? eventOfCode(shipment.stateCode, code) : null;
  if (own) return [{ type: own, shipmentUid }];
  const predecessorUid = shipment.predecessor?.shipmentUid;
  if (code === 'deliveryCode' && predecessorUid && sharesPredecessorCode(chain, shipment))
    return access(chain, predecessorUid, 'pickUpCode');
  return { error: 'InvalidAccessCode' };
}

function unlocked(chain: Chain, shipmentUid: string, goal: UnlockGoal | null): Meaning {
  const opening = unlock(shipmentOf(chain, shipmentUid), goal);
  if (!opening.opens) return { error: opening.error };
  return opening.event ? [{ type: opening.event, shipmentUid }] : [];
}

/** Moves on one shipment of a chain. */
export const moves = {
  'CreateLocalShipment as a swap, to a user': (chain, on) => [
    booked(local(chain, 0, { ...after(on, 'swap'), toUserUid: users.bram })),
  ],
  'CreateLocalShipment as a swap, from its receiver, delayed': (chain, on) => [
    booked(local(chain, 0, { ...after(on, 'swap'), ...fromReceiver, ...stock })),
  ],
  CreateLocalShipmentAsStockAfterSwapIntake: (chain, on) => [
    { ...booked(local(chain, 0, { ...after(on, 'swap'), ...stock })), predecessorGoesTo: users.dispatcher },
  ],
  CreateLocalShipmentAsIssueFromStock: (_chain, on) => [issue(on)],
  CreateLocalShipmentAsIssueFromStockAndSwapIntake: (chain, on) => [
    issue(on),
    booked(local(chain, 0, { ...after(on, 'swap'), ...fromReceiver })),
  ],
  CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock: (chain, on) => [
    issue(on),
    booked(
      local(chain, 0, { ...after(on, 'subsequentIntake'), ...fromReceiver }),
      local(chain, 1, { ...after(modelUid(nextNumber(chain)), 'circularStock'), ...stock }),
    ),
  ],
  'SetShipmentReceiver to a user': (_chain, on) => [
    { type: 'ReceiverSet', shipmentUid: on, toUserUid: users.bram },
  ],
  'SetShipmentReceiver removing it': (_chain, on) => [{ type: 'ReceiverRemoved', shipmentUid: on }],
  CancelShipment: (_chain, on) => [{ type: 'Cancelled', shipmentUid: on }],
  'SimulateLockerAccess with its DeliveryCode': (chain, on) => access(chain, on, 'deliveryCode'),
  'SimulateLockerAccess with its PickUpCode': (chain, on) => access(chain, on, 'pickUpCode'),
  'ReportShipmentAccess of the drop off': (chain, on) => unlocked(chain, on, 'DropOff'),
  'ReportShipmentAccess of the pick up': (chain, on) => unlocked(chain, on, 'PickUp'),
  'UnlockShipmentLocker for the drop off': (chain, on) => unlocked(chain, on, 'DropOff'),
  'UnlockShipmentLocker for the pick up': (chain, on) => unlocked(chain, on, 'PickUp'),
  'UnlockShipmentLocker without a goal': (chain, on) => unlocked(chain, on, null),
  'AddShipmentObject with changePickUpAccess': (_chain, on) => [
    { type: 'AccessChanged', shipmentUid: on, pickUp: true, delivery: false },
  ],
  'AddShipmentObject with changeDropOffAccess': (_chain, on) => [
    { type: 'AccessChanged', shipmentUid: on, pickUp: false, delivery: true },
  ],
  'AddShipmentObject with both': (_chain, on) => [
    { type: 'AccessChanged', shipmentUid: on, pickUp: true, delivery: true },
  ],
} satisfies Record<string, (chain: Chain, on: string) => Meaning>;

export type Beginning = keyof typeof beginnings;
export type MoveName = keyof typeof moves;

/** On which shipment a call is made: its place among the chain's open ones, or the one that left its item or ended last. */
export type Place = number | 'last ended';

/** One call: a beginning on no chain yet, or a move on one of the chain's shipments. */
export type Move = { name: Beginning } | { name: MoveName; on: Place };

/** Whether it opens the door, or says that it was opened by hand, where it is not refused. */
export const isOpening = ({ name }: Move): boolean =>
  /^(?:SimulateLockerAccess|UnlockShipmentLocker|ReportShipmentAccess)/.test(name);

const beginningNames = Object.keys(beginnings) as Beginning[];
const moveNames = Object.keys(moves) as MoveName[];

export function openShipments(chain: Chain): Chain {
  return chain.filter(({ stateCode }) => isActive(stateCode));
}

/** Without its DeliveryCode: that of a cancelled swap is still the PickUpCode of its predecessor, and opens for that. */
const movesOnEnded = moveNames
  .filter((name) => name !== 'SimulateLockerAccess with its DeliveryCode')
  .map((name): Move => ({ name, on: 'last ended' }));

/** Every call on every open shipment, and on the one that ended last; on no chain, every beginning. */
export function movesOn(chain: Chain): Move[] {
  if (chain.length === 0) return beginningNames.map((name) => ({ name }));
  const open = openShipments(chain);
  const onOpen = open.flatMap((_, on) => moveNames.map((name) => ({ name, on })));
  return open.length === chain.length ? onOpen : [...onOpen, ...movesOnEnded];
}

const lastEnded = (chain: Chain) =>
  chain.find(({ isItemLeft }) => isItemLeft) ?? chain.findLast(({ stateCode }) => !isActive(stateCode));

/** The model's uid of the shipment that the call is made on. */
export function uidAt(chain: Chain, place: Place): string {
  const shipment = place === 'last ended' ? lastEnded(chain) : openShipments(chain)[place];
  if (!shipment) throw new TypeError(`no shipment at ${place}, expected a place in the chain`);
  return shipment.shipmentUid;
}

/** What the service is expected to answer and do. */
export function expected(chain: Chain, move: Move): Expected {
  const meaning: Meaning =
    'on' in move ? moves[move.name](chain, uidAt(chain, move.on)) : beginnings[move.name];
  if ('error' in meaning) return { applied: false, error: meaning.error };
  const outcome = applyToChain(chain, ...meaning);
  return outcome.applied ? { applied: true, outcome } : { applied: false, error: 'InvalidShipmentState' };
}

export function afterMove(chain: Chain, move: Move): Chain {
  const answer = expected(chain, move);
  return answer.applied ? answer.outcome.chain : chain;
}
