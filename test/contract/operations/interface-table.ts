// The operations as the published interface (and assumptions: Reading for those it only names) lists them, typed by hand and
// by nothing else: it must not import the contract, which is tested against it. Names are in the wire's own casing.

export interface InterfaceRow {
  readonly path: string;
  /** Required request fields; a dot leads into a nested object. */
  readonly required: string;
  readonly optional: string;
  /** Optional fields that the stated rules want in a request that is otherwise minimal. */
  readonly oneOf?: string;
  /** Optional fields that must stand alone. */
  readonly alone?: string;
  /** Answer fields beside success, error and message. */
  readonly answer: string;
}

const logistics = '/v1/Logistics';
const accounts = '/v1/Account';

const booking =
  'PupUid AllowLargerLockers AllowOverflowLockers Dimension Dimension.width Dimension.height Dimension.length';
const details = 'Details Details.ReferenceNo Details.ReferenceCaseNo Details.Description';
const returning = 'Return Return.ReferenceNo Return.ReferenceCaseNo Return.Description';
const issue = 'Issue Issue.ReferenceCaseNo';
const address = 'streetName streetNo mailbox city countryCode';
const flags =
  'canChangeFirstName canChangeLastName canChangeEmailAddress canChangePhoneNumber canChangeLanguageCode ' +
  'canChangeMainPickUpPoint canChangeAddress canRemoveAutomatically canRemoveManually';
const accountAnswer =
  'userUid canManageUser firstName lastName emailAddress phoneNumber mainPupUid mainPupName languageCode mailCode';
const newAccount = {
  required: 'emailAddress firstName lastName pickUpPointUid',
  optional: `phoneNumber userName languageCode ${address} mutationConfig ${flags
    .split(' ')
    .map((flag) => `mutationConfig.${flag}`)
    .join(' ')}`,
};
const page = 'pageNo pageSize totalItems totalPages';
const shipments = {
  required: 'pageNo pageSize',
  optional:
    'activeShipments shipmentState userUid bookedPupUid shipmentUid referenceNo referenceCaseNo updatedSince sortBy cursor',
  answer: `items ${page} nextCursor`,
};

