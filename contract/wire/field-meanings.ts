// The meaning of each property on the wire, in one line, for the OpenAPI document (interface: Resources and their fields).
// A name means the same in every operation. A test compares this list with the schemas, in both directions.

export const fieldMeanings: Readonly<Record<string, string>> = {
  // Shipments
  shipmentUid: 'Unique id of the shipment',
  shipmentUids: 'Unique ids of the shipments created or issued, in no particular order',
  shipmentType: 'Type of shipment: LocalPupShipment or CollectOnlyShipment; others may come',
  stateCode:
    'Current state: Registered, ReadyForDropoff, WaitForReceiver, ReadyForPickup, Completed or Cancelled; others may come',
  stateStart: 'Moment the current state started: ISO 8601 without offset, meaning UTC',
  referenceNo: 'Reference number',
  referenceCaseNo: 'Related case number',
  caseReferenceNew:
    'New case number of the shipment; null keeps the present one. Only used when a receiver is set',
  description: 'Description',
  fromUserUid: "Account of the sender. When only the receiver is given, the dispatcher's main account",
  toUserUid: "Account of the receiver. When only the sender is given, the dispatcher's main account",
  isReceiverDelayed:
    'True when ToUserUid is set later, with SetShipmentReceiver; ToUserUid must not be given then',
  removeReceiver: 'True removes the receiver, and toUserUid is ignored; false is the default',
  swapsShipmentUid:
    "The shipment that this one swaps with: that shipment's PickUpCode is this one's DeliveryCode, and its pick-up is this one's drop-off",
  priorShipmentUid: 'The shipment that this one follows',
  circularPriorShipmentUid:
    'The intake shipment; once its item is dropped off, this shipment makes the item available as stock again',
  details: 'Details of the shipment, or of the shipment object',
  return: 'Details of the intake',
  issue: 'Details of the issue',
  items: 'The items of this page',

  // Bookings, pick up points and lockers
  pupUid: 'Unique id of the pick up point',
  bookedPupUid: 'Only shipments that are booked at this pick up point',
  lockerUid:
    'Unique id of a locker. A booking takes this locker or fails; a locker of another pick up point is InvalidLockerUid',
  lockerName: 'Name (number) of the locker',
  lockerState: 'Only lockers in one of these states',
  doorStayedShut: 'True lists only lockers with a doorFailure, false only those without',
  doorOpenForSeconds: 'Only lockers whose door stands open for at least so many seconds',
  doorOpenSince:
    'Since when the door stands open, in UTC. Null when it is shut, or its wall does not say or is not connected',
  state:
    'Booked: a shipment holds the locker. OutOfOrder: no booking gets it. ToBeEmptied: an item was left behind in it. Free: none of these. When several hold, the first of this order',
  outOfOrder: 'True when no booking gets the locker. A shipment that has it keeps it',
  toBeEmptied: 'True when an item was left behind in the locker',
  leftShipmentUid: 'The cancelled shipment whose item was left behind in the locker, where that is known',
  door: 'What the pick up point last told about the door: Open, Closed, or Unknown',
  doorFailure:
    'Why the door stayed shut the last time that it was to open, or that its wall is not connected. Null when it opened, or was never asked',
  failingSince:
    'When the door first stayed shut since it last opened, in UTC; occurredAt is the last time. Of a wall that is not connected: since when',
  reason:
    'In words for people: what the wall said of the door that stayed shut. Of OpenLocker: why somebody looks inside; of ReportShipmentAccess: why the door was opened by hand',
  wallOffline:
    'True when the wall is cut off, so that no door of it is asked to open; false when this door was asked',
  lastAccess:
    'The last time that the locker was opened, for a shipment or to look inside. Null when it never was',
  accessGoal:
    'What the locker was opened for: DropOff, PickUp, Look when somebody had it opened to look inside (OpenLocker), or null when it was opened for a shipment without a change of it',
  lastPickUpAt:
    'Of a shipment that stays booked after its pick-up: when the item was last picked up, in UTC. Else null',
  shipments: 'The active shipments that hold the locker, in the order of their chain',
  lockers: 'The lockers of the pick up point, when includeDetails is true',
  allowLargerLockers:
    'When false and no locker of the fitting size is free, the booking fails, even if larger lockers are free',
  allowOverflowLockers: 'When true, the booking may use an overflow pick up point, if one is configured',
  keepBookedAfterPickUp: 'True keeps the locker booked after the collection, until the shipment is cancelled',
  dimension: 'Size of the item; it determines the locker size',
  innerDimension:
    'Inner sides of a locker of this size, shortest first. An item fits if it fits in any orientation',
  width: 'Centimeters, at least 1',
  height: 'Centimeters, at least 1',
  length: 'Centimeters, at least 1',
  name: 'Name of the pick up point',
  timeZone: 'Time zone of the pick up point, like Europe/Amsterdam',
  size: 'Size class of the locker',
  free: 'True when the locker can be booked now',

  // Access
  pinCode: 'Access code. Where it is optional, the service does not check an empty one',
  unlockGoal:
    'DropOff unlocks a shipment in ReadyForDropoff, PickUp one in ReadyForPickup, and the shipment advances. Without a goal, the locker unlocks in any active state and nothing advances. Of a cancelled shipment whose item is still in the locker, PickUp unlocks it and the locker counts as emptied; without a goal it only unlocks',
  pickUpCode: 'Code that opens the locker for the pick up',
  deliveryCode: 'Code that opens the locker for the drop off',
  changePickUpAccess: 'True makes a new pick up code. Read it with GetShipmentAccessCode',
  changeDropOffAccess: 'True makes a new drop off code. Read it with GetShipmentAccessCode',

  // Shipment objects
  shipmentObjectUid: 'Unique id of the shipment object',
  weight: 'Weight in grams',
  count: 'Number of parts of the object',

  // Accounts
  userUid: 'Unique id of the account',
  userName: 'User name. At creation the default is the e-mail address',
  firstName: 'First name, used in communication',
  lastName: 'Last name, used in communication',
  emailAddress: 'E-mail address, also used for messages; globally unique',
  phoneNumber: 'Mobile number for SMS, in international format, starting with + or 00',
  languageCode: 'Communication language, like nl or nl-NL',
  streetName: 'Street',
  streetNo: 'House number',
  mailbox: 'Mailbox',
  city: 'City',
  countryCode: 'Two-letter ISO 3166-1 alpha-2 country code',
  pickUpPointUid: 'Unique id of the main (default) pick up point',
  pickUpPointChanged: 'True when this call changed the default pick up point',
  mainPupUid: 'Unique id of the main pick up point',
  mainPupName: 'Name of the main pick up point',
  mailCode: 'Mail delivery code of the account',
  canManageUser:
    'True when the caller may see and change the account. When false, all other fields of the account except the uid are null',
  isExisting: 'True when the account existed before. False when it is newly created, or when there is none',
  mutationConfig: 'What the user of the account may change',
  canChangeFirstName: 'Whether the user may change the first name. In a request, null changes nothing',
  canChangeLastName: 'Whether the user may change the last name. In a request, null changes nothing',
  canChangeEmailAddress: 'Whether the user may change the e-mail address. In a request, null changes nothing',
  canChangePhoneNumber: 'Whether the user may change the phone number. In a request, null changes nothing',
  canChangeLanguageCode: 'Whether the user may change the language. In a request, null changes nothing',
  canChangeMainPickUpPoint:
    'Whether the user may change the main pick up point. In a request, null changes nothing',
  canChangeAddress: 'Whether the user may change the address. In a request, null changes nothing',
  canRemoveAutomatically:
    'Whether the account may be removed automatically. In a request, null changes nothing',
  canRemoveManually: 'Whether the user may remove the account. In a request, null changes nothing',

  // Upload of account suggestions
  data: 'The reference of the upload',
  file: 'Excel file (.xls or .xlsx) or CSV file with ; as delimiter, with the header EmailAddress, PhoneNumber, LanguageCode, FirstName, LastName, Remarks, PickUpPoint',
  reference: 'Reference of the upload. The default is the file name',
  totalCount: 'Rows in the file',
  importedCount: 'Rows that are now active suggestions',
  existedCount: 'Active suggestions whose e-mail address has an account',
  removedCount: 'E-mail addresses of the previous upload that are not in this one',
  errorCount: 'Rows in errorLogs',
  dateTime: 'Moment of the upload, ISO 8601 in UTC',
  errorLogs:
    'The rows that have errors, and what is wrong. Such a row is not imported, unless its message says that it is',
  id: 'The row in the file',

  // Lists
  pageNo: 'Number of the page, from 1',
  pageSize: 'Items on a page',
  totalItems:
    'Items on all pages. Null when there are more than the service counts, and on a page read with a cursor',
  totalPages: 'Number of pages. Null when totalItems is null',
  activeShipments: 'True lists only active shipments, false only ended ones',
  shipmentState: 'Only shipments in one of these states',
  updatedSince: 'Only shipments that changed at this moment or later. Without an offset it means UTC',
  sortBy: 'Order by creation or by last change',
  searchText:
    'Text to find: of a pick up point in its name, city or uid; of an account or suggestion in its name, e-mail address or remark. There, one or two characters find beginnings of words, more any part; case, accents and punctuation do not matter',
  most: 'Give at most so many',
  isComplete: 'False when there are more than the answer has, or may be: a longer searchText finds them',
  kind: 'What the item is. Of an account search: Account, registered and managed by the tenant, or Suggestion, a row of the last upload. Of a shipment: Requested, LockerOpened or StateChanged; others may come',
  updatedAt: 'Moment of the last change of the shipment, in UTC',
  isItemLeft:
    'True when the shipment was cancelled and its item is still in the locker. Null when that is not known',
  remarks: 'Remarks of the suggestion',
  includeDetails: 'True lists the lockers of each pick up point',

  // Callbacks
  messageType: 'Kind of event',
  message: 'What was wrong. On success: what the operation did not do, or a warning; else null',
  url: 'Address of the callbacks. Null stops them',
  authType: 'How callbacks are authenticated, beside the webhook signature that they always have',
  cursor: 'The nextCursor of the page before. Absent for the first page',
  nextCursor: 'Send it as cursor to get the next page. Null on the last page',
  clientId:
    'client_id of the API client of this tenant that did it. Null when an operator of the service did it',
  onBehalfOf:
    'The person for whom the client did it, as the client said in the header X-On-Behalf-Of. Null where it said nothing',
  why: 'Why, as the client said in the header X-Reason, or as the reason of OpenLocker or ReportShipmentAccess. Null where it said nothing',
  operation: "Name of an operation, like CancelShipment, or an operator's command, like locker emptied",
  uid: 'Only entries about this shipment, account or shipment object',
  uids: 'Unique ids of the shipments, accounts, shipment objects and pick up points that the operation was about',
  since: 'Only what happened at this moment or later. Without an offset it means UTC',
  until: 'Only what happened before this moment. Without an offset it means UTC',
  occurredAt: 'Moment at which it happened, in UTC',
  outcome: 'Success, or the error code of the refusal',
  requestId: 'The x-request-id of the answer',
  lastedSince:
    'Of what is over by itself at a wall (WallOnline, DoorShut): since when it had lasted, in UTC. Null for all else',
  authKey:
    'Key of the HMAC, or the value of X-Api-Key. An answer has it only when the service has just made it',
  signingKey:
    'With authType ApiKey: the key of webhook-signature, only when the service has just made it. With the other types, the authKey is the key of webhook-signature',
  resetKey: 'True makes a new key',
  extraFields:
    'Whether callbacks have pupUid, fromUserUid and toUserUid beside the published fields. In a request: absent or null leaves it as it is; it is false at first',
  accessMessages:
    'True asks for ShipmentAccess messages: pick-ups that leave the state as it is, as with KeepBookedAfterPickUp. False stops them; without a value nothing changes, and at first there are none',
  changed: 'True when this call changed anything',

  // The envelope of every answer
  success: 'True when the operation was carried out',
  error: 'Error code; null on success',
};
