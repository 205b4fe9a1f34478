// The items that cancelled shipments left in lockers, as the locker service knows them.

import type { Response } from '../../../contract/operations/operations.ts';
import { LockerApiError } from '../../../shared/locker-api/index.ts';
import { holdersOf, UIDS_PER_QUERY, workflowIdsOf } from '../../../shared/routing/owners.ts';
import { eachAtOnce } from '../../at-once.ts';
import type { InboxEntry } from './inbox-entry.ts';
import type { InboxParts, InboxSource, SourceRead } from './source.ts';

type Locker = Response<'GetLockers'>['items'][number];

const MAX_SHOWN = UIDS_PER_QUERY;

export const itemsLeft: InboxSource = { kind: 'itemLeft', what: 'items left in lockers', read };

async function read(parts: InboxParts): Promise<SourceRead> {
  const asked = await parts.service.call('GetLockers', {
    pageNo: 1,
    pageSize: MAX_SHOWN,
    // One that is out of order may have an item in it, too.
    lockerState: ['ToBeEmptied', 'OutOfOrder'],
  });
  const lockers = asked.items.filter(({ toBeEmptied }) => toBeEmptied === true);
  const uids = lockers.flatMap(({ leftShipmentUid }) => leftShipmentUid ?? []);
  const [holders, since, aheadMs] = await Promise.all([
    holdersOf(parts.client, uids),
    cancelledAt(parts, uids),
    lockers.length > 0 ? parts.serviceClock.aheadMs() : null,
  ]);
  const entries = lockers.map((locker): InboxEntry => {
    const uid = locker.leftShipmentUid ?? '';
    const [key = null] = workflowIdsOf(holders.get(uid) ?? []);
    return entryOf(locker, { key, since: since.get(uid) ?? null, clockAheadMs: aheadMs ?? 0 });
  });
  const all = asked.totalItems ?? asked.items.length;
  const isWhole = all <= asked.items.length;
  return {
    entries,
    ...(!isWhole && { incomplete: `only ${asked.items.length} of ${all} lockers were read` }),
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

function entryOf(
  { lockerUid, lockerName, pupUid, leftShipmentUid }: Locker,
  known: Pick<InboxEntry, 'key' | 'since' | 'clockAheadMs'>,
): InboxEntry {
  const of = leftShipmentUid
    ? ` It belongs to the shipment ${leftShipmentUid}, which was cancelled while the item was inside.`
    : '';
  return {
    id: `itemLeft:${lockerUid}`,
    kind: 'itemLeft',
    ...known,
    title: `An item lies in locker ${lockerName} of ${pupUid}`,
    why: `An item was left in locker ${lockerName} of ${pupUid}.${of}`,
    ifNothing: 'The item stays there, and no booking gets this locker.',
    toDo: 'Open the locker and take the item out. Then say so here.',
    pupUid,
    lockerName,
    shipmentUid: leftShipmentUid,
    actions: [
      {
        id: 'emptied',
        label: 'The locker is empty now',
        consequence: 'The next booking may get this locker. Say so only once the item is out.',
        fields: [],
        request: { path: `/v1/items-left/${encodeURIComponent(lockerUid ?? '')}/emptied`, body: {} },
        isDestructive: true,
      },
    ],
  };
}

/** Whether it was to be emptied until now. */
export async function sayEmptied(
  { service }: Pick<InboxParts, 'service'>,
  lockerUid: string,
): Promise<boolean> {
  return (await service.call('SetLockerEmptied', { lockerUid })).changed === true;
}
