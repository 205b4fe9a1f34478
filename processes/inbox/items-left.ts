// Items that cancelled shipments left in their lockers, as the locker service knows them. A process that is open may count on its own:
// it can book that locker for the next person. Who takes the item out then puts them before an empty locker.
import type { Response } from '../../contract/operations/operations.ts';
import { LockerApiError } from '../../shared/locker-api/index.ts';
import { ownersOf, runningAmong, UIDS_PER_QUERY, workflowIdsOf } from '../../shared/routing/owners.ts';
import { t } from '../../shared/texts/text.ts';
import type { ActionForm } from '../action-forms/question-forms.ts';
import { eachAtOnce } from '../at-once.ts';
import { MAY_HOLD_ITEMS } from '../views/left-items.ts';
import type { InboxEntry, InboxParts, InboxSource, SourceRead } from './inbox-entry.ts';

type Locker = Response<'GetLockers'>['items'][number];

const MAX_ITEMS = UIDS_PER_QUERY;

export const itemsLeft: InboxSource = {
  kind: 'itemLeft',
  what: () => t`items left in lockers`,
  read: readItems,
};

async function readItems(parts: InboxParts): Promise<SourceRead> {
  const asked = await parts.service.call('GetLockers', { ...MAY_HOLD_ITEMS, pageSize: MAX_ITEMS });
  const lockers = asked.items.filter(({ toBeEmptied }) => toBeEmptied === true);
  const uids = lockers.flatMap(({ leftShipmentUid }) => leftShipmentUid ?? []);
  const [owners, since, aheadMs] = await Promise.all([
    ownersOf(parts.client, uids),
    cancelledAt(parts, uids),
    lockers.length > 0 ? parts.serviceClock.aheadMs() : null,
  ]);
  const entries = lockers.map((locker): InboxEntry => {
    const uid = locker.leftShipmentUid ?? '';
    const own = owners.get(uid) ?? [];
    const [open] = runningAmong(own);
    const [key = null] = open === undefined ? workflowIdsOf(own) : [open];
    const known = { key, since: since.get(uid) ?? null, clockAheadMs: aheadMs ?? 0 };
    return itemEntry(locker, known, open);
  });
  const all = asked.totalItems ?? asked.items.length;
  const isWhole = all <= asked.items.length;
  return {
    entries,
    ...(!isWhole && { incomplete: t`only ${asked.items.length} of ${all} lockers were read` }),
  };
}

/** When each was cancelled; those that the service does not tell are left out. */
async function cancelledAt({ service }: InboxParts, uids: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const asked = eachAtOnce(uids, (shipmentUid) => service.call('GetShipment', { shipmentUid }));
  for await (const { item, outcome } of asked)
    if (outcome.done && outcome.value.stateStart) found.set(item, `${outcome.value.stateStart}Z`);
    else if (!outcome.done && !(outcome.error instanceof LockerApiError)) throw outcome.error;
  return found;
}

function itemEntry(
  { lockerUid, lockerName, pupUid, leftShipmentUid }: Locker,
  known: Pick<InboxEntry, 'key' | 'since' | 'clockAheadMs'>,
  open: string | undefined,
): InboxEntry {
  const of = leftShipmentUid ? t` Its shipment was cancelled while the item was inside.` : '';
  return {
    id: `itemLeft:${lockerUid}`,
    kind: 'itemLeft',
    ...known,
    title: t`An item lies in locker ${lockerName} of ${pupUid}`,
    why: [
      t`An item was left in locker ${lockerName} of ${pupUid}.${of}`,
      ...(open ? [countsOn(open)] : []),
    ].join(' '),
    ifNothing: open
      ? t`The item stays there, and only a booking that names this locker gets it.`
      : t`The item stays there, and no booking gets this locker.`,
    toDo: open
      ? t`Look at ${open} first. Only if it does not need the item there, open the locker and take it out. Then say that the locker is empty.`
      : t`Open the locker and take the item out. Then say that the locker is empty.`,
    // Nobody is to fetch what a case counts on, with others.
    ...(pupUid !== null &&
      !open && {
        cause: { id: `itemLeft:${pupUid}`, title: (count: number) => t`Fetch ${count} items at ${pupUid}` },
      }),
    pupUid,
    lockerUid,
    lockerName,
    shipmentUid: leftShipmentUid,
    actions: [emptiedForm(lockerUid ?? '', open)],
  };
}

const countsOn = (open: string): string =>
  t`${open} is still open, and may count on it: it can book this locker for the next person.`;

/** @param open the process that has left the item, if it is open */
export const emptiedForm = (lockerUid: string, open?: string): ActionForm => ({
  id: 'emptied',
  label: t`The locker is empty now`,
  consequence: [
    ...(open === undefined ? [] : [countsOn(open)]),
    t`The next booking may get this locker. Say so only once the item is out.`,
  ].join(' '),
  fields: [],
  request: { path: `/v1/items-left/${encodeURIComponent(lockerUid)}/emptied`, body: {} },
  isDestructive: true,
});
