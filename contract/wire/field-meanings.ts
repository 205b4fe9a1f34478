// What each property on the wire means, in a line, for the OpenAPI document (interface: Resources and their fields).
// One name means one thing in every operation; a test holds the list against the schemas in both directions.

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
  caseReferenceNew: 'When not null it overrides the case number; only when a receiver is set',
  description: 'Description',
  fromUserUid: "Sender; where only the other party is given, the dispatcher's main account",
  toUserUid: "Receiver; where only the other party is given, the dispatcher's main account",
  isReceiverDelayed:
    'True when ToUserUid is set later, with SetShipmentReceiver; ToUserUid must not be given then',
  removeReceiver: 'True removes the receiver, and toUserUid is ignored; false is the default',
  swapsShipmentUid:
    'The shipment that this one swaps: its PickUpCode is the DeliveryCode here, and its pick-up is the drop-off here',
  priorShipmentUid: 'The shipment that this one follows',
  circularPriorShipmentUid: 'The intake whose drop-off makes this shipment available as stock again',
  details: 'Details of the shipment, or of the shipment object',
  return: 'Details of the intake',
  issue: 'Details of the issue',
  items: 'The rows of this page',

  // Bookings, pick up points and lockers
  pupUid: 'Unique id of the pick up point',
  bookedPupUid: 'Only shipments that are booked at this pick up point',
  lockerUid:
    "Unique id of a locker; in a booking: that locker or none. Another pick up point's is InvalidLockerUid",
  lockerName: 'Name (number) of the locker',
  lockers: 'The lockers of the pick up point, when includeDetails is true',
  allowLargerLockers:
    'When false and no locker of the fitting size is free, nothing is booked even if larger ones are free',
  allowOverflowLockers: 'When true the booking may go to an overflow pick up point, if one is configured',
  keepBookedAfterPickUp: 'True turns the single collection into an indefinite locker booking',
  dimension: 'Size of the item; it determines the locker size',
  width: 'Centimeters, at least 1',
  height: 'Centimeters, at least 1',
  length: 'Centimeters, at least 1',
  name: 'Name of the pick up point',
  timeZone: 'Time zone of the pick up point, like Europe/Amsterdam',
  size: 'Size class of the locker',
  free: 'True when the locker can be booked now',

  // Access
  pinCode: 'Access code; an empty one is not checked where it is optional',
  unlockGoal:
    'DropOff and PickUp unlock only in the state for it, and advance the shipment; without a goal it unlocks regardless',
  pickUpCode: 'Code that opens the locker for the pick up',
  deliveryCode: 'Code that opens the locker for the drop off',
  changePickUpAccess: 'True makes a new pick up code, to be read with GetShipmentAccessCode',
  changeDropOffAccess: 'True makes a new drop off code, to be read with GetShipmentAccessCode',

  // Shipment objects
  shipmentObjectUid: 'Unique id of the shipment object',
  weight: 'Weight in grams',
  count: 'Total object parts',

  // Accounts
  userUid: 'Unique id of the account',
  userName: 'User name; the e-mail address when none is given at creation',
  firstName: 'First name, used in communication',
  lastName: 'Last name, used in communication',
  emailAddress: 'E-mail address, also used for messages; globally unique',
  phoneNumber: 'Mobile number for SMS, in international format starting with + or 00',
  languageCode: 'Communication language, of a form like nl or nl-NL',
  streetName: 'Street',
  streetNo: 'House number',
  mailbox: 'Mailbox',
  city: 'City',
  countryCode: 'Two-letter ISO 3166-1 alpha-2 country code',
  pickUpPointUid: 'Unique id of the main (default) pick up point',
  pickUpPointChanged: 'True when the default pick up point is another than before',
  mainPupUid: 'Unique id of the main pick up point',
  mainPupName: 'Name of the main pick up point',
  mailCode: 'Mail delivery code of the account',
  canManageUser:
    'True when the caller may see and change the account; when false all other fields but the uid are null',
  isExisting: 'False when the account is newly created, or when there is none',
  mutationConfig: 'What the user of the account may change',
  canChangeFirstName: 'Whether the user may change the first name; in a request null leaves it as it is',
  canChangeLastName: 'Whether the user may change the last name; in a request null leaves it as it is',
  canChangeEmailAddress:
    'Whether the user may change the e-mail address; in a request null leaves it as it is',
  canChangePhoneNumber: 'Whether the user may change the phone number; in a request null leaves it as it is',
  canChangeLanguageCode: 'Whether the user may change the language; in a request null leaves it as it is',
  canChangeMainPickUpPoint:
    'Whether the user may change the main pick up point; in a request null leaves it as it is',
  canChangeAddress: 'Whether the user may change the address; in a request null leaves it as it is',
  canRemoveAutomatically:
    'Whether the account may be removed automatically; in a request null leaves it as it is',
  canRemoveManually: 'Whether the user may remove the account; in a request null leaves it as it is',

  // Upload of account suggestions
  data: 'What the upload is called',
  file: 'Excel file (.xls or .xlsx) or CSV file with ; as delimiter, with the header EmailAddress, PhoneNumber, LanguageCode, FirstName, LastName, Remarks, PickUpPoint',
  reference: 'Reference of the upload; the file name when absent',
  totalCount: 'Rows in the file',
  importedCount: 'Rows that are active suggestions now',
  existedCount: 'Active suggestions whose e-mail address has an account',
  removedCount: 'E-mail addresses of the former upload that are not in this one',
  errorCount: 'Rows in errorLogs',
  dateTime: 'Moment of the upload, ISO 8601 in UTC',
  errorLogs: 'What is wrong in which row; such a row is not imported, unless its message says that it is',
  id: 'The row in the file',

  // Lists
  pageNo: 'Number of the page, from 1',
  pageSize: 'Rows on a page',
  totalItems: 'Rows on all pages; null when more than are counted, and on a page that a cursor leads to',
  totalPages: 'Number of pages; null where totalItems is',
  activeShipments: 'True for only active shipments, false for only those that ended',
  shipmentState: 'Only shipments in one of these states',
  updatedSince: 'Only shipments that changed since this moment; without offset it means UTC',
  sortBy: 'Order by creation or by last change',
  searchText: 'Only pick up points whose name or city holds this text',
  includeDetails: 'True for the lockers of each pick up point',

  // Callbacks
  messageType: 'Kind of event',
  message: 'What was wrong; on success, what the operation did not do, or null',
  url: 'Address that callbacks are sent to; null stops them',
  authType: 'How callbacks are authenticated beside the webhook signature',
  cursor: 'The nextCursor of the page before; none for the first page',
  nextCursor: 'What gives the next page as its cursor; null on the last page',
  clientId: 'client_id of an API client of this tenant; an entry of an operator of the service has none',
  operation: 'Name of an operation, like CancelShipment; of an operator, a command, like locker emptied',
  uid: 'Only entries about this shipment, account or shipment object',
  uids: 'Unique ids of what the operation was about: shipments, accounts, shipment objects, pick up points',
  since: 'Only entries from this moment on; UTC without an offset',
  until: 'Only entries before this moment; UTC without an offset',
  occurredAt: 'Moment of the entry, UTC',
  outcome: 'Success, or the error code of the refusal',
  requestId: 'The x-request-id of the answer',
  authKey: 'Key of the HMAC, or the value of X-Api-Key; an answer has it only when it was newly made',
  signingKey:
    'With authType ApiKey, the key of webhook-signature, only when it was newly made; with the others that is the authKey',
  resetKey: 'True makes a new key',
  changed: 'True when anything is other than before',

  // The envelope of every answer
  success: 'True when the operation was carried out',
  error: 'Error code; null on success',
};
