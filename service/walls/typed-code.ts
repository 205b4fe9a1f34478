// A code that a person typed at a wall. The rules decide what it opens, as with SimulateLockerAccess; the door is opened
// after the commit.
import type { Transaction } from 'kysely';
import { CODE_LIVES_MS, type JournalMessage, type ServiceMessage } from '../../contract/index.ts';
import { ApiError } from '../api-error.ts';
import { type AuditEntry, insertAuditEntry } from '../audit/audit-entry.ts';
import { CODE_TYPED } from '../hardware/wall-commands.ts';
import { accessBy } from '../lockers/access-locker.ts';
import { chainSteps } from '../shipments/chain-steps.ts';
import { lockChain } from '../shipments/lock-chain.ts';
import { requestOpening, stayedShut } from '../shipments/opening.ts';
import type { Database } from '../storage/database.ts';
import type { Switches } from '../switches/switches.ts';
import type { ApiClient, WallPlace } from '../token/api-clients.ts';
import { newUid } from '../uid.ts';
import { countWrongCode, retryAfterWrongCodes } from './code-tries.ts';
import type { WallLocker } from './session.ts';

type TypedCodeMessage = Extract<JournalMessage, { type: 'codeTyped' }>;

interface Typist {
  readonly client: ApiClient;
  readonly switches: Switches;
  readonly place: WallPlace;
  /** Where the person stands, if the wall knows. */
  readonly locker: WallLocker | null;
  /** When the code was typed, by the clock of the service. */
  readonly typedAt: Date;
}

const NO_KEY = { keyHash: null, requestHash: null };

/** The answers for the wall, in order. */
export async function takeCode(
  transaction: Transaction<Database>,
  { id, code }: TypedCodeMessage,
  typist: Typist,
): Promise<ServiceMessage[]> {
  const { place, locker, typedAt } = typist;
  const refused = (error: string, message: string, retryAt: Date | null = null): ServiceMessage[] => [
    { type: 'codeAnswered', id, opens: null, error, message, retryAt: retryAt?.toISOString() ?? null },
  ];
  if (Date.now() - typedAt.getTime() > CODE_LIVES_MS)
    return refused('UnlockFailed', `the code was typed more than ${CODE_LIVES_MS} ms ago`);
  const bucket = { pickUpPointId: place.pickUpPointId, lockerId: locker?.lockerId ?? null };
  const retryAt = await retryAfterWrongCodes(transaction, bucket);
  if (retryAt)
    return refused('RateLimitExceeded', 'too many wrong codes: the code was not looked at', retryAt);
  try {
    return await openBy(transaction, id, code, typist);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const entry = auditOf(typist, locker ? [place.pupUid, locker.lockerUid] : [place.pupUid]);
    await insertAuditEntry({ ...entry, outcome: error.code }).execute(transaction);
    if (error.code !== 'InvalidAccessCode') return refused(error.code, error.message);
    if (await countWrongCode(transaction, bucket))
      await insertAuditEntry({ ...entry, outcome: 'RateLimitExceeded' }).execute(transaction);
    return refused(error.code, error.message);
  }
}

async function openBy(
  transaction: Transaction<Database>,
  id: number,
  code: string,
  { client, place, locker, switches }: Typist,
): Promise<ServiceMessage[]> {
  const requester = { ...auditOf({ client }, []), ...NO_KEY, instanceId: null, isSent: true };
  const typed = { pupUid: place.pupUid, code, ...(locker && { lockerName: locker.lockerName }) };
  const locked = await lockChain(transaction, requester, NO_KEY, typed, []);
  if ('answered' in locked) throw new TypeError('without a key there is no former answer');
  const access = accessBy(locked, code);
  if (locked.locker.command)
    throw stayedShut(
      locked.locker.lockerName,
      locked.locker.command.isLive
        ? 'it is being opened already'
        : 'it is not known yet whether it opened before; the service asks its wall',
    );
  chainSteps(locked, [access], [], { dispatcherUserUid: client.mainUserUid, switches });
  const opening = { shipmentUid: access.shipmentUid, eventType: access.type };
  const { commandId, lockerUid, openBy: by } = await requestOpening(transaction, requester, locked, opening);
  const goal = access.type === 'ItemDroppedOff' ? 'DropOff' : 'PickUp';
  return [
    { type: 'codeAnswered', id, opens: { lockerUid, commandId, goal } },
    { type: 'openDoor', commandId, lockerUid, by: by.toISOString() },
  ];
}

function auditOf(
  { client }: Pick<Typist, 'client'>,
  uids: readonly string[],
): Omit<AuditEntry, 'outcome' | 'clientId'> & { readonly clientId: string } {
  const { tenantId, clientId } = client;
  return {
    tenantId,
    clientId,
    onBehalfOf: null,
    why: null,
    operation: CODE_TYPED,
    requestId: newUid(),
    uids,
  };
}
