// An opening by a real wall, in two transactions. The first (requestOpening): under the lock of the chain it is decided and
// written down what is to be opened and what that will mean; nothing else changes. The wall opens the door while no transaction
// is open. The second (settleOpening), the only one of an opening that is told late, changes the shipment because the door has
// opened: the rules decide what that means by the chain as it is now.
import type { Transaction } from 'kysely';
import { mainUserUid } from '../accounts/account.ts';
import { ApiError } from '../api-error.ts';
import { insertAuditEntry } from '../audit/audit-entry.ts';
import type { AuditedRequest } from '../audited-request.ts';
import type { DueCallbackAnnouncer } from '../due-callbacks.ts';
import { type CommandOutcome, insertCommand, type NewCommand } from '../hardware/wall-commands.ts';
import type { Settings } from '../settings.ts';
import type { Database } from '../storage/database.ts';
import type { Switches } from '../switches/switches.ts';
import { chainSteps, type PlannedEvent } from './chain-steps.ts';
import { type LockedChain, lockChain } from './lock-chain.ts';
import { writeChange } from './write-chain.ts';

export interface RequestedOpening {
  readonly commandId: string;
  readonly openBy: Date;
  readonly lockerUid: string;
  readonly lockerName: string;
  readonly pickUpPointId: number;
  /** The instance that has the wall's connection. */
  readonly wallInstanceId: string | null;
}

type Requester = AuditedRequest &
  Pick<NewCommand, 'keyHash' | 'requestHash' | 'instanceId'> & { readonly isSent?: boolean };

type DoorToOpen = Pick<
  LockedChain['locker'],
  'lockerId' | 'lockerUid' | 'lockerName' | 'pickUpPointId' | 'pupUid' | 'wall'
>;

/** Staging simulates the doors of a pick up point without a wall. Production never does. */
export const hasWall = (
  { locker }: { readonly locker: Pick<DoorToOpen, 'wall'> },
  { mode }: Pick<Settings, 'mode'>,
): boolean => locker.wall !== null || mode === 'production';

/** Throws UnlockFailed if the wall cannot be asked. The rules must have accepted the events. */
export async function requestOpening(
  transaction: Transaction<Database>,
  requester: Requester,
  locked: { readonly locker: DoorToOpen },
  opening: Pick<NewCommand, 'shipmentUid' | 'eventType'>,
): Promise<RequestedOpening> {
  const { lockerId, lockerUid, lockerName, pickUpPointId, pupUid, wall } = locked.locker;
  if (!wall) throw stayedShut(lockerName, `the pick up point ${pupUid} has no wall that can open it`);
  if (!wall.isConnected) throw stayedShut(lockerName, notConnected(pupUid));
  const command = { ...requester, ...opening, pickUpPointId, lockerId };
  const { commandId, openBy } = await insertCommand(transaction, {
    ...command,
    isSent: requester.isSent ?? false,
  });
  return { commandId, openBy, lockerUid, lockerName, pickUpPointId, wallInstanceId: wall.instanceId };
}

/** The shipment is the one that the request names, if nothing is to happen to any. */
export function openingOf(
  events: readonly PlannedEvent[],
  namedShipmentUid: string | undefined,
): Pick<Opening, 'shipmentUid' | 'eventType'> {
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
export function requireOpened({ lockerName }: RequestedOpening, known: CommandOutcome | undefined): void {
  if (!known)
    throw stayedShut(
      lockerName,
      'its wall did not answer in time. If the door opened after all, the service counts that when the wall says so',
    );
  if (known.outcome === 'StayedShut')
    throw stayedShut(lockerName, known.reason ?? 'its wall says so, without a reason');
  if (known.meaning === 'Stale' || known.meaning === 'Contradictory')
    throw new ApiError(
      'InvalidShipmentState',
      `The locker ${lockerName} opened, but its shipment had changed before: ${known.reason ?? known.meaning}`,
    );
}

export const stayedShut = (lockerName: string, reason: string): ApiError =>
  new ApiError('UnlockFailed', `Locker ${lockerName} did not open: ${reason}`);

export const notConnected = (pupUid: string): string => `the wall of ${pupUid} is not connected`;

export interface Opening extends AuditedRequest, Pick<NewCommand, 'eventType' | 'keyHash' | 'requestHash'> {
  readonly shipmentUid: string;
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
    if (!(error instanceof ApiError)) throw error;
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
  const entry = { ...opening, uids: [opening.shipmentUid], outcome: meaning.meaning };
  await insertAuditEntry(entry).execute(transaction);
  return meaning;
}
