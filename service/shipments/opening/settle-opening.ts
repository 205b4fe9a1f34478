// What an opened door means: the rules decide it by the chain as it is now. The second transaction of an opening by a real
// wall (ask-door.ts is the first), and the only one of an opening that is told late.
import type { Transaction } from 'kysely';
import { mainUserUid } from '../../accounts/account.ts';
import { type AuditedRequest, auditedRequestOf, insertAuditEntry } from '../../audit/audit-entry.ts';
import type { DueCallbackAnnouncer } from '../../callbacks/queue/announce-due-callbacks.ts';
import type { NewCommand } from '../../hardware/wall-commands.ts';
import { Refusal } from '../../refusal.ts';
import type { Database } from '../../storage/database.ts';
import type { Switches } from '../../switches/switches.ts';
import { chainSteps } from '../chain-steps.ts';
import { type LockedChain, lockChain } from '../lock-chain.ts';
import { writeChange } from '../write-change.ts';

export interface Opening
  extends AuditedRequest,
    Pick<NewCommand, 'shipmentUid' | 'eventType' | 'keyHash' | 'requestHash'> {
  /** When the door opened, if that is told much later. */
  readonly openedAt?: Date;
}

export interface Meaning {
  /**
   * Next: the shipment has changed, or there was nothing to change. Stale: it had happened before. Contradictory: it
   * cannot have happened as the shipment stands; a person must look.
   */
  readonly meaning: 'Next' | 'Stale' | 'Contradictory';
  readonly reason: string | null;
}

const NO_KEY = { keyHash: null, requestHash: null };

export interface SettlingContext {
  /** Those of the tenant. */
  readonly switches: Switches;
  readonly dueCallbacks: DueCallbackAnnouncer;
}

/** Writes what the opening means, and its entry in the audit log. Never throws because of what it means. */
export async function settleOpening(
  transaction: Transaction<Database>,
  opening: Opening,
  { switches, dueCallbacks }: SettlingContext,
): Promise<Meaning> {
  try {
    const locked = await lockChain(transaction, opening, NO_KEY, { shipmentUid: opening.shipmentUid }, []);
    if ('answered' in locked) throw new TypeError('without a key there is no former answer');
    const { shipmentUid, eventType, keyHash, requestHash } = opening;
    const events = eventType === null ? [] : [{ type: eventType, shipmentUid }];
    const refused = refusalOf(locked, opening);
    if (refused) return await settled(transaction, opening, refused);
    const dispatcherUserUid = await mainUserUid(transaction, opening.tenantId);
    const steps = chainSteps(locked, events, [], { dispatcherUserUid, switches });
    if (steps.isNotified) dueCallbacks.announceAfter(transaction);
    const change = { steps, request: { shipmentUid }, answer: {}, events, isOpened: true };
    await writeChange(transaction, opening, { keyHash, requestHash }, locked, change);
    return { meaning: 'Next', reason: null };
  } catch (error) {
    // The rules refused the event, or the shipment is not there any more. No statement has failed.
    if (!(error instanceof Refusal)) throw error;
    return await settled(transaction, opening, { meaning: 'Contradictory', reason: error.message });
  }
}

/** Where each event has led to: if the shipment is there, the event has happened. */
const LATER = {
  ItemDroppedOff: ['WaitForReceiver', 'ReadyForPickup', 'Completed'],
  ItemPickedUp: ['Completed'],
} as const;

function refusalOf({ shipments }: LockedChain, { shipmentUid, eventType }: Opening): Meaning | undefined {
  const shipment = shipments.find((each) => each.shipmentUid === shipmentUid);
  if (eventType === 'LeftItemPickedUp')
    return shipment?.isItemLeft === false
      ? { meaning: 'Stale', reason: `the item of shipment ${shipmentUid} was taken out already` }
      : undefined;
  const later: readonly string[] = eventType === null ? [] : LATER[eventType];
  if (!shipment || !later.includes(shipment.stateCode)) return undefined;
  return { meaning: 'Stale', reason: `shipment ${shipmentUid} is ${shipment.stateCode} already` };
}

async function settled(
  transaction: Transaction<Database>,
  opening: Opening,
  meaning: Meaning,
): Promise<Meaning> {
  const entry = { ...auditedRequestOf(opening), uids: [opening.shipmentUid], outcome: meaning.meaning };
  await insertAuditEntry(entry).execute(transaction);
  return meaning;
}
