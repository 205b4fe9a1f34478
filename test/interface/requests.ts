// A request of each operation of the interface with all its fields, in the interface's own names and typed by hand, as an
// integrator would write it. What a request needs beforehand is made first, over HTTP too.
import type { OperationName } from '../../contract/index.ts';
import type { Wall } from '../support/wall.ts';

export type Body = Record<string, unknown>;
type Prepare = (wall: Wall) => Promise<Body>;

const dimension = { width: 30, height: 10, length: 40 };
const booking = {
  PupUid: 'pup-central',
  AllowLargerLockers: true,
  AllowOverflowLockers: true,
  Dimension: dimension,
};
const references = { ReferenceNo: 'PARCEL-7', ReferenceCaseNo: 'CASE-7', Description: 'A lamp' };
const LockerUid = 'pup-central-9';
const ofDispatcher = { ...booking, Details: references, LockerUid };
const toUser = { ...ofDispatcher, ToUserUid: 'user-anna' };
const fromUser = { ...ofDispatcher, FromUserUid: 'user-anna' };
const Issue = { ReferenceCaseNo: 'CASE-8' };
const Return = { ReferenceNo: 'RETURN-7', ReferenceCaseNo: 'CASE-9', Description: 'A used lamp' };

const local = async (wall: Wall) => (await wall.book('CreateLocalShipment'))[0];
const fromStock = async (wall: Wall) => ({
  PriorShipmentUid: (await wall.book('CreateLocalShipmentAsStock'))[0],
  ToUserUid: 'user-anna',
});

const flags = {
  canChangeFirstName: true,
  canChangeLastName: false,
  canChangeEmailAddress: true,
  canChangePhoneNumber: false,
  canChangeLanguageCode: true,
  canChangeMainPickUpPoint: false,
  canChangeAddress: true,
  canRemoveAutomatically: false,
  canRemoveManually: true,
};
let named = 0;
const nextName = () => `integrator-${++named}`;
const person = () => ({
  emailAddress: `${nextName()}@example.com`,
  phoneNumber: '+31612345678',
  languageCode: 'nl-NL',
  firstName: 'Inte',
  lastName: 'Grator',
  streetName: 'Stationsplein',
  streetNo: '1',
  mailbox: 'A',
  city: 'Utrecht',
  countryCode: 'NL',
});
const newAccount = async () => ({
  ...person(),
  pickUpPointUid: 'pup-central',
  userName: nextName(),
  mutationConfig: flags,
});
const account = async (wall: Wall) => (await wall.ok('CreateAccount', await newAccount())).userUid;

export const fullRequests = {
  CreateLocalShipment: async (wall) => ({
    ...booking,
    ...references,
    FromUserUid: 'user-anna',
    ToUserUid: 'user-bram',
    IsReceiverDelayed: false,
    SwapsShipmentUid: (await wall.book('CreateLocalShipment', { lockerUid: LockerUid }))[0],
    LockerUid,
  }),
  CreateLocalShipmentAsIssue: async () => toUser,
  CreateLocalShipmentAsIssueAndSwapIntake: async () => ({ ...toUser, Return }),
  CreateLocalShipmentAsStock: async () => ofDispatcher,
  CreateLocalShipmentAsStockAfterSwapIntake: async (wall) => ({
    PriorShipmentUid: (await wall.book('CreateLocalShipmentAsIntake'))[0],
    Dimension: dimension,
    Details: references,
  }),
  CreateLocalShipmentAsIssueFromStock: async (wall) => ({ ...(await fromStock(wall)), Issue }),
  CreateLocalShipmentAsIssueFromStockAndSwapIntake: async (wall) => ({
    ...(await fromStock(wall)),
    Return,
    Issue,
  }),
  CreateLocalShipmentAsIntake: async () => fromUser,
  CreateLocalShipmentAsIntakeAndCircularStock: async () => fromUser,
  CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock: async (wall) => ({
    ...(await fromStock(wall)),
    Return,
    Issue,
    Details: references,
  }),
  CreateCollectOnlyShipment: async () => ({ ...toUser, KeepBookedAfterPickUp: false }),
  CreateCollectOnlyShipmentAsCollectByDispatcher: async () => ({
    ...ofDispatcher,
    KeepBookedAfterPickUp: false,
  }),
  CreateCollectOnlyShipmentAsCollectByUser: async () => ({ ...toUser, KeepBookedAfterPickUp: true }),

  SetShipmentDetails: async (wall) => ({ shipmentUid: await local(wall), ...references }),
  AddShipmentObject: async (wall) => ({
    shipmentUid: await local(wall),
    details: { referenceNo: 'OBJECT-7', description: 'A bulb', weight: 120.5, count: 2, dimension },
    changePickUpAccess: true,
    changeDropOffAccess: true,
  }),
  RemoveShipmentObject: async (wall) => {
    const shipmentUid = await local(wall);
    const { shipmentObjectUid } = await wall.ok('AddShipmentObject', { shipmentUid, details: {} });
    return { shipmentUid, shipmentObjectUid };
  },
  SetShipmentReceiver: async (wall) => ({
    shipmentUid: (await wall.book('CreateLocalShipmentAsStock'))[0],
    toUserUid: 'user-anna',
    caseReferenceNew: 'CASE-8',
    removeReceiver: false,
  }),
  CancelShipment: async (wall) => ({ shipmentUid: await local(wall) }),
  SimulateLockerAccess: async (wall) => {
    const shipmentUid = await local(wall);
    const { pupUid, lockerName } = await wall.shipment(shipmentUid);
    return { pupUid, lockerName, pinCode: (await wall.codes(shipmentUid)).deliveryCode };
  },
  UnlockShipmentLocker: async (wall) => {
    const shipmentUid = await local(wall);
    return { shipmentUid, unlockGoal: 'DropOff', pinCode: (await wall.codes(shipmentUid)).deliveryCode };
  },

  SetAccountDetails: async (wall) => ({ userUid: await account(wall), ...person() }),
  SetAccountPickUpPoint: async (wall) => ({ userUid: await account(wall), pickUpPointUid: 'pup-station' }),
  SetAccountMutationConfig: async (wall) => ({ userUid: await account(wall), ...flags }),
  RemoveAccount: async (wall) => ({ userUid: await account(wall) }),
  CreateAccount: newAccount,
  CreateOrGetAccount: newAccount,
} satisfies Partial<Record<OperationName, Prepare>>;

/** The operations of the interface with a JSON body: all but UploadAccountSuggestions. */
export type JsonOperation = keyof typeof fullRequests;
export const jsonOperations = Object.keys(fullRequests) as JsonOperation[];
