// The model's calls as HTTP: which operation each is, and with what body. The uids and codes are the running service's.

import type { OperationName } from '../../contract/index.ts';
import { type Beginning, type Move, type MoveName, users } from './chain-moves.ts';

export interface Call {
  readonly name: OperationName;
  readonly body: object;
}

/** Where a chain is booked: each at a pick up point of its own, so that one look at the wall shows it alone. */
export interface Place {
  readonly pupUid: string;
  readonly lockerUid: string;
  readonly lockerName: string;
}

/** The shipment that a call is made on, and codes that are what is to be typed. */
export interface Target extends Place {
  readonly shipmentUid: string;
  readonly deliveryCode: string;
  readonly pickUpCode: string;
}

/** The demo tenant's accounts in place of the model's users. */
export const accounts = {
  [users.dispatcher]: 'main-demo',
  [users.anna]: 'user-anna',
  [users.bram]: 'user-bram',
} as const;
const { anna, bram } = accounts;

const dimension = { Width: 20, Height: 10, Length: 30 };
const booking = ({ pupUid }: Place) => ({
  PupUid: pupUid,
  AllowLargerLockers: false,
  AllowOverflowLockers: false,
  Dimension: dimension,
});

const beginningCalls: Record<Beginning, (place: Place) => Call> = {
  'CreateLocalShipment from user to user': (place) => ({
    name: 'CreateLocalShipment',
    body: { ...booking(place), FromUserUid: anna, ToUserUid: bram },
  }),
  'CreateLocalShipment with a delayed receiver': (place) => ({
    name: 'CreateLocalShipment',
    body: { ...booking(place), FromUserUid: anna, IsReceiverDelayed: true },
  }),
  CreateLocalShipmentAsIssue: (place) => ({
    name: 'CreateLocalShipmentAsIssue',
    body: { ...booking(place), ToUserUid: anna },
  }),
  CreateLocalShipmentAsIssueAndSwapIntake: (place) => ({
    name: 'CreateLocalShipmentAsIssueAndSwapIntake',
    body: { ...booking(place), ToUserUid: anna },
  }),
  CreateLocalShipmentAsStock: (place) => ({ name: 'CreateLocalShipmentAsStock', body: booking(place) }),
  CreateLocalShipmentAsIntake: (place) => ({
    name: 'CreateLocalShipmentAsIntake',
    body: { ...booking(place), FromUserUid: anna },
  }),
  CreateLocalShipmentAsIntakeAndCircularStock: (place) => ({
    name: 'CreateLocalShipmentAsIntakeAndCircularStock',
    body: { ...booking(place), FromUserUid: anna },
  }),
  'CreateCollectOnlyShipment kept booked': (place) => ({
    name: 'CreateCollectOnlyShipment',
    body: { ...booking(place), ToUserUid: anna, KeepBookedAfterPickUp: true },
  }),
  CreateCollectOnlyShipmentAsCollectByDispatcher: (place) => ({
    name: 'CreateCollectOnlyShipmentAsCollectByDispatcher',
    body: { ...booking(place), KeepBookedAfterPickUp: false },
  }),
  CreateCollectOnlyShipmentAsCollectByUser: (place) => ({
    name: 'CreateCollectOnlyShipmentAsCollectByUser',
    body: { ...booking(place), ToUserUid: anna, KeepBookedAfterPickUp: false },
  }),
};

const typed = ({ pupUid, lockerName }: Place, pinCode: string): Call => ({
  name: 'SimulateLockerAccess',
  body: { pupUid, lockerName, pinCode },
});

const moveCalls: Record<MoveName, (on: Target) => Call> = {
  'CreateLocalShipment as a swap, to a user': (on) => ({
    name: 'CreateLocalShipment',
    body: { ...booking(on), ToUserUid: bram, SwapsShipmentUid: on.shipmentUid },
  }),
  'CreateLocalShipment as a swap, from its receiver, delayed': (on) => ({
    name: 'CreateLocalShipment',
    body: { ...booking(on), IsReceiverDelayed: true, SwapsShipmentUid: on.shipmentUid },
  }),
  CreateLocalShipmentAsStockAfterSwapIntake: ({ shipmentUid }) => ({
    name: 'CreateLocalShipmentAsStockAfterSwapIntake',
    body: { PriorShipmentUid: shipmentUid, Dimension: dimension },
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
};

/** The call of a move; a beginning looks at the place alone. */
export function callOf(move: Move, on: Target): Call {
  return 'on' in move ? moveCalls[move.name](on) : beginningCalls[move.name](on);
}
