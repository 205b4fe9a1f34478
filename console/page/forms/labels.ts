// What the forms call the fields and choices of the interface, where its own names are for programmers.

import { t } from '../../../shared/texts/text.ts';
import type { FormField } from '../../desk/desk-view.ts';

/** By the interface's names, or by their path. */
const fieldLabels: Readonly<Record<string, string>> = {
  width: t`Width`,
  height: t`Height`,
  length: t`Length`,
  pupUid: t`Pick up point`,
  pickUpPointUid: t`Main pick up point`,
  lockerUid: t`Locker`,
  allowLargerLockers: t`A larger locker will do, too`,
  allowOverflowLockers: t`Another pick up point will do, too`,
  keepBookedAfterPickUp: t`Keep the locker booked after the pick-up`,
  isReceiverDelayed: t`The receiver is chosen later`,
  dimension: t`Size, in centimeters`,
  toUserUid: t`Receiver`,
  fromUserUid: t`Sender`,
  'request.details.referenceNo': t`Tracking number`,
  priorShipmentUid: t`Item`,
  swapsShipmentUid: t`Shipment that it is swapped with`,
  details: t`Details`,
  return: t`Details of the return`,
  issue: t`Details of the issue`,
  'deadlines.issue': t`Issue`,
  'deadlines.intake': t`Return`,
  'deadlines.stock': t`Stock`,
  'deadlines.collect': t`Collection`,
  'deadlines.shipment': t`Shipment`,
  referenceNo: t`Reference`,
  referenceCaseNo: t`Case number`,
  description: t`Description`,
  emailAddress: t`E-mail address`,
  firstName: t`First name`,
  lastName: t`Last name`,
  phoneNumber: t`Mobile number`,
  userName: t`User name`,
  languageCode: t`Language, like nl or en`,
  streetName: t`Street`,
  streetNo: t`House number`,
  mailbox: t`Mailbox`,
  city: t`City`,
  countryCode: t`Country, like NL or DE`,
  mutationConfig: t`What they may change themselves`,
  canChangeFirstName: t`Their first name`,
  canChangeLastName: t`Their last name`,
  canChangeEmailAddress: t`Their e-mail address`,
  canChangePhoneNumber: t`Their mobile number`,
  canChangeLanguageCode: t`Their language`,
  canChangeMainPickUpPoint: t`Their main pick up point`,
  canChangeAddress: t`Their address`,
  canRemoveAutomatically: t`The account may be removed automatically`,
  canRemoveManually: t`They may remove the account`,
  deadlines: t`Deadlines`,
  dropOff: t`To be put in within`,
  pickUp: t`To be picked up within`,
  receiver: t`To have a receiver within`,
  onOverdue: t`When a deadline passes`,
  waitForLocker: t`Wait for a free locker`,
  tell: t`Tell another system`,
  'tell.events': t`What is told`,
  'tell.to': t`By the connector`,
  'tell.remindBefore': t`Remind before a deadline`,
  clock: t`Clock`,
  applyDetails: t`Change the details of an existing account`,
};

export const choiceLabels: Readonly<Record<string, string>> = {
  wait: t`Go on waiting`,
  cancel: t`Cancel everything`,
  sandbox: t`That of the sandbox`,
  overdue: t`A deadline has passed`,
  reminder: t`A reminder before a deadline`,
  needsPerson: t`A person is needed`,
  ended: t`It has ended`,
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

/** The answers to a question of yes or no, as they are sent, in words. */
export const yesNo: Readonly<Record<string, string>> = { yes: t`yes`, no: t`no` };

export const labelOf = (field: FormField): string => knownLabel(field) ?? field.label;

type Placed = readonly [field: FormField, group: string];

/** The request of a flow is the form itself. */
const placed = (fields: readonly FormField[], group = ''): Placed[] =>
  fields.flatMap((field): Placed[] => [
    [field, group],
    ...placed(field.children ?? [], field.path === 'request' ? '' : labelOf(field)),
  ]);

/** What a field is called away from its place: with its group, where the form has another of that name, as "Return: Case number". */
export function nameApart(path: string, fields: readonly FormField[]): string {
  const all = placed(fields);
  const [field, group] = all.find(([each]) => each.path === path) ?? [];
  if (!field) return path;
  const name = labelOf(field);
  return group && all.filter(([each]) => labelOf(each) === name).length > 1 ? `${group}: ${name}` : name;
}
