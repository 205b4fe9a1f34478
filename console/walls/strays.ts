// Items in the lockers of a wall that is offline, and that no case follows: no message of a case reaches whom they are for, so
// somebody writes to them, or calls.
import pLimit from 'p-limit';
import { isInside } from '../../contract/wire/states.ts';
import { commandErrorOf } from '../../processes/outcome.ts';
import { lastMessageAbout, type ShipmentMessage } from '../../processes/outreach/shipment-messages.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { ifKnown, nameOfAccount } from '../people.ts';
import type { Stray, TileAbout, WallLocker } from './walls-view.ts';

const CALLS_AT_ONCE = 8;
const SENT_WITHIN_MS = 1_500;

type Parts = Pick<ConsoleParts, 'service' | 'client'>;

export async function straysAmong(
  parts: Parts,
  lockers: readonly WallLocker[],
  abouts: Readonly<Record<string, TileAbout>>,
): Promise<Stray[]> {
  const limit = pLimit(CALLS_AT_ONCE);
  const strays = lockers.filter(isStray).map((locker) =>
    limit(async (): Promise<Stray> => {
      const { lockerUid, lockerName, shipments, leftShipmentUid } = locker;
      const inside = shipments.find(({ stateCode }) => isInside(stateCode));
      const shipmentUid = inside?.shipmentUid ?? leftShipmentUid;
      const [sent, shipment] = await Promise.all([
        shipmentUid === null ? null : sentAbout(parts, shipmentUid),
        inside ?? shipmentOf(parts, shipmentUid),
      ]);
      const userUid = shipment?.toUserUid || shipment?.fromUserUid || null;
      return {
        ...{ lockerUid, lockerName, shipmentUid, sent, item: abouts[shipmentUid ?? '']?.item ?? null },
        person: userUid === null ? null : await personOf(parts, userUid),
      };
    }),
  );
  return await Promise.all(strays);
}

const isStray = ({ toBeEmptied, shipments }: WallLocker): boolean =>
  (toBeEmptied || shipments.some(({ stateCode }) => isInside(stateCode))) &&
  shipments.every(({ workflowId }) => workflowId === null);

/** Where Temporal does not tell it in time, the dialog tells it before another one is sent. */
const sentAbout = async (parts: Parts, shipmentUid: string): Promise<ShipmentMessage | null> =>
  await parts.client
    .withDeadline(Date.now() + SENT_WITHIN_MS, () => lastMessageAbout(parts, shipmentUid))
    .catch((error) => {
      if (commandErrorOf(error)) return null;
      throw error;
    });

const shipmentOf = async ({ service }: Parts, shipmentUid: string | null) =>
  shipmentUid === null ? undefined : await ifKnown(() => service.call('GetShipment', { shipmentUid }));

async function personOf(parts: Parts, userUid: string): Promise<NonNullable<Stray['person']>> {
  const [name, account] = await Promise.all([
    nameOfAccount(parts, userUid),
    ifKnown(() => parts.service.call('GetAccount', { userUid })),
  ]);
  const { phoneNumber = null, emailAddress = null } = account ?? {};
  return { userUid, name, phoneNumber, emailAddress };
}
