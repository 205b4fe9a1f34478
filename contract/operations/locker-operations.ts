// The rows of the operations on lockers, for the software of an operator: what is with each locker, and what people did
// to it. ASSUMPTION: assumptions: Operating; the interface has no operation on a locker.
import { z } from 'zod';
import {
  answerFlag,
  answerList,
  answerNumber,
  answerText,
  flag,
  optionalFlag,
  optionalUid,
  uid,
} from '../wire/fields.ts';
import { textOf } from '../wire/text.ts';
import { operation } from './operation.ts';
import { page, pageOf } from './shipment-reading.ts';

const source = 'assumptions: Operating';

/** The state of a locker: the first of these that applies, in this order: Booked, OutOfOrder, ToBeEmptied, Free. */
const lockerStates = ['Free', 'Booked', 'OutOfOrder', 'ToBeEmptied'] as const;

const heldBy = z.object({
  shipmentUid: answerText,
  shipmentType: answerText,
  stateCode: answerText,
  fromUserUid: answerText,
  toUserUid: answerText,
});

const lastAccess = z.object({
  occurredAt: answerText,
  accessGoal: answerText,
  shipmentUid: answerText,
  onBehalfOf: answerText,
  why: answerText,
});

const innerDimension = z.object({ width: answerNumber, height: answerNumber, length: answerNumber });

const doorFailure = z.object({
  occurredAt: answerText,
  failingSince: answerText,
  reason: answerText,
  wallOffline: answerFlag,
});

/** A sentence or two: it is read in lists. */
const REASON_LENGTH = 500;

/** A year: whoever asks for more has mistaken the unit. */
const MAX_OPEN_SECONDS = 31_536_000;

export const lockers = {
  GetLockers: operation({
    meaning: 'Lists lockers with their size, state and door, what holds each, and its last access',
    source,
    effect: 'none',
    request: z.object({
      ...page,
      pupUid: optionalUid,
      lockerUid: optionalUid,
      lockerState: z.array(z.enum(lockerStates)).max(lockerStates.length).nullish(),
      outOfOrder: optionalFlag,
      doorStayedShut: optionalFlag,
      doorOpenForSeconds: z.number().int().min(0).max(MAX_OPEN_SECONDS).nullish(),
    }),
    response: pageOf(
      z.object({
        lockerUid: answerText,
        lockerName: answerText,
        pupUid: answerText,
        size: answerText,
        innerDimension: innerDimension.nullish().catch(null),
        state: answerText,
        outOfOrder: answerFlag,
        toBeEmptied: answerFlag,
        leftShipmentUid: answerText,
        door: answerText,
        doorOpenSince: answerText,
        doorFailure: doorFailure.nullish().catch(null),
        lastAccess: lastAccess.nullish().catch(null),
        shipments: answerList(heldBy).default([]).catch([]),
      }),
    ),
    errors: [],
  }),
  SetLockerOutOfOrder: operation({
    meaning: 'Takes a locker out of order, so that no booking gets it, or puts it in order again',
    source,
    effect: 'repeatable',
    request: z.object({ lockerUid: uid, outOfOrder: flag }),
    response: z.object({ lockerUid: answerText, outOfOrder: answerFlag, changed: answerFlag }),
    errors: ['InvalidLockerUid'],
  }),
  SetLockerEmptied: operation({
    meaning: 'Says that a person took out the item that was left behind in a locker, and frees the locker',
    source,
    effect: 'repeatable',
    request: z.object({ lockerUid: uid }),
    response: z.object({ lockerUid: answerText, changed: answerFlag }),
    errors: ['InvalidLockerUid'],
  }),
  OpenLocker: operation({
    meaning:
      'Opens any locker for somebody of the operator to look inside: nothing counts as put in or taken out, and no shipment changes',
    source,
    effect: 'once',
    request: z.object({ lockerUid: uid, reason: textOf(1, REASON_LENGTH) }),
    response: z.object({ lockerUid: answerText }),
    errors: ['InvalidLockerUid', 'UnlockFailed'],
  }),
  ReportShipmentAccess: operation({
    meaning:
      'Says that somebody of the operator opened the locker of a shipment by hand, and that its item was put in or taken out: counts as that access; no door is asked to open',
    source,
    effect: 'once',
    request: z.object({
      shipmentUid: uid,
      accessGoal: z.enum(['DropOff', 'PickUp']),
      reason: textOf(1, REASON_LENGTH),
    }),
    response: z.object({}),
    errors: ['InvalidShipment', 'InvalidShipmentState', 'UnlockNotAllowed'],
  }),
};
