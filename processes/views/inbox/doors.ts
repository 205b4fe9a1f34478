// The doors that stayed shut when they were to open: somebody may stand before one now. As the locker service knows them.

import type { Response } from '../../../contract/operations/operations.ts';
import { holdersOf, runningAmong } from '../../../shared/routing/owners.ts';
import type { Choice } from '../../action-forms/action-form.ts';
import type { InboxEntry } from './inbox-entry.ts';
import type { InboxParts, InboxSource, SourceRead } from './source.ts';

type Locker = Response<'GetLockers'>['items'][number];

const MAX_SHOWN = 100;
/** Before all else but what a flow says is more urgent: a person waits at the wall, not at a screen. */
const PRIORITY = 90;

export const doors: InboxSource = { kind: 'door', what: 'doors that stayed shut', read };

async function read(parts: InboxParts): Promise<SourceRead> {
  const { items, totalItems } = await doorsThatStayedShut(parts);
  const stuck = items.filter(isInTheWay);
  const uids = stuck.flatMap(uidsIn);
  const [holders, aheadMs] = await Promise.all([
    holdersOf(parts.client, uids),
    stuck.length > 0 ? parts.serviceClock.aheadMs() : null,
  ]);
  const keyOf = (locker: Locker) => {
    const keys = uidsIn(locker).flatMap((uid) => runningAmong(holders.get(uid) ?? []));
    return keys[0] ?? null;
  };
  const isWhole = (totalItems ?? items.length) <= items.length;
  return {
    entries: incidentsIn(stuck).flatMap((together) => entryOf(together, keyOf, aheadMs ?? 0)),
    ...(!isWhole && { incomplete: `only ${items.length} of ${totalItems} lockers were read` }),
  };
}

export const doorsThatStayedShut = ({ service }: Pick<InboxParts, 'service'>) =>
  service.call('GetLockers', { pageNo: 1, pageSize: MAX_SHOWN, doorStayedShut: true });

/** A service that does not know the filter lists the others too. One that is out of order has been seen to. */
const isInTheWay = ({ outOfOrder, shipments, doorFailure }: Locker): boolean =>
  doorFailure != null && outOfOrder !== true && (shipments.length > 0 || doorFailure.occurredAt !== null);

const uidsIn = ({ shipments }: Locker): string[] => shipments.flatMap(({ shipmentUid }) => shipmentUid ?? []);

/** A wall that does not answer is one incident, however many lockers it has. */
function incidentsIn(stuck: readonly Locker[]): Locker[][] {
  const incidents = new Map<string, Locker[]>();
  for (const locker of stuck) {
    const id = JSON.stringify([locker.pupUid, locker.doorFailure?.reason]);
    incidents.set(id, [...(incidents.get(id) ?? []), locker]);
  }
  return [...incidents.values()];
}

function entryOf(
  together: readonly Locker[],
  keyOf: (locker: Locker) => string | null,
  clockAheadMs: number,
): InboxEntry[] {
  const [first, ...others] = together;
  if (!first) return [];
  const { pupUid, lockerUid, lockerName, doorFailure } = first;
  const [since = null] = together.flatMap((each) => each.doorFailure?.occurredAt ?? []).sort();
  const names = together.map((each) => each.lockerName).join(', ');
  const isOne = others.length === 0;
  return [
    {
      id: isOne ? `door:${lockerUid}` : `door:${pupUid}:${doorFailure?.reason}`,
      kind: 'door',
      since: since === null ? null : `${since}Z`,
      clockAheadMs,
      title: isOne
        ? `The door of locker ${lockerName} of ${pupUid} stayed shut`
        : `${together.length} doors of ${pupUid} stay shut`,
      why: `${isOne ? 'The last try to open it failed' : `Lockers ${names} cannot be opened`}: ${doorFailure?.reason}.`,
      ifNothing: 'Whoever stands before it cannot put the item in, or take it out.',
      toDo: isOne
        ? 'Let somebody go there, and open it again. If the door is broken, take the locker out of order: then no booking gets it.'
        : 'See that the wall has power and a network; a door opens again as soon as the wall answers.',
      key: isOne ? keyOf(first) : null,
      pupUid,
      lockerName: isOne ? lockerName : null,
      shipmentUid: isOne ? (uidsIn(first)[0] ?? null) : null,
      priority: PRIORITY,
      actions: isOne ? [takeOutOfOrder(lockerUid ?? '')] : [],
    },
  ];
}

const takeOutOfOrder = (lockerUid: string): Choice => ({
  id: 'outOfOrder',
  label: 'Take the locker out of order',
  consequence: 'No booking gets the locker until it is put in order again. A shipment that has it keeps it.',
  fields: [],
  request: { path: `/v1/lockers/${encodeURIComponent(lockerUid)}/out-of-order`, body: { outOfOrder: true } },
});