export const interfaceTable = {
  CreateLocalShipment: {
    path: `${logistics}/CreateLocalShipment`,
    required: booking,
    optional:
      'FromUserUid ToUserUid ReferenceNo ReferenceCaseNo Description IsReceiverDelayed SwapsShipmentUid LockerUid',
    oneOf: 'ToUserUid',
    answer: 'shipmentUid pupUid lockerName',
  },
  CreateLocalShipmentAsIssue: {
    path: `${logistics}/CreateLocalShipmentAsIssue`,
    required: `ToUserUid ${booking}`,
    optional: `${details} LockerUid`,
    answer: 'shipmentUids',
  },
  CreateLocalShipmentAsIssueAndSwapIntake: {
    path: `${logistics}/CreateLocalShipmentAsIssueAndSwapIntake`,
    required: `ToUserUid ${booking}`,
    optional: `${details} ${returning} LockerUid`,
    answer: 'shipmentUids',
  },
  CreateLocalShipmentAsStock: {
    path: `${logistics}/CreateLocalShipmentAsStock`,
    required: booking,
    optional: `${details} LockerUid`,
    answer: 'shipmentUids',
  },
  CreateLocalShipmentAsStockAfterSwapIntake: {
    path: `${logistics}/CreateLocalShipmentAsStockAfterSwapIntake`,
    required: 'PriorShipmentUid Dimension Dimension.width Dimension.height Dimension.length',
    optional: details,
    answer: 'shipmentUids',
  },
  CreateLocalShipmentAsIssueFromStock: {
    path: `${logistics}/CreateLocalShipmentAsIssueFromStock`,
    required: 'PriorShipmentUid ToUserUid',
    optional: issue,
    answer: 'shipmentUids',
  },
  CreateLocalShipmentAsIssueFromStockAndSwapIntake: {
    path: `${logistics}/CreateLocalShipmentAsIssueFromStockAndSwapIntake`,
    required: 'PriorShipmentUid ToUserUid',
    optional: `${returning} ${issue}`,
    answer: 'shipmentUids',
  },
  CreateLocalShipmentAsIntake: {
    path: `${logistics}/CreateLocalShipmentAsIntake`,
    required: `FromUserUid ${booking}`,
    optional: `${details} LockerUid`,
    answer: 'shipmentUids',
  },
  CreateLocalShipmentAsIntakeAndCircularStock: {
    path: `${logistics}/CreateLocalShipmentAsIntakeAndCircularStock`,
    required: `FromUserUid ${booking}`,
    optional: `${details} LockerUid`,
    answer: 'shipmentUids',
  },
  CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock: {
    path: `${logistics}/CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock`,
    required: 'PriorShipmentUid ToUserUid',
    optional: `${returning} ${issue} ${details}`,
    answer: 'shipmentUids',
  },
  CreateCollectOnlyShipment: {
    path: `${logistics}/CreateCollectOnlyShipment`,
    required: `${booking} KeepBookedAfterPickUp`,
    optional: `ToUserUid ${details} LockerUid`,
    answer: 'shipmentUid pupUid lockerName',
  },
  CreateCollectOnlyShipmentAsCollectByDispatcher: {
    path: `${logistics}/CreateCollectOnlyShipmentAsCollectByDispatcher`,
    required: `${booking} KeepBookedAfterPickUp`,
    optional: `${details} LockerUid`,
    answer: 'shipmentUids',
  },
  CreateCollectOnlyShipmentAsCollectByUser: {
    path: `${logistics}/CreateCollectOnlyShipmentAsCollectByUser`,
    required: `ToUserUid ${booking} KeepBookedAfterPickUp`,
    optional: `${details} LockerUid`,
    answer: 'shipmentUids',
  },

  SetShipmentDetails: {
    path: `${logistics}/SetShipmentDetails`,
    required: 'shipmentUid Description ReferenceNo ReferenceCaseNo',
    optional: '',
    answer: '',
  },
  AddShipmentObject: {
    path: `${logistics}/AddShipmentObject`,
    required: 'shipmentUid details',
    optional:
      'details.referenceNo details.description details.weight details.count details.dimension ' +
      'changePickUpAccess changeDropOffAccess',
    answer: 'shipmentUid shipmentObjectUid',
  },
  RemoveShipmentObject: {
    path: `${logistics}/RemoveShipmentObject`,
    required: 'shipmentUid shipmentObjectUid',
    optional: '',
    answer: 'shipmentUid shipmentObjectUid',
  },
  SetShipmentReceiver: {
    path: `${logistics}/SetShipmentReceiver`,
    required: 'shipmentUid toUserUid',
    optional: 'caseReferenceNew removeReceiver',
    answer: '',
  },
  CancelShipment: {
    path: `${logistics}/CancelShipment`,
    required: 'shipmentUid',
    optional: '',
    answer: '',
  },
  SimulateLockerAccess: {
    path: `${logistics}/SimulateLockerAccess`,
    required: 'pupUid lockerName pinCode',
    optional: '',
    answer: '',
  },
  UnlockShipmentLocker: {
    path: `${logistics}/UnlockShipmentLocker`,
    required: 'shipmentUid',
    optional: 'unlockGoal pinCode',
    answer: '',
  },

  SetAccountDetails: {
    path: `${accounts}/SetAccountDetails`,
    required: 'userUid',
    optional: `emailAddress phoneNumber languageCode firstName lastName ${address}`,
    answer: accountAnswer,
  },
  SetAccountPickUpPoint: {
    path: `${accounts}/SetAccountPickUpPoint`,
    required: 'userUid pickUpPointUid',
    optional: '',
    answer: 'userUid pupUid pickUpPointChanged',
  },
  SetAccountMutationConfig: {
    path: `${accounts}/SetAccountMutationConfig`,
    required: 'userUid',
    optional: flags,
    answer: `userUid ${flags}`,
  },
  RemoveAccount: { path: `${accounts}/RemoveAccount`, required: 'userUid', optional: '', answer: '' },
  CreateAccount: { path: `${accounts}/CreateAccount`, ...newAccount, answer: `${accountAnswer} userName` },
  CreateOrGetAccount: {
    path: `${accounts}/CreateOrGetAccount`,
    ...newAccount,
    answer: `${accountAnswer} userName isExisting`,
  },
  UploadAccountSuggestions: {
    path: `${accounts}/UploadAccountSuggestions`,
    required: 'data file',
    optional: 'data.reference',
    answer: 'reference totalCount importedCount existedCount removedCount errorCount dateTime errorLogs',
  },

  GetShipmentAccessCode: {
    path: `${logistics}/GetShipmentAccessCode`,
    required: 'shipmentUid',
    optional: '',
    answer: 'shipmentUid pickUpCode deliveryCode',
  },
  GetShipments: { path: `${logistics}/GetShipments`, ...shipments },
  GetLocalShipments: { path: `${logistics}/GetLocalShipments`, ...shipments },
  GetCollectOnlyShipments: { path: `${logistics}/GetCollectOnlyShipments`, ...shipments },
  GetPickUpPoints: {
    path: `${logistics}/GetPickUpPoints`,
    required: 'pageNo pageSize',
    optional: 'pupUid searchText includeDetails',
    answer: `items ${page}`,
  },
  GetAccount: {
    path: `${accounts}/GetAccount`,
    required: '',
    optional: '',
    alone: 'userUid emailAddress userName',
    answer: `${accountAnswer} userName ${address} isExisting`,
  },
  GetAccountMutationConfig: {
    path: `${accounts}/GetAccountMutationConfig`,
    required: 'userUid',
    optional: '',
    answer: `userUid ${flags}`,
  },
  ConfigureCallback: {
    path: '/v1/Platform/ConfigureCallback',
    required: 'url authType',
    optional: 'resetKey authKey extraFields accessMessages',
    answer: 'url authType changed authKey signingKey extraFields accessMessages',
  },
  GetAuditLog: {
    path: '/v1/Platform/GetAuditLog',
    required: 'pageSize',
    optional: 'cursor clientId operation uid since until',
    answer: 'items nextCursor',
  },
  SearchAccounts: {
    path: '/v1/Platform/SearchAccounts',
    required: 'searchText most',
    optional: '',
    answer: 'items isComplete',
  },
  GetShipment: {
    path: '/v1/Platform/GetShipment',
    required: 'shipmentUid',
    optional: '',
    answer:
      'shipmentUid shipmentType stateCode stateStart referenceNo referenceCaseNo description fromUserUid toUserUid pupUid lockerName swapsShipmentUid priorShipmentUid circularPriorShipmentUid lastPickUpAt lockerUid updatedAt isItemLeft',
  },
  GetShipmentObjects: {
    path: '/v1/Platform/GetShipmentObjects',
    required: 'shipmentUid',
    optional: '',
    answer: 'items isComplete',
  },
  GetShipmentEvents: {
    path: '/v1/Platform/GetShipmentEvents',
    required: 'shipmentUid',
    optional: '',
    answer: 'items isComplete',
  },
  GetLockers: {
    path: '/v1/Platform/GetLockers',
    required: 'pageNo pageSize',
    optional: 'pupUid lockerUid lockerState doorStayedShut',
    answer: `items ${page}`,
  },
  SetLockerOutOfOrder: {
    path: '/v1/Platform/SetLockerOutOfOrder',
    required: 'lockerUid outOfOrder',
    optional: '',
    answer: 'lockerUid outOfOrder changed',
  },
  SetLockerEmptied: {
    path: '/v1/Platform/SetLockerEmptied',
    required: 'lockerUid',
    optional: '',
    answer: 'lockerUid changed',
  },
  GetPickUpPointUse: {
    path: '/v1/Platform/GetPickUpPointUse',
    required: 'pupUid',
    optional: 'since until',
    answer: 'pupUid since until sizes hours refusals timeInLocker',
  },
} as const satisfies Record<string, InterfaceRow>;
