// The rows of the thirteen operations that create shipments (interface: Shipment creation).
// ASSUMPTION: assumptions: Chains; Lockers and codes and §6 for their error codes, which the interface does not show.
import { z } from 'zod';
import { onWire } from '../wire/casing.ts';
import { rule, withRules } from '../wire/field-rule.ts';
import {
  answerText,
  answerUid,
  details,
  dimension,
  flag,
  issueDetails,
  optionalFlag,
  optionalText,
  optionalUid,
  uid,
} from '../wire/fields.ts';
import { operation, type Row } from './operation.ts';

const booking = {
  pupUid: uid,
  allowLargerLockers: flag,
  allowOverflowLockers: flag,
  dimension,
  lockerUid: optionalUid,
};
const optionalDetails = details.nullish();
const optionalIssue = issueDetails.nullish();

const oneShipment = z.object({ shipmentUid: answerUid, pupUid: answerText, lockerName: answerText });
// The order is not known (interface: Shipment creation), so this is a set: a repeated uid is one shipment.
const severalShipments = z.object({
  shipmentUids: z.preprocess(
    (value) => (Array.isArray(value) ? [...new Set(value)] : value),
    z.array(answerUid).min(1),
  ),
});

const localShipment = withRules(
  onWire(
    'PascalCase',
    z.object({
      fromUserUid: optionalUid,
      toUserUid: optionalUid,
      ...booking,
      referenceNo: optionalText,
      referenceCaseNo: optionalText,
      description: optionalText,
      isReceiverDelayed: optionalFlag,
      swapsShipmentUid: optionalUid,
    }),
  ),
  [
    rule(
      'toUserUid',
      { not: { all: [{ isTrue: 'isReceiverDelayed' }, { given: 'toUserUid' }] } },
      'must not be given when IsReceiverDelayed is true',
    ),
    rule(
      'fromUserUid',
      {
        any: [
          { given: 'fromUserUid' },
          { given: 'toUserUid' },
          { all: [{ given: 'swapsShipmentUid' }, { isTrue: 'isReceiverDelayed' }] },
        ],
      },
      'FromUserUid or ToUserUid is required, unless SwapsShipmentUid is given and IsReceiverDelayed is true',
    ),
  ],
);

const bookingErrors = ['InvalidPupUid', 'InvalidLockerUid', 'NoLockerAvailable', 'NoFittingLocker'] as const;
const userErrors = ['InvalidUserUid'] as const;
const priorErrors = ['InvalidShipment', 'InvalidShipmentState'] as const;

const creation = { effect: 'once' } as const;

const creationOf = <const Shape extends z.ZodRawShape, const Errors extends Row['errors']>(
  source: string,
  meaning: string,
  request: Shape,
  errors: Errors,
) =>
  operation({
    ...creation,
    meaning,
    source,
    request: onWire('PascalCase', z.object(request)),
    response: severalShipments,
    errors,
  });

const flowSpecific = <const Shape extends z.ZodRawShape, const Errors extends Row['errors']>(
  ...row: [meaning: string, request: Shape, errors: Errors]
) => creationOf('interface: Flow-specific local operations', ...row);

export const shipmentCreation = {
  CreateLocalShipment: operation({
    ...creation,
    meaning: 'Creates one account-to-account shipment, dropped off and picked up at the same pick up point',
    source: 'interface: CreateLocalShipment',
    request: localShipment,
    response: oneShipment,
    errors: [...bookingErrors, ...userErrors, ...priorErrors],
  }),
  CreateLocalShipmentAsIssue: flowSpecific(
    'Creates one issue shipment, dispatcher to user',
    { ...booking, toUserUid: uid, details: optionalDetails },
    [...bookingErrors, ...userErrors],
  ),
  CreateLocalShipmentAsIssueAndSwapIntake: flowSpecific(
    'Creates an issue shipment to the user and a swapping intake from the same user to the dispatcher',
    { ...booking, toUserUid: uid, details: optionalDetails, return: optionalDetails },
    [...bookingErrors, ...userErrors],
  ),
  CreateLocalShipmentAsStock: flowSpecific(
    'Creates one stock shipment, without a receiver',
    { ...booking, details: optionalDetails },
    bookingErrors,
  ),
  CreateLocalShipmentAsStockAfterSwapIntake: flowSpecific(
    'Creates a new swapping stock shipment after an existing intake shipment',
    { priorShipmentUid: uid, dimension, details: optionalDetails },
    [...priorErrors, 'NoLockerAvailable'],
  ),
  CreateLocalShipmentAsIssueFromStock: flowSpecific(
    'Issues the existing stock shipment to the user (sets the receiver)',
    { priorShipmentUid: uid, toUserUid: uid, issue: optionalIssue },
    [...priorErrors, ...userErrors],
  ),
  CreateLocalShipmentAsIssueFromStockAndSwapIntake: flowSpecific(
    'Issues the stock shipment to the user and creates an intake shipment as a swap on it',
    { priorShipmentUid: uid, toUserUid: uid, return: optionalDetails, issue: optionalIssue },
    [...priorErrors, ...userErrors],
  ),
  CreateLocalShipmentAsIntake: flowSpecific(
    'Creates one intake shipment, user to dispatcher',
    { ...booking, fromUserUid: uid, details: optionalDetails },
    [...bookingErrors, ...userErrors],
  ),
  CreateLocalShipmentAsIntakeAndCircularStock: flowSpecific(
    'Creates an intake shipment, and a circular stock shipment that is ready for pick up once the item is dropped off',
    { ...booking, fromUserUid: uid, details: optionalDetails },
    [...bookingErrors, ...userErrors],
  ),
  CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock: flowSpecific(
    'Issues the stock shipment to the user, and creates a subsequent intake from the same user and a circular stock shipment after it',
    {
      priorShipmentUid: uid,
      toUserUid: uid,
      return: optionalDetails,
      issue: optionalIssue,
      details: optionalDetails,
    },
    [...priorErrors, ...userErrors],
  ),
  CreateCollectOnlyShipment: operation({
    ...creation,
    meaning: 'Books a locker for a single collection by the given user, or else by the dispatcher',
    source: 'interface: CreateCollectOnlyShipment',
    request: onWire(
      'PascalCase',
      z.object({ ...booking, keepBookedAfterPickUp: flag, toUserUid: optionalUid, details: optionalDetails }),
    ),
    response: oneShipment,
    errors: [...bookingErrors, ...userErrors],
  }),
  CreateCollectOnlyShipmentAsCollectByDispatcher: creationOf(
    'interface: CreateCollectOnlyShipmentAsCollectByDispatcher',
    'Books a locker for a collection by the current dispatcher',
    { ...booking, keepBookedAfterPickUp: flag, details: optionalDetails },
    bookingErrors,
  ),
  CreateCollectOnlyShipmentAsCollectByUser: creationOf(
    'interface: CreateCollectOnlyShipmentAsCollectByUser',
    'Books a locker for a collection by the given user',
    { ...booking, toUserUid: uid, keepBookedAfterPickUp: flag, details: optionalDetails },
    [...bookingErrors, ...userErrors],
  ),
};
