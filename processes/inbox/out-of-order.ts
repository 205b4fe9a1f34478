// Lockers that are out of order and empty: nobody waits for one, so they are easily forgotten.
import type { Response } from '../../contract/operations/operations.ts';
import { type LockerApi, LockerApiError } from '../../shared/locker-api/index.ts';
import { t } from '../../shared/texts/text.ts';
import { putInOrder } from '../action-forms/locker-order-forms.ts';
import { eachAtOnce } from '../at-once.ts';
import { readShared } from '../kept-reads.ts';
import { unlessUnknown } from '../locker-service.ts';
import type { InboxEntry, InboxParts, InboxSource, SourceRead } from './inbox-entry.ts';
import { DOOR_PRIORITY, hasItem, isToBeBrought, lastTry, NOBODY_PUTS_IN } from './stuck-doors.ts';

type Locker = Response<'GetLockers'>['items'][number];

export interface TakenOut {
  /** A person, or a program. */
  readonly by: string | null;
  /** ISO 8601. */
  readonly at: string | null;
  readonly why: string | null;
}

const MAX_LOCKERS = 100;
// Pages read it every few seconds, and it stays the same for as long as the locker is out of order.
const TAKEN_OUT_MS = 10_000;
/** Below everything that concerns an item or a person. */
const PRIORITY = 0;

export const outOfOrder: InboxSource = {
  kind: 'outOfOrder',
  what: () => t`lockers that are out of order`,
  read: readLockers,
};

async function readLockers(parts: InboxParts): Promise<SourceRead> {
  const request = { pageNo: 1, pageSize: MAX_LOCKERS, outOfOrder: true };
  const { items, totalItems } = await parts.service.call('GetLockers', request);
  // A service that does not know the filter lists the other lockers as well.
  const empty = items.filter(
    (locker) => locker.outOfOrder === true && !hasItem(locker) && !isOfDoors(locker),
  );
  const takenOut = await takenOutAmong(parts, empty);
  const isWhole = (totalItems ?? items.length) <= items.length;
  return {
    entries: empty.map((locker) => entryOf(locker, takenOut.get(locker.lockerUid ?? ''))),
    ...(!isWhole && { incomplete: t`only ${items.length} of ${totalItems} lockers were read` }),
  };
}

/** A door that stayed shut is in the way of whoever brings an item: stuck-doors.ts says so. */
const isOfDoors = (locker: Locker): boolean => locker.doorFailure != null && isToBeBrought(locker);

/** Who has taken them out of order, by lockerUid; without those that are in order, and those that the service says nothing about. */
export async function takenOutAmong(
  { service, shared }: Pick<InboxParts, 'service' | 'shared'>,
  lockers: readonly Pick<Locker, 'lockerUid' | 'outOfOrder'>[],
): Promise<ReadonlyMap<string, TakenOut>> {
  const found = new Map<string, TakenOut>();
  const uids = lockers.flatMap(({ lockerUid, outOfOrder }) => (outOfOrder === true && lockerUid) || []);
  const ask = (uid: string) =>
    readShared(shared, `who has taken out ${uid}`, TAKEN_OUT_MS, () => readTakenOut(service, uid));
  for await (const { item, outcome } of eachAtOnce(uids, ask))
    if (outcome.done && outcome.value) found.set(item, outcome.value);
    else if (!outcome.done && !(outcome.error instanceof LockerApiError)) throw outcome.error;
  return found;
}

/** Read from the audit log of the service; undefined if it has none. */
async function readTakenOut(
  service: Pick<LockerApi, 'call'>,
  lockerUid: string,
): Promise<TakenOut | undefined> {
  const wanted = { pageSize: 1, operation: 'SetLockerOutOfOrder', uid: lockerUid };
  const { items = [] } = (await unlessUnknown(() => service.call('GetAuditLog', wanted))) ?? {};
  return items.map(({ onBehalfOf, clientId, occurredAt, why }) => ({
    by: onBehalfOf ?? clientId,
    at: occurredAt && `${occurredAt}Z`,
    why,
  }))[0];
}

function entryOf(locker: Locker, takenOut: TakenOut | undefined): InboxEntry {
  const { lockerUid, lockerName, pupUid, doorFailure } = locker;
  const who = takenOut?.by ?? null;
  const reason = takenOut?.why == null ? '' : `: “${takenOut.why}”`;
  const why = [
    who === null ? t`Who has taken it out of order is not known.` : t`${who} took it out of order${reason}.`,
    ...(doorFailure == null ? [] : [lastTry(locker)]),
  ];
  return {
    id: `outOfOrder:${lockerUid}`,
    kind: 'outOfOrder',
    since: takenOut?.at ?? null,
    clockAheadMs: 0,
    title: t`Locker ${lockerName} of ${pupUid} is out of order`,
    why: why.join(' '),
    ifNothing: ifNothingAt(locker),
    toDo: t`Have it mended, and put it in order again: then this ends.`,
    ...(pupUid !== null &&
      !isToBeBrought(locker) && {
        cause: {
          id: `outOfOrder:${pupUid}`,
          title: (count: number) => t`${count} lockers of ${pupUid} are out of order`,
          why: t`They are empty, and nobody has put them in order again.`,
        },
      }),
    key: null,
    pupUid,
    lockerUid,
    lockerName,
    shipmentUid: null,
    priority: isToBeBrought(locker) ? DOOR_PRIORITY : PRIORITY,
    actions: [putInOrder(lockerUid ?? '')],
  };
}

/** One that is booked is needed, whatever is inside now. */
function ifNothingAt(locker: Locker): string {
  if (isToBeBrought(locker)) return NOBODY_PUTS_IN();
  return locker.shipments.length > 0
    ? t`It is booked all the same: nothing can be put in, or taken out.`
    : t`It stays empty: no booking gets it.`;
}
