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

type Row = readonly [
  required: string,
  optional: string,
  answer: string,
  more?: Pick<InterfaceRow, 'oneOf' | 'alone'>,
];

/** The path of an operation is its name below that of its group. */
function below<Name extends string>(group: string, rows: Readonly<Record<Name, Row>>) {
  const entries = Object.entries<Row>(rows).map(([name, [required, optional, answer, more]]) => {
    const row: InterfaceRow = { path: `${group}/${name}`, required, optional, answer, ...more };
    return [name, row] as const;
  });
  return Object.fromEntries(entries) as Record<Name, InterfaceRow>;
}

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
const shipments: Row = [
  'pageNo pageSize',
  'activeShipments shipmentState userUid bookedPupUid shipmentUid referenceNo referenceCaseNo updatedSince sortBy cursor',
  `items ${page} nextCursor`,
];

const logistics = below('/v1/Logistics', {
  CreateLocalShipment: [
    booking,
    'FromUserUid ToUserUid ReferenceNo ReferenceCaseNo Description IsReceiverDelayed SwapsShipmentUid LockerUid',
    'shipmentUid pupUid lockerName',
    { oneOf: 'ToUserUid' },
  ],
  CreateLocalShipmentAsIssue: [`ToUserUid ${booking}`, `${details} LockerUid`, 'shipmentUids'],
  CreateLocalShipmentAsIssueAndSwapIntake: [
    `ToUserUid ${booking}`,
    `${details} ${returning} LockerUid`,
    'shipmentUids',
  ],
  CreateLocalShipmentAsStock: [booking, `${details} LockerUid`, 'shipmentUids'],
  CreateLocalShipmentAsStockAfterSwapIntake: [
    'PriorShipmentUid Dimension Dimension.width Dimension.height Dimension.length',
    details,
    'shipmentUids',
  ],
  CreateLocalShipmentAsIssueFromStock: ['PriorShipmentUid ToUserUid', issue, 'shipmentUids'],
  CreateLocalShipmentAsIssueFromStockAndSwapIntake: [
    'PriorShipmentUid ToUserUid',
    `${returning} ${issue}`,
    'shipmentUids',
  ],
  CreateLocalShipmentAsIntake: [`FromUserUid ${booking}`, `${details} LockerUid`, 'shipmentUids'],
  CreateLocalShipmentAsIntakeAndCircularStock: [
    `FromUserUid ${booking}`,
    `${details} LockerUid`,
    'shipmentUids',
  ],
  CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock: [
    'PriorShipmentUid ToUserUid',
    `${returning} ${issue} ${details}`,
    'shipmentUids',
  ],
  CreateCollectOnlyShipment: [
    `${booking} KeepBookedAfterPickUp`,
    `ToUserUid ${details} LockerUid`,
    'shipmentUid pupUid lockerName',
  ],
  CreateCollectOnlyShipmentAsCollectByDispatcher: [
    `${booking} KeepBookedAfterPickUp`,
    `${details} LockerUid`,
    'shipmentUids',
  ],
  CreateCollectOnlyShipmentAsCollectByUser: [
    `ToUserUid ${booking} KeepBookedAfterPickUp`,
    `${details} LockerUid`,
    'shipmentUids',
  ],
  SetShipmentDetails: ['shipmentUid Description ReferenceNo ReferenceCaseNo', '', ''],
  AddShipmentObject: [
    'shipmentUid details',
    'details.referenceNo details.description details.weight details.count details.dimension ' +
      'changePickUpAccess changeDropOffAccess',
    'shipmentUid shipmentObjectUid',
  ],
  RemoveShipmentObject: ['shipmentUid shipmentObjectUid', '', 'shipmentUid shipmentObjectUid'],
  SetShipmentReceiver: ['shipmentUid toUserUid', 'caseReferenceNew removeReceiver', ''],
  CancelShipment: ['shipmentUid', '', ''],
  SimulateLockerAccess: ['pupUid lockerName pinCode', '', ''],
  UnlockShipmentLocker: ['shipmentUid', 'unlockGoal pinCode', ''],
  GetShipmentAccessCode: ['shipmentUid', '', 'shipmentUid pickUpCode deliveryCode'],
  GetShipments: shipments,
  GetLocalShipments: shipments,
  GetCollectOnlyShipments: shipments,
  GetPickUpPoints: ['pageNo pageSize', 'pupUid searchText includeDetails', `items ${page}`],
});

const accounts = below('/v1/Account', {
  SetAccountDetails: [
    'userUid',
    `emailAddress phoneNumber languageCode firstName lastName ${address}`,
    accountAnswer,
  ],
  SetAccountPickUpPoint: ['userUid pickUpPointUid', '', 'userUid pupUid pickUpPointChanged'],
  SetAccountMutationConfig: ['userUid', flags, `userUid ${flags}`],
  RemoveAccount: ['userUid', '', ''],
  CreateAccount: [newAccount.required, newAccount.optional, `${accountAnswer} userName`],
  CreateOrGetAccount: [newAccount.required, newAccount.optional, `${accountAnswer} userName isExisting`],
  UploadAccountSuggestions: [
    'data file',
    'data.reference',
    'reference totalCount importedCount existedCount removedCount errorCount dateTime errorLogs',
  ],
  GetAccount: [
    '',
    '',
    `${accountAnswer} userName ${address} isExisting`,
    { alone: 'userUid emailAddress userName' },
  ],
  GetAccountMutationConfig: ['userUid', '', `userUid ${flags}`],
});

const platform = below('/v1/Platform', {
  ConfigureCallback: [
    'url authType',
    'resetKey authKey extraFields accessMessages',
    'url authType changed authKey signingKey extraFields accessMessages',
  ],
  GetAuditLog: ['pageSize', 'cursor clientId operation uid since until', 'items nextCursor'],
  SearchAccounts: ['searchText most', '', 'items isComplete'],
  GetShipment: [
    'shipmentUid',
    '',
    'shipmentUid shipmentType stateCode stateStart referenceNo referenceCaseNo description fromUserUid toUserUid pupUid lockerName swapsShipmentUid priorShipmentUid circularPriorShipmentUid lastPickUpAt lockerUid updatedAt isItemLeft',
  ],
  GetShipmentObjects: ['shipmentUid', '', 'items isComplete'],
  GetShipmentEvents: ['shipmentUid', '', 'items isComplete'],
  GetLockers: [
    'pageNo pageSize',
    'pupUid lockerUid lockerState outOfOrder doorStayedShut doorOpenForSeconds',
    `items ${page}`,
  ],
  SetLockerOutOfOrder: ['lockerUid outOfOrder', '', 'lockerUid outOfOrder changed'],
  SetLockerEmptied: ['lockerUid', '', 'lockerUid changed'],
  OpenLocker: ['lockerUid reason', '', 'lockerUid'],
  ReportShipmentAccess: ['shipmentUid accessGoal reason', '', ''],
});

export const interfaceTable = { ...logistics, ...accounts, ...platform };
