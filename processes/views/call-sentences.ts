// What became of a call, for people: of a booking, of an operation of the locker service, of a connector, or of an event's delivery.
import { accountDetailNames } from '../../contract/flows/onboard-input.ts';
import { mutationFlagNames } from '../../contract/wire/fields.ts';
import { t } from '../../shared/texts/text.ts';
import { forItem, formatInvoke } from './format-invoke.ts';
import { formatName } from './format-names.ts';
import { formatEvent, type Names } from './readable.ts';
import { formatReason, NOTHING, type Sentence, said } from './sentence.ts';
import type { CallData, FailureData } from './timeline-data.ts';

/** By the type of the activity. Others are the process's own affair. */
const done = (): Readonly<Record<string, string>> => ({
  book: t`it is booked`,
  undo: t`what was booked is undone`,
  changeReceiver: t`the receiver is changed`,
});

/** By the operation. Others are told by their names. */
const doneByOperation = (fields: readonly string[] = []): Readonly<Record<string, string>> => ({
  FindAccount: t`the account is found or created`,
  SetAccount: [
    ...(fields.includes('pickUpPointUid') ? [t`the pick up point of the account is set`] : []),
    ...(accountDetailNames.some((name) => fields.includes(name))
      ? [t`the details of the account are set`]
      : []),
    ...(mutationFlagNames.some((name) => fields.includes(name))
      ? [t`what the person may change is set`]
      : []),
  ].join(', '),
});

export function callDone(call: CallData): Sentence {
  const { activity, id, connector, event, itemTitle } = call;
  if (event !== undefined)
    return said(
      t`“${formatEvent(event)}” is delivered to ${connector === null ? t`the system for events` : formatName(connector)}`,
    );
  if (connector !== null)
    return said(t`${formatName(connector)} has answered ${formatInvoke(id ?? connector, itemTitle)}`);
  const words = done()[activity] ?? operationDone(call);
  return words === undefined ? NOTHING : said(words);
}

function operationDone({ operation, fields, itemTitle }: CallData): string | undefined {
  if (operation === null) return undefined;
  const own = doneByOperation(fields)[operation];
  const words = own ?? t`the locker service has answered “${formatName(operation).toLowerCase()}”`;
  return forItem(words, itemTitle);
}

/** A booking whose answer was lost is in doubt: it may have been made. */
export const formatCallFailed = (call: CallData & { readonly failure: FailureData }, names: Names): string =>
  call.activity === 'book' && call.failure.code === 'OutcomeUnknown'
    ? t`it is not known whether the booking was made: ${formatReason(call.failure, names)}`
    : t`${formatCall(call)} failed: ${formatReason(call.failure, names)}`;

export const formatCallTimedOut = (call: CallData): string =>
  call.activity === 'book'
    ? t`the booking took too long: it is not known whether it was made`
    : t`${formatCall(call)} took too long`;

/** As the subject of a sentence. */
function formatCall({ activity, connector, operation, event, itemTitle }: CallData): string {
  if (event !== undefined) return t`the delivery of “${formatEvent(event)}”`;
  if (activity === 'book') return t`the booking`;
  if (activity === 'undo') return t`the undoing`;
  return forItem(formatName(connector ?? operation ?? activity), itemTitle);
}
