// Whom a shipment in a locker is for, and who has opened its locker: by codes, or from a desk.
import type { Response } from '../../contract/operations/operations.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { ifKnown, nameOfAccount } from '../people.ts';
import type { HeldFor } from './walls-view.ts';

const MAX_OPENINGS = 5;

export async function heldFor(parts: Pick<ConsoleParts, 'service'>, shipmentUid: string): Promise<HeldFor> {
  const { service } = parts;
  const [{ items }, history] = await Promise.all([
    service.call('GetShipments', { pageNo: 1, pageSize: 1, shipmentUid }),
    ifKnown(() => service.call('GetShipmentEvents', { shipmentUid })),
  ]);
  const name = async (userUid: string | null | undefined) =>
    userUid ? await nameOfAccount(parts, userUid) : null;
  const shipment = items.find((each) => each.shipmentUid === shipmentUid);
  const [to, from] = await Promise.all([name(shipment?.toUserUid), name(shipment?.fromUserUid)]);
  return { to, from, openings: openingsIn(history?.items ?? []) };
}

type ShipmentEvent = Response<'GetShipmentEvents'>['items'][number];

/** The request of a desk and the opening that it made are recorded by the same transaction: it stands right before. */
export function openingsIn(events: readonly ShipmentEvent[]): HeldFor['openings'] {
  return events
    .flatMap(({ kind, occurredAt, accessGoal }, index) => {
      if (kind !== 'LockerOpened' || !occurredAt) return [];
      const before = events[index - 1];
      const isOfDesk =
        before?.kind === 'Requested' &&
        before.operation === 'UnlockShipmentLocker' &&
        before.outcome === 'Success';
      const by = isOfDesk ? (before.onBehalfOf ?? before.clientId) : null;
      return [{ at: `${occurredAt}Z`, goal: accessGoal, by }];
    })
    .reverse()
    .slice(0, MAX_OPENINGS);
}
