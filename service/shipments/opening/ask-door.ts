// An opening by a real wall, in two transactions. This is the first: under the lock of the chain it is decided and written
// down what is to be opened and what that will mean; nothing else changes. The wall opens the door while no transaction is
// open. The second one is settle-opening.ts: it changes the shipment because the door has opened.
import type { Transaction } from 'kysely';
import type { AuditedRequest } from '../../audit/audit-entry.ts';
import { type CommandOutcome, insertCommand, type NewCommand } from '../../hardware/wall-commands.ts';
import { Refusal } from '../../refusal.ts';
import type { Settings } from '../../settings.ts';
import type { Database } from '../../storage/database.ts';
import type { PlannedEvent } from '../chain-steps.ts';
import type { LockedChain } from '../lock-chain.ts';

export interface AskedDoor {
  readonly commandId: string;
  readonly openBy: Date;
  readonly lockerUid: string;
  readonly lockerName: string;
  readonly pickUpPointId: number;
  /** The instance that has the wall's connection. */
  readonly wallInstanceId: string | null;
}

type Asker = AuditedRequest &
  Pick<NewCommand, 'keyHash' | 'requestHash' | 'instanceId'> & { readonly isSent?: boolean };

type Opening = Pick<NewCommand, 'shipmentUid' | 'eventType'>;

/** Staging simulates the doors of a pick up point without a wall. Production never does. */
export const hasWall = ({ locker }: LockedChain, { mode }: Pick<Settings, 'mode'>): boolean =>
  locker.wall !== null || mode === 'production';

/** Throws UnlockFailed if the wall cannot be asked. The rules must have accepted the events. */
export async function askDoor(
  transaction: Transaction<Database>,
  asker: Asker,
  locked: LockedChain,
  opening: Opening,
): Promise<AskedDoor> {
  const { lockerId, lockerUid, lockerName, pickUpPointId, pupUid, wall } = locked.locker;
  if (!wall) throw stayedShut(lockerName, `the pick up point ${pupUid} has no wall that can open it`);
  if (!wall.isConnected) throw stayedShut(lockerName, notConnected(pupUid));
  const command = { ...asker, ...opening, pickUpPointId, lockerId };
  const { commandId, openBy } = await insertCommand(transaction, {
    ...command,
    isSent: asker.isSent ?? false,
  });
  return { commandId, openBy, lockerUid, lockerName, pickUpPointId, wallInstanceId: wall.instanceId };
}

/** The shipment is the one that the request names, if nothing is to happen to any. */
export function openingOf(events: readonly PlannedEvent[], namedShipmentUid: string | undefined): Opening {
  const [event] = events;
  if (
    event?.type === 'ItemDroppedOff' ||
    event?.type === 'ItemPickedUp' ||
    event?.type === 'LeftItemPickedUp'
  )
    return { shipmentUid: event.shipmentUid, eventType: event.type };
  if (event || namedShipmentUid === undefined)
    throw new TypeError(`${event?.type} is not an access: a door does not open for it`);
  return { shipmentUid: namedShipmentUid, eventType: null };
}

/** Throws UnlockFailed for a door that did not open in time, and InvalidShipmentState if its opening means nothing now. */
export function requireOpened({ lockerName }: AskedDoor, known: CommandOutcome | undefined): void {
  if (!known)
    throw stayedShut(
      lockerName,
      'its wall did not answer in time. If the door opened after all, the service counts that when the wall says so',
    );
  if (known.outcome === 'StayedShut')
    throw stayedShut(lockerName, known.reason ?? 'its wall says so, without a reason');
  if (known.meaning === 'Stale' || known.meaning === 'Contradictory')
    throw new Refusal(
      'InvalidShipmentState',
      `The locker ${lockerName} opened, but its shipment had changed before: ${known.reason ?? known.meaning}`,
    );
}

export const stayedShut = (lockerName: string, reason: string): Refusal =>
  new Refusal('UnlockFailed', `The locker ${lockerName} did not open: ${reason}`);

export const notConnected = (pupUid: string): string => `the wall of ${pupUid} is not connected`;
