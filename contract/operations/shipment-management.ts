// The rows of the seven operations that manage a shipment (interface: Shipment management).
// ASSUMPTION: assumptions: States; Lockers and codes and §6 for the error codes that the interface does not show.
import { z } from 'zod';
import { onWire } from '../wire/casing.ts';
import { rule, withRules } from '../wire/field-rule.ts';
import {
  answerText,
  answerUid,
  dimension,
  filledText,
  optional,
  optionalFlag,
  optionalText,
  text,
  uid,
} from '../wire/fields.ts';
import { operation } from './operation.ts';

const management = { source: 'interface: Shipment management' } as const;
const shipmentErrors = ['InvalidShipment', 'InvalidShipmentState'] as const;
const nothing = z.object({});

/** interface: Shipment object. ASSUMPTION: details itself is required; each of its fields is optional. */
const shipmentObject = z.object({
  referenceNo: optionalText,
  description: optionalText,
  // ASSUMPTION: the interface shows no limits: a weight is not negative, and an object has whole parts, at least one.
  weight: z.number().min(0).nullish(),
  count: z.number().int().min(1).nullish(),
  dimension: dimension.nullish(),
});

/** interface: SetShipmentReceiver: toUserUid is "ignored when removing", so any value is valid then. */
const receiver = withRules(
  z.object({
    shipmentUid: uid,
    toUserUid: optional(text),
    caseReferenceNew: optionalText,
    removeReceiver: optionalFlag,
  }),
  [
    rule(
      'toUserUid',
      { any: [{ given: 'toUserUid' }, { isTrue: 'removeReceiver' }] },
      'is required unless removeReceiver is true',
    ),
  ],
);

export const shipmentManagement = {
  SetShipmentDetails: operation({
    ...management,
    meaning: 'Overwrites the details of a shipment',
    effect: 'repeatable',
    request: onWire(
      { description: 'Description', referenceNo: 'ReferenceNo', referenceCaseNo: 'ReferenceCaseNo' },
      z.object({
        shipmentUid: uid,
        description: text.nullable(),
        referenceNo: text,
        referenceCaseNo: text,
      }),
    ),
    response: nothing,
    errors: shipmentErrors,
  }),
  AddShipmentObject: operation({
    ...management,
    meaning: 'Adds an object to a shipment, and makes new access codes if asked to',
    effect: 'once',
    request: z.object({
      shipmentUid: uid,
      details: shipmentObject,
      changePickUpAccess: optionalFlag,
      changeDropOffAccess: optionalFlag,
    }),
    response: z.object({ shipmentUid: answerText, shipmentObjectUid: answerUid }),
    errors: shipmentErrors,
  }),
  RemoveShipmentObject: operation({
    ...management,
    meaning: 'Removes an object from a shipment',
    effect: 'repeatable',
    request: z.object({ shipmentUid: uid, shipmentObjectUid: uid }),
    response: z.object({ shipmentUid: answerText, shipmentObjectUid: answerText }),
    errors: [...shipmentErrors, 'InvalidShipmentObject'],
  }),
  SetShipmentReceiver: operation({
    ...management,
    meaning: 'Sets the receiver of a shipment that has none, or removes the receiver',
    effect: 'repeatable',
    request: receiver,
    response: nothing,
    errors: [...shipmentErrors, 'InvalidUserUid'],
  }),
  CancelShipment: operation({
    ...management,
    meaning: 'Cancels a shipment and releases its locker',
    effect: 'repeatable',
    request: z.object({ shipmentUid: uid }),
    response: nothing,
    errors: shipmentErrors,
  }),
  SimulateLockerAccess: operation({
    ...management,
    meaning: 'Simulates that a person opens a locker with a pin code; its shipment advances (staging only)',
    effect: 'once',
    request: z.object({ pupUid: uid, lockerName: filledText, pinCode: filledText }),
    response: nothing,
    errors: ['InvalidPupUid', 'InvalidLockerUid', 'InvalidAccessCode', 'UnlockFailed', 'NotAvailable'],
  }),
  UnlockShipmentLocker: operation({
    ...management,
    meaning:
      'Opens the locker of a shipment: for a drop off, for a pick up, or in any active state; also for the item that a cancelled shipment left there',
    effect: 'once',
    request: z.object({
      shipmentUid: uid,
      unlockGoal: z.enum(['DropOff', 'PickUp']).nullish(),
      pinCode: optionalText,
    }),
    response: nothing,
    errors: [...shipmentErrors, 'UnlockNotAllowed', 'InvalidAccessCode', 'UnlockFailed'],
  }),
};
