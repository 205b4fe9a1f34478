// One valid request and answer per operation, in camelCase, from the demo data: the demo tenant, its pick up points and
// users. Tests, the OpenAPI document and the docs use them; nothing at run time does.
import { CALLBACK_MESSAGE_TYPE, type Callback } from '../wire/callback.ts';
import { mutationFlagNames } from '../wire/fields.ts';
import type { OperationName, Request, Response } from './operations.ts';

type Examples = {
  readonly [Name in OperationName]: { readonly request: Request<Name>; readonly response: Response<Name> };
};

const dimension = { width: 30, height: 20, length: 40 };
const booking = { pupUid: 'pup-central', allowLargerLockers: true, allowOverflowLockers: false, dimension };
const orderDetails = {
  referenceNo: 'PARCEL-1001',
  referenceCaseNo: 'CASE-77',
  description: 'Cordless drill',
};
const returnDetails = { referenceNo: 'RETURN-1001', referenceCaseNo: 'CASE-77', description: 'Used filter' };
const booked = { shipmentUid: 'shipment-1001', pupUid: 'pup-central', lockerName: '7' };
const one = { shipmentUids: ['shipment-1001'] };
const two = { shipmentUids: ['shipment-1001', 'shipment-1002'] };
const priorShipmentUid = 'shipment-1001';

const anna = {
  userUid: 'user-anna',
  canManageUser: true,
  firstName: 'Anna',
  lastName: 'Jansen',
  emailAddress: 'anna@example.com',
  phoneNumber: '+31612345678',
  mainPupUid: 'pup-central',
  mainPupName: 'Central',
  languageCode: 'nl-NL',
  mailCode: 'K7M3PQ',
};
const address = {
  streetName: 'Stationsplein',
  streetNo: '1',
  mailbox: 'A',
  city: 'Utrecht',
  countryCode: 'NL',
};
const newAccount = {
  emailAddress: 'anna@example.com',
  firstName: 'Anna',
  lastName: 'Jansen',
  pickUpPointUid: 'pup-central',
  phoneNumber: '+31612345678',
  languageCode: 'nl-NL',
  ...address,
  mutationConfig: { canChangeEmailAddress: false, canRemoveManually: true },
};
const flags = {
  ...(Object.fromEntries(mutationFlagNames.map((name) => [name, null])) as Record<
    (typeof mutationFlagNames)[number],
    null
  >),
  canChangeEmailAddress: false,
  canRemoveManually: true,
};

const page = { pageNo: 1, pageSize: 100, totalItems: 1, totalPages: 1 };
const localShipment = {
  ...booked,
  ...orderDetails,
  shipmentType: 'LocalPupShipment',
  stateCode: 'ReadyForPickup',
  stateStart: '2026-03-02T09:15:00.000',
  fromUserUid: 'user-demo',
  toUserUid: 'user-anna',
  swapsShipmentUid: null,
  priorShipmentUid: null,
  circularPriorShipmentUid: null,
};
const collectOnlyShipment = { ...localShipment, shipmentType: 'CollectOnlyShipment' };

