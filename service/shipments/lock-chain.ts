// Locks a chain and reads it, in one statement (lock_chain in storage/functions): by its locker's row, until the end of the
// transaction. Every change of a shipment goes through this lock and takes no second one.
import type { Transaction } from 'kysely';
import type { ChainShipment } from '../../contract/machines/chain-shipments.ts';
import { ApiError } from '../api-error.ts';
import type { OpenCommand, WallOfLocker } from '../hardware/wall-commands.ts';
import { type AnswerKey, otherRequest } from '../idempotency.ts';
import type { Sides } from '../sides.ts';
import type { Database } from '../storage/database.ts';
import { preparedStatement } from '../storage/prepared-statements.ts';
import type { Details, Room } from './planned-shipment.ts';

/** Names the chain by a shipment, or by the code that a person types at a pick up point. */
export type ChainTarget = { readonly shipmentUid: string } | TypedCode;

interface TypedCode {
  readonly pupUid: string;
  /** The locker where the person stands, if known: then a code of another locker opens nothing. */
  readonly lockerName?: string;
  readonly code: string;
}

export interface StoredShipment extends ChainShipment {
  readonly shipmentId: number;
  readonly details: Details;
  readonly room: Room;
  readonly pickUpCode: string | null;
  readonly deliveryCode: string | null;
}

interface ChainLocker {
  readonly lockerId: number;
  readonly lockerUid: string;
  readonly lockerName: string;
  /** Its inner sides. */
  readonly inside: Sides;
  /** A collect-only booking named this locker, with an item left behind, and the locker was not opened since. */
  readonly toBeEmptied: boolean;
  readonly pickUpPointId: number;
  readonly pupUid: string;
  /** The pick up point that the booking named. After an overflow the actual one is another. */
  readonly requestedPickUpPointId: number;
  readonly requestedPupUid: string;
  /** Null if no client is the wall of its pick up point. */
  readonly wall: WallOfLocker | null;
  readonly command: OpenCommand | null;
}

export interface LockedChain {
  readonly locker: ChainLocker;
  /** In chain order: the active shipments, and the named one even if it has ended. */
  readonly shipments: readonly StoredShipment[];
  /** The first account that was to be held and does not exist. */
  readonly missingUserUid: string | null;
}

interface Row extends LockedChain {
  readonly outcome:
    | 'locked'
    | 'answered'
    | 'otherRequest'
    | 'InvalidShipment'
    | 'InvalidPupUid'
    | 'InvalidLockerUid'
    | 'InvalidAccessCode';
  readonly response: object;
}

const lockChainStatement = preparedStatement<Row>(
  `select outcome, response, locker, shipments, missing_user_uid as "missingUserUid"
  from lock_chain($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);

/** The chain, or the earlier answer to the same request. Throws for an unknown shipment, and for another tenant's. */
export async function lockChain(
  transaction: Transaction<Database>,
  { tenantId, operation }: { readonly tenantId: number; readonly operation: string },
  { keyHash, requestHash }: AnswerKey,
  target: ChainTarget,
  heldUserUids: readonly string[],
): Promise<{ readonly answered: object } | LockedChain> {
  const shipmentUid = 'shipmentUid' in target ? target.shipmentUid : null;
  const typed = 'code' in target ? target : null;
  const rows = await lockChainStatement.rows(transaction, [
    ...[tenantId, operation, keyHash, requestHash, shipmentUid],
    ...[typed?.pupUid ?? null, typed?.lockerName ?? null, typed?.code ?? null, heldUserUids],
  ]);
  const [row] = rows;
  if (!row) throw new TypeError('lock_chain gave no row, expected one');
  if (row.outcome === 'locked') return row;
  if (row.outcome === 'answered') return { answered: row.response };
  if (row.outcome === 'otherRequest') throw otherRequest();
  if (row.outcome === 'InvalidShipment') throw unknownShipment(shipmentUid ?? 'with this code any more');
  throw new ApiError(row.outcome, unknownPlace[row.outcome](typed));
}

export const unknownShipment = (shipmentUid: string) =>
  new ApiError('InvalidShipment', `There is no shipment ${shipmentUid}`);

export const WRONG_CODE = 'The access code is wrong or opens nothing now';

const unknownPlace = {
  InvalidPupUid: (typed: TypedCode | null) => `pupUid: there is no pick up point ${typed?.pupUid}`,
  InvalidLockerUid: (typed: TypedCode | null) =>
    `lockerName: ${typed?.pupUid} has no locker ${typed?.lockerName}`,
  InvalidAccessCode: () => WRONG_CODE,
};

export function storedShipmentOf({ shipments }: LockedChain, shipmentUid: string): StoredShipment {
  const shipment = shipments.find((each) => each.shipmentUid === shipmentUid);
  if (!shipment)
    throw new TypeError(`the chain has no shipment ${shipmentUid}, expected one of its shipments`);
  return shipment;
}

/**
 * Throws InvalidUserUid if an account does not exist; any existing one is allowed (assumptions: Lockers and
 * codes).
 */
export function requireAccounts({ missingUserUid }: LockedChain): void {
  if (missingUserUid !== null) throw new ApiError('InvalidUserUid', `There is no account ${missingUserUid}`);
}
