// The model's calls as HTTP: which operation each is, and with what body. The uids and codes are the running service's.

import type { OperationName } from '../../../contract/index.ts';
import type { Box } from '../../../service/sides.ts';
import { type Beginning, type MoveName, users } from './chain-moves.ts';

export interface Call {
  readonly name: OperationName;
  readonly body: object;
}

/** What a booking asks for. */
export interface Booking {
  readonly pupUid: string;
  readonly dimension: Box;
  readonly allowLargerLockers: boolean;
  readonly allowOverflowLockers: boolean;
  readonly lockerUid?: string;
}

/** The shipment that a call is made on, where its locker is, how it was booked, and codes to be typed. */
export interface Target {
  readonly shipmentUid: string;
  readonly pupUid: string;
  readonly lockerName: string;
  readonly booking: Booking;
  readonly deliveryCode: string;
  readonly pickUpCode: string;
}

/** The accounts that stand in for the model's users; its dispatcher is the caller's main account. */
export const accounts = { [users.anna]: 'user-anna', [users.bram]: 'user-bram' } as const;
const { anna, bram } = accounts;

function fieldsOf(booking: Booking) {
  const { pupUid, dimension, allowLargerLockers, allowOverflowLockers, lockerUid = null } = booking;
  return {
    PupUid: pupUid,
    AllowLargerLockers: allowLargerLockers,
    AllowOverflowLockers: allowOverflowLockers,
    Dimension: { Width: dimension.width, Height: dimension.height, Length: dimension.length },
    LockerUid: lockerUid,
  };
}

const booked =
  (name: OperationName, more: object = {}) =>
  (booking: Booking): Call => ({ name, body: { ...fieldsOf(booking), ...more } });

const beginningCalls: Record<Beginning, (booking: Booking) => Call> = {
  'CreateLocalShipment from user to user': booked('CreateLocalShipment', {
    FromUserUid: anna,
    ToUserUid: bram,
  }),
  'CreateLocalShipment with a delayed receiver': booked('CreateLocalShipment', {
    FromUserUid: anna,
    IsReceiverDelayed: true,
  }),
  CreateLocalShipmentAsIssue: booked('CreateLocalShipmentAsIssue', { ToUserUid: anna }),
  CreateLocalShipmentAsIssueAndSwapIntake: booked('CreateLocalShipmentAsIssueAndSwapIntake', {
    ToUserUid: anna,
  }),
  CreateLocalShipmentAsStock: booked('CreateLocalShipmentAsStock'),
  CreateLocalShipmentAsIntake: booked('CreateLocalShipmentAsIntake', { FromUserUid: anna }),
  CreateLocalShipmentAsIntakeAndCircularStock: booked('CreateLocalShipmentAsIntakeAndCircularStock', {
    FromUserUid: anna,
  }),
  'CreateCollectOnlyShipment kept booked': booked('CreateCollectOnlyShipment', {
    ToUserUid: anna,
    KeepBookedAfterPickUp: true,
  }),
  CreateCollectOnlyShipmentAsCollectByDispatcher: booked('CreateCollectOnlyShipmentAsCollectByDispatcher', {
    KeepBookedAfterPickUp: false,
  }),
  CreateCollectOnlyShipmentAsCollectByUser: booked('CreateCollectOnlyShipmentAsCollectByUser', {
    ToUserUid: anna,
    KeepBookedAfterPickUp: false,
  }),
};

const typed = ({ pupUid, lockerName }: Target, pinCode: string): Call => ({
  name: 'SimulateLockerAccess',
  body: { pupUid, lockerName, pinCode },
});
const made =
  (name: OperationName, more: object = {}) =>
  ({ shipmentUid }: Target): Call => ({ name, body: { shipmentUid, ...more } });
const swapped =
  (parties: object) =>
  ({ booking, shipmentUid }: Target): Call =>
    booked('CreateLocalShipment', { ...parties, SwapsShipmentUid: shipmentUid })(booking);
const issued =
  (name: OperationName) =>
  ({ shipmentUid }: Target): Call => ({ name, body: { PriorShipmentUid: shipmentUid, ToUserUid: anna } });

const reason = 'opened with the key';
const circular = 'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock';
const moveCalls: Record<MoveName, (on: Target) => Call> = {
  'CreateLocalShipment as a swap, to a user': swapped({ ToUserUid: bram }),
  'CreateLocalShipment as a swap, from its receiver, delayed': swapped({ IsReceiverDelayed: true }),
  CreateLocalShipmentAsStockAfterSwapIntake: ({ shipmentUid, booking }) => ({
    name: 'CreateLocalShipmentAsStockAfterSwapIntake',
    body: { PriorShipmentUid: shipmentUid, Dimension: fieldsOf(booking).Dimension },
  }),
  CreateLocalShipmentAsIssueFromStock: issued('CreateLocalShipmentAsIssueFromStock'),
  CreateLocalShipmentAsIssueFromStockAndSwapIntake: issued(
    'CreateLocalShipmentAsIssueFromStockAndSwapIntake',
  ),
  [circular]: issued(circular),
  'SetShipmentReceiver to a user': made('SetShipmentReceiver', { toUserUid: bram }),
  'SetShipmentReceiver removing it': made('SetShipmentReceiver', { toUserUid: '', removeReceiver: true }),
  CancelShipment: made('CancelShipment'),
  'SimulateLockerAccess with its DeliveryCode': (on) => typed(on, on.deliveryCode),
  'SimulateLockerAccess with its PickUpCode': (on) => typed(on, on.pickUpCode),
  'ReportShipmentAccess of the drop off': made('ReportShipmentAccess', { accessGoal: 'DropOff', reason }),
  'ReportShipmentAccess of the pick up': made('ReportShipmentAccess', { accessGoal: 'PickUp', reason }),
  'UnlockShipmentLocker for the drop off': made('UnlockShipmentLocker', { unlockGoal: 'DropOff' }),
  'UnlockShipmentLocker for the pick up': made('UnlockShipmentLocker', { unlockGoal: 'PickUp' }),
  'UnlockShipmentLocker without a goal': made('UnlockShipmentLocker'),
  'AddShipmentObject with changePickUpAccess': made('AddShipmentObject', {
    details: {},
    changePickUpAccess: true,
  }),
  'AddShipmentObject with changeDropOffAccess': made('AddShipmentObject', {
    details: {},
    changeDropOffAccess: true,
  }),
  'AddShipmentObject with both': made('AddShipmentObject', {
    details: {},
    changePickUpAccess: true,
    changeDropOffAccess: true,
  }),
};

/** The call of a beginning as this booking. */
export function beginningCall(name: Beginning, booking: Booking): Call {
  return beginningCalls[name](booking);
}

/** The call of a move on this shipment. */
export function moveCall(name: MoveName, on: Target): Call {
  return moveCalls[name](on);
}
