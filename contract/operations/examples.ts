// One valid request and answer per operation, in camelCase, from the demo data: the demo tenant, its pick up points and
// users. Tests, the OpenAPI document and the docs use them; nothing at run time does.
import { type CallbackMessageType, callbackTypes } from '../wire/callback-types.ts';
import { mutationFlagNames } from '../wire/fields.ts';
import { type Examples, orderDetails, page, shipmentExamples } from './shipment-examples.ts';

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

export const examples: Examples = {
  ...shipmentExamples,

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
  ConfigureCallback: {
    request: {
      url: 'https://tenant.example.com/callbacks',
      authType: 'HMAC',
      resetKey: true,
      accessMessages: true,
    },
    response: {
      url: 'https://tenant.example.com/callbacks',
      authType: 'HMAC',
      changed: true,
      authKey: 'kept-by-both-sides',
      signingKey: null,
      extraFields: false,
      accessMessages: true,
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
          innerDimension: { width: 12, height: 38, length: 60 },
          state: 'Booked',
          outOfOrder: false,
          toBeEmptied: false,
          leftShipmentUid: null,
          door: 'Closed',
          doorOpenSince: null,
          doorFailure: null,
          lastAccess: {
            occurredAt: '2026-03-02T09:15:00.000',
            accessGoal: 'DropOff',
            shipmentUid: 'shipment-1001',
            onBehalfOf: null,
            why: null,
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
      ...page,
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
  OpenLocker: {
    request: { lockerUid: 'pup-central-7', reason: 'a customer says that the locker was empty' },
    response: { lockerUid: 'pup-central-7' },
  },
  ReportShipmentAccess: {
    request: {
      shipmentUid: 'shipment-1001',
      accessGoal: 'PickUp',
      reason: 'the door is stuck; opened with the key, given to the customer',
    },
    response: {},
  },
  GetAuditLog: {
    request: { pageSize: 100, uid: 'shipment-1001', since: '2026-03-02T00:00:00' },
    response: {
      items: [
        {
          occurredAt: '2026-03-02T09:15:00.000',
          clientId: 'tenant-booking',
          onBehalfOf: 'anna',
          why: null,
          operation: 'CreateLocalShipment',
          uids: ['shipment-1001'],
          outcome: 'Success',
          requestId: '5f0c7f0e-3f0f-4d7a-9c4e-0a4b5f5a1c2d',
          lastedSince: null,
        },
      ],
      nextCursor: null,
    },
  },
};

/** A callback of the type, about the shipment that changed to ReadyForPickup. */
export const callbackExample = (messageType: CallbackMessageType) => ({
  messageType,
  message: {
    shipmentUid: 'shipment-1001',
    stateCode: 'ReadyForPickup',
    stateStart: '2026-03-02T09:15:00.000',
    shipmentType: 'LocalPupShipment',
    ...orderDetails,
    ...callbackTypes[messageType].example,
  },
});
