// Changes a chain of shipments: one statement locks and reads it, the rules of contract/machines/ decide, one statement writes
// the changes (storage/functions/chain.sql). The transaction also stores the answer for repeated requests and the audit entry.
// A wall opens its door between two transactions (opening.ts), a simulated door opens at the end of one.
import type { Transaction } from 'kysely';
import type { Context } from '../handler.ts';
import { openSimulatedDoor } from '../hardware/doors.ts';
import { answerKeyOf } from '../idempotency.ts';
import type { Database } from '../storage/database.ts';
import { inTransaction } from '../storage/transaction.ts';
import { type Attempt, type AttemptOptions, commandInProgress, retryWhileBusy } from './await-door.ts';
import { chainSteps, type Edit, type PlannedEvent } from './chain-steps.ts';
import { type ChainTarget, type LockedChain, lockChain } from './lock-chain.ts';
import { hasWall, openingOf, requestOpening, stayedShut } from './opening.ts';
import { writeChange } from './write-chain.ts';

interface ChainChange<Answer> {
  readonly answer: Answer;
  readonly events: readonly PlannedEvent[];
  readonly edits?: readonly Edit[];
}

type Decide<Answer> = (locked: LockedChain) => ChainChange<Answer>;

/** `decide` throws to refuse the change; then nothing changes. It may be called several times. */
export function changeChain<Answer extends object>(
  context: Context,
  request: object,
  target: ChainTarget,
  decide: Decide<Answer>,
  heldUserUids: readonly string[] = [],
): Promise<Answer> {
  return retryWhileBusy(context, placeOf(target), (patient) =>
    attempt(context, request, target, decide, heldUserUids, { patient, opens: false }),
  );
}

/**
 * A change that requires the chain's locker to open: if the door stays shut, nothing changes. Where a person says that it was opened
 * by hand, no door is asked to open.
 */
export function changeAtOpenDoor<Answer extends object>(
  context: Context,
  request: object,
  target: ChainTarget,
  decide: Decide<Answer>,
  isOpenedByHand = false,
): Promise<Answer> {
  return retryWhileBusy(context, placeOf(target), (patient) =>
    attempt(context, request, target, decide, [], { patient, opens: !isOpenedByHand, isOpenedByHand }),
  );
}

interface ChainOptions extends AttemptOptions {
  readonly isOpenedByHand?: boolean;
}

const placeOf = (target: ChainTarget) => ('pupUid' in target ? target.pupUid : null);

async function attempt<Answer extends object>(
  context: Context,
  request: object,
  target: ChainTarget,
  decide: Decide<Answer>,
  heldUserUids: readonly string[],
  { isOpenedByHand = false, ...options }: ChainOptions,
): Promise<Attempt<Answer>> {
  const key = answerKeyOf(context, request);
  return inTransaction(context.database, async (transaction) => {
    const locked = await lockChain(transaction, context, key, target, heldUserUids);
    if ('answered' in locked) return { answer: locked.answered as Answer };
    const busyWith = commandInProgress(locked.locker, options);
    if (busyWith) return { busyWith, lockerName: locked.locker.lockerName };
    const { answer, events, edits = [] } = decide(locked);
    const steps = chainSteps(locked, events, edits, context);
    if (options.opens && hasWall(locked, context.settings)) {
      const opening = openingOf(events, 'shipmentUid' in target ? target.shipmentUid : undefined);
      const { instanceId } = context.wallDoors;
      const requested = await requestOpening(
        transaction,
        { ...context, ...key, instanceId },
        locked,
        opening,
      );
      return { requested, answerIfOpened: answer };
    }
    if (steps.isNotified) context.dueCallbacks.announceAfter(transaction);
    const isOpened = options.opens || isOpenedByHand;
    await writeChange(transaction, context, key, locked, { steps, request, answer, events, isOpened });
    if (options.opens) await openDoor(transaction, locked);
    return { answer };
  });
}

/** After all is written and before the commit: for a door that stays shut nothing is committed. */
async function openDoor(transaction: Transaction<Database>, { locker }: LockedChain): Promise<void> {
  const failure = await openSimulatedDoor(transaction, locker.lockerId);
  if (failure !== undefined) throw stayedShut(locker.lockerName, failure);
}
