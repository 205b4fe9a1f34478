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

const beginningCalls: Record<Beginning, (booking: Booking) => Call> = {
  'CreateLocalShipment from user to user': (booking) => ({
    name: 'CreateLocalShipment',
    body: { ...fieldsOf(booking), FromUserUid: anna, ToUserUid: bram },
  }),
  'CreateLocalShipment with a delayed receiver': (booking) => ({
    name: 'CreateLocalShipment',
    body: { ...fieldsOf(booking), FromUserUid: anna, IsReceiverDelayed: true },
  }),
  CreateLocalShipmentAsIssue: (booking) => ({
    name: 'CreateLocalShipmentAsIssue',
    body: { ...fieldsOf(booking), ToUserUid: anna },
  }),
  CreateLocalShipmentAsIssueAndSwapIntake: (booking) => ({
    name: 'CreateLocalShipmentAsIssueAndSwapIntake',
    body: { ...fieldsOf(booking), ToUserUid: anna },
  }),
  CreateLocalShipmentAsStock: (booking) => ({ name: 'CreateLocalShipmentAsStock', body: fieldsOf(booking) }),
  CreateLocalShipmentAsIntake: (booking) => ({
    name: 'CreateLocalShipmentAsIntake',
    body: { ...fieldsOf(booking), FromUserUid: anna },
  }),
  CreateLocalShipmentAsIntakeAndCircularStock: (booking) => ({
    name: 'CreateLocalShipmentAsIntakeAndCircularStock',
    body: { ...fieldsOf(booking), FromUserUid: anna },
  }),
  'CreateCollectOnlyShipment kept booked': (booking) => ({
    name: 'CreateCollectOnlyShipment',
    body: { ...fieldsOf(booking), ToUserUid: anna, KeepBookedAfterPickUp: true },
  }),
  CreateCollectOnlyShipmentAsCollectByDispatcher: (booking) => ({
    name: 'CreateCollectOnlyShipmentAsCollectByDispatcher',
    body: { ...fieldsOf(booking), KeepBookedAfterPickUp: false },
  }),
  CreateCollectOnlyShipmentAsCollectByUser: (booking) => ({
    name: 'CreateCollectOnlyShipmentAsCollectByUser',
    body: { ...fieldsOf(booking), ToUserUid: anna, KeepBookedAfterPickUp: false },
  }),
};

const typed = ({ pupUid, lockerName }: Target, pinCode: string): Call => ({
  name: 'SimulateLockerAccess',
  body: { pupUid, lockerName, pinCode },
});

const moveCalls: Record<MoveName, (on: Target) => Call> = {
  'CreateLocalShipment as a swap, to a user': (on) => ({
    name: 'CreateLocalShipment',
    body: { ...fieldsOf(on.booking), ToUserUid: bram, SwapsShipmentUid: on.shipmentUid },
  }),
  'CreateLocalShipment as a swap, from its receiver, delayed': (on) => ({
    name: 'CreateLocalShipment',
    body: { ...fieldsOf(on.booking), IsReceiverDelayed: true, SwapsShipmentUid: on.shipmentUid },
  }),
  CreateLocalShipmentAsStockAfterSwapIntake: ({ shipmentUid, booking }) => ({
    name: 'CreateLocalShipmentAsStockAfterSwapIntake',
    body: { PriorShipmentUid: shipmentUid, Dimension: fieldsOf(booking).Dimension },
  }),
  CreateLocalShipmentAsIssueFromStock: ({ shipmentUid }) => ({
    name: 'CreateLocalShipmentAsIssueFromStock',
    body: { PriorShipmentUid: shipmentUid, ToUserUid: anna },
  }),
  CreateLocalShipmentAsIssueFromStockAndSwapIntake: ({ shipmentUid }) => ({
    name: 'CreateLocalShipmentAsIssueFromStockAndSwapIntake',
    body: { PriorShipmentUid: shipmentUid, ToUserUid: anna },
  }),
  CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock: ({ shipmentUid }) => ({
    name: 'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock',
    body: { PriorShipmentUid: shipmentUid, ToUserUid: anna },
  }),
  'SetShipmentReceiver to a user': ({ shipmentUid }) => ({
    name: 'SetShipmentReceiver',
    body: { shipmentUid, toUserUid: bram },
  }),
  'SetShipmentReceiver removing it': ({ shipmentUid }) => ({
    name: 'SetShipmentReceiver',
    body: { shipmentUid, toUserUid: '', removeReceiver: true },
  }),
  CancelShipment: ({ shipmentUid }) => ({ name: 'CancelShipment', body: { shipmentUid } }),
  'SimulateLockerAccess with its DeliveryCode': (on) => typed(on, on.deliveryCode),
  'SimulateLockerAccess with its PickUpCode': (on) => typed(on, on.pickUpCode),
  'UnlockShipmentLocker for the drop off': ({ shipmentUid }) => ({
    name: 'UnlockShipmentLocker',
    body: { shipmentUid, unlockGoal: 'DropOff' },
  }),
  'UnlockShipmentLocker for the pick up': ({ shipmentUid }) => ({
    name: 'UnlockShipmentLocker',
    body: { shipmentUid, unlockGoal: 'PickUp' },
  }),
  'UnlockShipmentLocker without a goal': ({ shipmentUid }) => ({
    name: 'UnlockShipmentLocker',
    body: { shipmentUid },
  }),
  'AddShipmentObject with changePickUpAccess': ({ shipmentUid }) => ({
    name: 'AddShipmentObject',
    body: { shipmentUid, details: {}, changePickUpAccess: true },
  }),
  'AddShipmentObject with changeDropOffAccess': ({ shipmentUid }) => ({
    name: 'AddShipmentObject',
    body: { shipmentUid, details: {}, changeDropOffAccess: true },
  }),
  'AddShipmentObject with both': ({ shipmentUid }) => ({
    name: 'AddShipmentObject',
    body: { shipmentUid, details: {}, changePickUpAccess: true, changeDropOffAccess: true },
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
