// A person as the desk sees one: the account, and the shipments that were for it, which the locker service keeps longer than Temporal
// keeps cases.
import type { Response } from '../../contract/operations/operations.ts';
import { hasEnded } from '../../contract/wire/states.ts';
import { unlessUnknown } from '../../processes/locker-service.ts';
import { CommandError, commandErrorOf } from '../../processes/outcome.ts';
import { messagesTo, type SentMessage } from '../../processes/outreach/sent-messages.ts';
import { fullName } from '../../processes/views/account-names.ts';
import { capitalized, formatShipmentState } from '../../processes/views/format-names.ts';
import type { RowSubjects } from '../../processes/views/row-subjects.ts';
import { t } from '../../shared/texts/text.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { subjectsOfKeys } from './about-keys.ts';
import { inUtc } from './in-utc.ts';
import type { PersonView, ShipmentShown } from './person-view.ts';

/** As many as a person reads. */
const MAX_SHIPMENTS = 50;

type Parts = Pick<ConsoleParts, 'service'>;

/** Throws CommandError where there is no such account. */
export async function readPerson(
  parts: ConsoleParts,
  subjects: Pick<RowSubjects, 'of'>,
  userUid: string,
): Promise<PersonView> {
  const { service } = parts;
  const account = await unlessUnknown(() => service.call('GetAccount', { userUid }));
  if (!account?.userUid)
    throw new CommandError(
      'notFound',
      'AccountNotFound',
      t`There is no account ${userUid}, or it cannot be seen.`,
    );
  const { emailAddress, phoneNumber, languageCode } = account;
  const [{ unread, ...shipments }, messages] = await Promise.all([
    shipmentsBy({ service }, { userUid }),
    messagesWithItems(parts, subjects, userUid),
  ]);
  return {
    userUid,
    name: fullName(account) ?? userUid,
    emailAddress,
    phoneNumber,
    languageCode,
    messages: messages ?? [],
    ...shipments,
    unread: [...unread, ...(messages ? [] : [t`the messages to them`])],
  };
}

/** Temporal keeps them, and the account is the service's: a person is shown without them. */
const MESSAGES_WITHIN_MS = 1_500;

/** Null: they could not be read. */
async function messagesWithItems(
  parts: ConsoleParts,
  subjects: Pick<RowSubjects, 'of'>,
  userUid: string,
): Promise<PersonView['messages'] | null> {
  try {
    const until = Date.now() + MESSAGES_WITHIN_MS;
    const messages = await parts.client.withDeadline(until, () => messagesTo(parts, userUid));
    const ofKeys = await subjectsOfKeys(parts, [...new Set(messages.flatMap(({ key }) => key ?? []))]);
    const ofShipments = messages.flatMap(({ shipmentUid }) =>
      shipmentUid === null ? [] : [{ runId: shipmentUid, subjects: [], shipmentUids: [shipmentUid] }],
    );
    const abouts = await subjects.of([...ofKeys, ...ofShipments]);
    const itemOf = ({ key, shipmentUid }: SentMessage) => abouts.get(key ?? shipmentUid ?? '')?.item ?? null;
    return messages.map((each) => ({ ...each, item: itemOf(each) }));
  } catch (error) {
    if (commandErrorOf(error)) return null;
    throw error;
  }
}

/** Those of a person, or of one item by its reference, the newest first. */
export async function shipmentsBy(
  { service }: Parts,
  wanted: { readonly userUid: string } | { readonly referenceNo: string },
): Promise<Pick<PersonView, 'shipments' | 'isComplete' | 'unread'>> {
  const page = { pageNo: 1, pageSize: MAX_SHIPMENTS, sortBy: 'CreatedDesc', ...wanted } as const;
  try {
    const { items = [], totalItems = 0 } =
      (await unlessUnknown(() => service.call('GetShipments', page))) ?? {};
    const isComplete = totalItems !== null && totalItems <= items.length;
    return { shipments: items.flatMap(shipmentOf), isComplete, unread: [] };
  } catch (error) {
    if (!commandErrorOf(error)) throw error;
    return { shipments: [], isComplete: false, unread: [t`the shipments of the locker service`] };
  }
}

function shipmentOf(record: Response<'GetShipments'>['items'][number]): ShipmentShown[] {
  const { shipmentUid, description, referenceNo, referenceCaseNo, stateCode, stateStart } = record;
  const { fromUserUid, toUserUid, pupUid, lockerName } = record;
  if (shipmentUid === null) return [];
  return [
    {
      shipmentUid,
      title: description ?? referenceNo,
      reference: referenceNo,
      caseNo: referenceCaseNo,
      stateCode: stateCode ?? 'Unknown',
      stateWords: capitalized(formatShipmentState(stateCode ?? 'Unknown', toUserUid === null)),
      stateStart: stateStart && inUtc(stateStart),
      hasEnded: hasEnded(stateCode),
      fromUserUid,
      toUserUid,
      pupUid,
      lockerName,
    },
  ];
}
