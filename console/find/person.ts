// A person as the desk sees one: the account, and the shipments that were for it, which the locker service keeps longer than Temporal
// keeps cases.
import type { Response } from '../../contract/operations/operations.ts';
import { hasEnded } from '../../contract/wire/states.ts';
import { unlessUnknown } from '../../processes/locker-service.ts';
import { CommandError, commandErrorOf } from '../../processes/outcome.ts';
import { fullName } from '../../processes/views/account-names.ts';
import { capitalized, formatShipmentState } from '../../processes/views/format-names.ts';
import { t } from '../../shared/texts/text.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { inUtc } from './in-utc.ts';
import type { PersonView, ShipmentShown } from './person-view.ts';

/** As many as a person reads. */
const MAX_SHIPMENTS = 50;

type Parts = Pick<ConsoleParts, 'service'>;

/** Throws CommandError where there is no such account. */
export async function readPerson({ service }: Parts, userUid: string): Promise<PersonView> {
  const account = await unlessUnknown(() => service.call('GetAccount', { userUid }));
  if (!account?.userUid)
    throw new CommandError(
      'notFound',
      'AccountNotFound',
      t`There is no account ${userUid}, or it cannot be seen.`,
    );
  const { emailAddress, phoneNumber, languageCode } = account;
  const shipments = await shipmentsBy({ service }, { userUid });
  return {
    userUid,
    name: fullName(account) ?? userUid,
    emailAddress,
    phoneNumber,
    languageCode,
    ...shipments,
  };
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