export const examples: Examples = {
  CreateLocalShipment: {
    request: { ...booking, ...orderDetails, fromUserUid: 'user-anna', toUserUid: 'user-bram' },
    response: booked,
  },
  CreateLocalShipmentAsIssue: {
    request: { ...booking, toUserUid: 'user-anna', details: orderDetails },
    response: one,
  },
  CreateLocalShipmentAsIssueAndSwapIntake: {
    request: { ...booking, toUserUid: 'user-anna', details: orderDetails, return: returnDetails },
    response: two,
  },
  CreateLocalShipmentAsStock: { request: { ...booking, details: orderDetails }, response: one },
  CreateLocalShipmentAsStockAfterSwapIntake: {
    request: { priorShipmentUid, dimension, details: orderDetails },
    response: { shipmentUids: ['shipment-1002'] },
  },
  CreateLocalShipmentAsIssueFromStock: {
    request: { priorShipmentUid, toUserUid: 'user-anna', issue: { referenceCaseNo: 'CASE-77' } },
    response: one,
  },
  CreateLocalShipmentAsIssueFromStockAndSwapIntake: {
    request: {
      priorShipmentUid,
      toUserUid: 'user-anna',
      return: returnDetails,
      issue: { referenceCaseNo: 'CASE-77' },
    },
    response: two,
  },
  CreateLocalShipmentAsIntake: {
    request: { ...booking, fromUserUid: 'user-anna', details: returnDetails },
    response: one,
  },
  CreateLocalShipmentAsIntakeAndCircularStock: {
    request: { ...booking, fromUserUid: 'user-anna', details: returnDetails },
    response: two,
  },
  CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock: {
    request: {
      priorShipmentUid,
      toUserUid: 'user-anna',
      return: returnDetails,
      issue: { referenceCaseNo: 'CASE-77' },
      details: orderDetails,
    },
    response: { shipmentUids: ['shipment-1001', 'shipment-1002', 'shipment-1003'] },
  },
  CreateCollectOnlyShipment: {
    request: { ...booking, keepBookedAfterPickUp: false, toUserUid: 'user-anna', details: orderDetails },
    response: booked,
  },
  CreateCollectOnlyShipmentAsCollectByDispatcher: {
    request: { ...booking, keepBookedAfterPickUp: true, details: orderDetails },
    response: one,
  },
  CreateCollectOnlyShipmentAsCollectByUser: {
    request: { ...booking, toUserUid: 'user-anna', keepBookedAfterPickUp: false, details: orderDetails },
    response: one,
  },

  SetShipmentDetails: { request: { shipmentUid: 'shipment-1001', ...orderDetails }, response: {} },
  AddShipmentObject: {
    request: {
      shipmentUid: 'shipment-1001',
      details: { referenceNo: 'OBJECT-1', description: 'Charger', weight: 450, count: 1, dimension },
      changePickUpAccess: true,
      changeDropOffAccess: false,
    },
    response: { shipmentUid: 'shipment-1001', shipmentObjectUid: 'object-1' },
  },
  RemoveShipmentObject: {
    request: { shipmentUid: 'shipment-1001', shipmentObjectUid: 'object-1' },
    response: { shipmentUid: 'shipment-1001', shipmentObjectUid: 'object-1' },
  },
  SetShipmentReceiver: {
    request: { shipmentUid: 'shipment-1001', toUserUid: 'user-anna', caseReferenceNew: 'CASE-78' },
    response: {},
  },
  CancelShipment: { request: { shipmentUid: 'shipment-1001' }, response: {} },
  SimulateLockerAccess: {
    request: { pupUid: 'pup-central', lockerName: '7', pinCode: '204816' },
    response: {},
  },
  UnlockShipmentLocker: {
    request: { shipmentUid: 'shipment-1001', unlockGoal: 'PickUp', pinCode: '204816' },
    response: {},
  },

  GetShipmentAccessCode: {
    request: { shipmentUid: 'shipment-1001' },
    response: { shipmentUid: 'shipment-1001', pickUpCode: '204816', deliveryCode: '731950' },
  },
  GetShipments: {
    request: {
      pageNo: 1,
      pageSize: 100,
      activeShipments: true,
      shipmentState: ['ReadyForPickup'],
      updatedSince: '2026-03-02T09:00:00.000',
      sortBy: 'ActivityAsc',
    },
    response: { items: [localShipment], ...page },
  },
  GetLocalShipments: {
    request: { pageNo: 1, pageSize: 100, userUid: 'user-anna' },
    response: { items: [localShipment], ...page },
  },
  GetCollectOnlyShipments: {
    request: { pageNo: 1, pageSize: 100, bookedPupUid: 'pup-central' },
    response: { items: [collectOnlyShipment], ...page },
  },
  GetPickUpPoints: {
    request: { pageNo: 1, pageSize: 100, pupUid: 'pup-central', includeDetails: true },
    response: {
      items: [
        {
          pupUid: 'pup-central',
          name: 'Central',
          timeZone: 'Europe/Amsterdam',
          city: 'Utrecht',
          countryCode: 'NL',
          lockers: [{ lockerUid: 'pup-central-7', lockerName: '7', size: 'S', free: true }],
        },
      ],
      ...page,
    },
  },

  SetAccountDetails: {
    request: {
      userUid: 'user-anna',
      emailAddress: 'anna@example.com',
      phoneNumber: '0031612345678',
      languageCode: 'nl',
      firstName: 'Anna',
      lastName: 'Jansen',
      ...address,
    },
    response: { ...anna, languageCode: 'nl' },
  },
  SetAccountPickUpPoint: {
    request: { userUid: 'user-anna', pickUpPointUid: 'pup-station' },
    response: { userUid: 'user-anna', pupUid: 'pup-station', pickUpPointChanged: true },
  },
  SetAccountMutationConfig: {
    request: { userUid: 'user-anna', canChangeEmailAddress: false, canRemoveManually: true },
    response: { userUid: 'user-anna', ...flags },
  },
  RemoveAccount: { request: { userUid: 'user-bram' }, response: {} },
  CreateAccount: { request: newAccount, response: { ...anna, userName: 'anna@example.com' } },
  CreateOrGetAccount: {
    request: newAccount,
    response: { ...anna, userName: 'anna@example.com', isExisting: false },
  },
  GetAccount: {
    request: { emailAddress: 'anna@example.com' },
    response: { ...anna, ...address, userName: 'anna@example.com', isExisting: true },
  },
  GetAccountMutationConfig: {
    request: { userUid: 'user-anna' },
    response: { userUid: 'user-anna', ...flags },
  },
  UploadAccountSuggestions: {
    request: {
      data: { reference: 'residents-march' },
      file: {
        name: 'residents.csv',
        content: new TextEncoder().encode(
          'EmailAddress;PhoneNumber;LanguageCode;FirstName;LastName;Remarks;PickUpPoint\n' +
            'cor@example.com;+31612345679;nl;Cor;Visser;Ground floor;pup-central\n',
        ),
      },
    },
    response: {
      reference: 'residents-march',
      totalCount: 1,
      importedCount: 1,
      existedCount: 0,
      removedCount: 0,
      errorCount: 0,
      dateTime: '2026-03-02T09:15:00.000Z',
      errorLogs: [],
    },
  },

  ConfigureCallback: {
    request: { url: 'https://tenant.example.com/callbacks', authType: 'HMAC', resetKey: true },
    response: {
      url: 'https://tenant.example.com/callbacks',
      authType: 'HMAC',
      changed: true,
      authKey: 'kept-by-both-sides',
      signingKey: null,
    },
  },
  GetLockers: {
    request: { pageNo: 1, pageSize: 100, pupUid: 'pup-central', lockerState: ['Booked'] },
    response: {
      items: [
        {
          lockerUid: 'pup-central-7',
          lockerName: '7',
          pupUid: 'pup-central',
          size: 'S',
          state: 'Booked',
          outOfOrder: false,
          toBeEmptied: false,
          leftShipmentUid: null,
          door: 'Closed',
          doorFailure: null,
          lastAccess: {
            occurredAt: '2026-03-02T09:15:00.000',
            accessGoal: 'DropOff',
            shipmentUid: 'shipment-1001',
          },
          shipments: [
            {
              shipmentUid: 'shipment-1001',
              shipmentType: 'LocalPupShipment',
              stateCode: 'ReadyForPickup',
              fromUserUid: 'user-anna',
              toUserUid: 'user-bram',
            },
          ],
        },
      ],
      pageNo: 1,
      pageSize: 100,
      totalItems: 1,
      totalPages: 1,
    },
  },
  SetLockerOutOfOrder: {
    request: { lockerUid: 'pup-central-7', outOfOrder: true },
    response: { lockerUid: 'pup-central-7', outOfOrder: true, changed: true },
  },
  SetLockerEmptied: {
    request: { lockerUid: 'pup-central-7' },
    response: { lockerUid: 'pup-central-7', changed: true },
  },
  GetPickUpPointUse: {
    request: { pupUid: 'pup-central', since: '2026-03-02T00:00:00Z', until: '2026-03-09T00:00:00Z' },
    response: {
      pupUid: 'pup-central',
      since: '2026-03-02T00:00:00.000',
      until: '2026-03-09T00:00:00.000',
      sizes: [{ size: 'M', lockerCount: 8 }],
      hours: [{ hour: '2026-03-02T09:00:00.000', size: 'M', held: 6.25 }],
      refusals: [{ hour: '2026-03-02T09:00:00.000', size: 'M', refused: 3 }],
      timeInLocker: { itemCount: 41, p50Seconds: 21_600, p95Seconds: 172_800 },
    },
  },
  SearchAccounts: {
    request: { searchText: 'jans', most: 20 },
    response: {
      items: [
        {
          kind: 'Account',
          userUid: 'user-anna',
          firstName: 'Anna',
          lastName: 'Jansen',
          emailAddress: 'anna@example.com',
          phoneNumber: '+31612345678',
          languageCode: 'nl-NL',
          pupUid: 'pup-central',
          remarks: null,
        },
      ],
      isComplete: true,
    },
  },
  GetShipment: {
    request: { shipmentUid: 'shipment-1001' },
    response: {
      shipmentUid: 'shipment-1001',
      shipmentType: 'LocalPupShipment',
      stateCode: 'ReadyForPickup',
      stateStart: '2026-03-02T09:15:00.000',
      ...orderDetails,
      fromUserUid: 'user-anna',
      toUserUid: 'user-bram',
      pupUid: 'pup-central',
      lockerName: '7',
      swapsShipmentUid: null,
      priorShipmentUid: null,
      circularPriorShipmentUid: null,
      lockerUid: 'pup-central-7',
      updatedAt: '2026-03-02T09:15:00.000',
      isItemLeft: false,
    },
  },
  GetShipmentObjects: {
    request: { shipmentUid: 'shipment-1001' },
    response: {
      items: [
        {
          shipmentObjectUid: 'object-1',
          referenceNo: 'PART-1',
          description: 'Drill bits',
          weight: 350,
          count: 2,
          dimension: { width: 10, height: 5, length: 15 },
        },
      ],
    },
  },
  GetShipmentEvents: {
    request: { shipmentUid: 'shipment-1001' },
    response: {
      items: [
        {
          kind: 'LockerOpened',
          occurredAt: '2026-03-02T09:15:00.000',
          stateCode: null,
          accessGoal: 'DropOff',
          operation: 'UnlockShipmentLocker',
          outcome: null,
          clientId: 'tenant-booking',
          requestId: null,
        },
        {
          kind: 'StateChanged',
          occurredAt: '2026-03-02T09:15:00.000',
          stateCode: 'ReadyForPickup',
          accessGoal: null,
          operation: null,
          outcome: null,
          clientId: null,
          requestId: null,
        },
      ],
      isComplete: true,
    },
  },
  GetAuditLog: {
    request: { pageSize: 100, uid: 'shipment-1001', since: '2026-03-02T00:00:00' },
    response: {
      items: [
        {
          occurredAt: '2026-03-02T09:15:00.000',
          clientId: 'tenant-booking',
          operation: 'CreateLocalShipment',
          uids: ['shipment-1001'],
          outcome: 'Success',
          requestId: '5f0c7f0e-3f0f-4d7a-9c4e-0a4b5f5a1c2d',
        },
      ],
      nextCursor: null,
    },
  },
};

/** The callback of the change to ReadyForPickup. */
export const callbackExample = {
  messageType: CALLBACK_MESSAGE_TYPE,
  message: {
    shipmentUid: 'shipment-1001',
    stateCode: 'ReadyForPickup',
    stateStart: '2026-03-02T09:15:00.000',
    shipmentType: 'LocalPupShipment',
    ...orderDetails,
    pupUid: 'pup-central',
    fromUserUid: 'user-demo',
    toUserUid: 'user-anna',
  },
} satisfies Callback;
