// What the forms call the fields and choices of the interface, where its own names are for programmers.
import type { FormField } from '../../desk/desk-view.ts';

/** By the interface's names, or by their path. */
const fieldLabels: Readonly<Record<string, string>> = {
  width: 'Width',
  height: 'Height',
  length: 'Length',
  pupUid: 'Pick up point',
  pickUpPointUid: 'Main pick up point',
  lockerUid: 'Locker',
  allowLargerLockers: 'A larger locker will do, too',
  allowOverflowLockers: 'Another pick up point will do, too',
  keepBookedAfterPickUp: 'Keep the locker booked after the pick-up',
  isReceiverDelayed: 'The receiver is chosen later',
  dimension: 'Size, in centimeters',
  toUserUid: 'Receiver',
  fromUserUid: 'Sender',
  'request.details.referenceNo': 'Tracking number',
  priorShipmentUid: 'Item',
  swapsShipmentUid: 'Shipment that it is swapped with',
  details: 'Details',
  return: 'Details of the return',
  issue: 'Details of the issue',
  'deadlines.issue': 'Issue',
  'deadlines.intake': 'Return',
  'deadlines.stock': 'Stock',
  'deadlines.collect': 'Collection',
  'deadlines.shipment': 'Shipment',
  referenceNo: 'Reference',
  referenceCaseNo: 'Case number',
  description: 'Description',
  emailAddress: 'E-mail address',
  firstName: 'First name',
  lastName: 'Last name',
  phoneNumber: 'Mobile number',
  userName: 'User name',
  languageCode: 'Language, like nl or en',
  streetName: 'Street',
  streetNo: 'House number',
  mailbox: 'Mailbox',
  city: 'City',
  countryCode: 'Country, like NL or DE',
  mutationConfig: 'What they may change themselves',
  canChangeFirstName: 'Their first name',
  canChangeLastName: 'Their last name',
  canChangeEmailAddress: 'Their e-mail address',
  canChangePhoneNumber: 'Their mobile number',
  canChangeLanguageCode: 'Their language',
  canChangeMainPickUpPoint: 'Their main pick up point',
  canChangeAddress: 'Their address',
  canRemoveAutomatically: 'The account may be removed automatically',
  canRemoveManually: 'They may remove the account',
  deadlines: 'Deadlines',
  dropOff: 'To be put in within',
  pickUp: 'To be picked up within',
  receiver: 'To have a receiver within',
  onOverdue: 'When a deadline passes',
  waitForLocker: 'Wait for a free locker',
  tell: 'Tell another system',
  'tell.events': 'What is told',
  'tell.to': 'By the connector',
  'tell.remindBefore': 'Remind before a deadline',
  clock: 'Clock',
  applyDetails: 'Change the details of an existing account',
};

export const choiceLabels: Readonly<Record<string, string>> = {
  wait: 'Go on waiting',
  cancel: 'Cancel everything',
  sandbox: 'That of the sandbox',
  overdue: 'A deadline has passed',
  reminder: 'A reminder before a deadline',
  needsPerson: 'A person is needed',
  ended: 'It has ended',
};

/** Their labels are for the deadline that ends them. */
const stages: ReadonlySet<string> = new Set(['dropOff', 'pickUp', 'receiver']);

export const knownLabel = ({ path, label }: FormField): string | undefined => {
  const name = path.split('.').at(-1) ?? '';
  // A title of its own goes before the words for its name.
  const isUntitled = label.toLowerCase().replaceAll(' ', '') === name.toLowerCase();
  const isOther = stages.has(name) && !path.startsWith('deadlines.');
  return isUntitled && !isOther ? (fieldLabels[path] ?? fieldLabels[name]) : undefined;
};

export const labelOf = (field: FormField): string => knownLabel(field) ?? field.label;
