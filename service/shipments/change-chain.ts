// Changes a chain of shipments: one statement locks and reads it, the rules of contract/machines/ decide, one statement writes
// the changes (storage/functions/chain.sql). The transaction also stores the answer for repeated requests and the audit entry.
// A wall opens its door between two transactions (opening.ts), a simulated door opens at the end of one.
import { setTimeout as delay } from 'node:timers/promises';
import type { Transaction } from 'kysely';
import type { ApiError } from '../api-error.ts';
import type { Context } from '../handler.ts';
import { openSimulatedDoor } from '../hardware/doors.ts';
import { ANSWER_WITHIN_MS, type OpenCommand } from '../hardware/wall-commands.ts';
import { answerKeyOf } from '../idempotency.ts';
import type { Database } from '../storage/database.ts';
import { inTransaction } from '../storage/transaction.ts';
import { chainSteps, type Edit, type PlannedEvent } from './chain-steps.ts';
import { type ChainTarget, type LockedChain, lockChain } from './lock-chain.ts';
import {
  hasWall,
  notConnected,
  openingOf,
  type RequestedOpening,
  requestOpening,
  requireOpened,
  stayedShut,
} from './opening.ts';
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
  return retryWhileBusy(context, target, (patient) =>
    attempt(context, request, target, decide, heldUserUids, { patient, opens: false }),
  );
}

/** A change that requires the chain's locker to open: if the door stays shut, nothing changes. */
export function changeAtOpenDoor<Answer extends object>(
  context: Context,
  request: object,
  target: ChainTarget,
  decide: Decide<Answer>,
): Promise<Answer> {
  return retryWhileBusy(context, target, (patient) =>
    attempt(context, request, target, decide, [], { patient, opens: true }),
  );
}

type Attempt<Answer> =
  | { readonly answer: Answer }
  | { readonly requested: RequestedOpening; readonly answerIfOpened: Answer }
  | { readonly busyWith: OpenCommand; readonly lockerName: string };

// A chain does not change while its door is being opened: a cancellation waits, and then finds the item gone. Requests that
// open no door stop waiting after this time; the rules then decide what the opening means.
const PATIENCE_MS = 2 * ANSWER_WITHIN_MS;
const POLL_INTERVAL_MS = 100;

async function retryWhileBusy<Answer>(
  context: Context,
  target: ChainTarget,
  attemptOnce: (patient: boolean) => Promise<Attempt<Answer>>,
): Promise<Answer> {
  const began = performance.now();
  for (;;) {
    const waited = performance.now() - began;
    const outcome = await attemptOnce(waited < PATIENCE_MS);
    if ('answer' in outcome) return outcome.answer;
    if ('requested' in outcome) {
      await context.wallDoors.asked(outcome.requested.pickUpPointId, outcome.requested.wallInstanceId);
      const known = await context.wallDoors.outcomeOf(outcome.requested.commandId, ANSWER_WITHIN_MS);
      requireOpened(outcome.requested, known);
      return outcome.answerIfOpened;
    }
    const left = ANSWER_WITHIN_MS - waited;
    // A live command ends by itself. If its outcome is in doubt, the service is already asking the wall.
    const settled = left > 0 && (await context.wallDoors.outcomeOf(outcome.busyWith.commandId, left));
    if (!settled && (!outcome.busyWith.isLive || waited >= PATIENCE_MS))
      throw inDoubt(outcome.lockerName, target);
    if (!settled) await delay(POLL_INTERVAL_MS);
  }
}

const inDoubt = (lockerName: string, target: ChainTarget): ApiError =>
  stayedShut(
    lockerName,
    `it is not known yet whether it opened for the request before${'pupUid' in target ? ` at ${target.pupUid}` : ''}; ` +
      'the service asks its wall, so try again in a moment',
  );

interface AttemptOptions {
  /** Whether to wait for a live command of the chain's door. */
  readonly patient: boolean;
  /** Whether the change opens the door. */
  readonly opens: boolean;
}

async function attempt<Answer extends object>(
  context: Context,
  request: object,
  target: ChainTarget,
  decide: Decide<Answer>,
  heldUserUids: readonly string[],
  options: AttemptOptions,
): Promise<Attempt<Answer>> {
  const key = answerKeyOf(context, request);
  return inTransaction(context.database, async (transaction) => {
    const locked = await lockChain(transaction, context, key, target, heldUserUids);
    if ('answered' in locked) return { answer: locked.answered as Answer };
    const busyWith = commandInProgress(locked, options);
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
    const isOpened = options.opens;
    await writeChange(transaction, context, key, locked, { steps, request, answer, events, isOpened });
    if (isOpened) await openDoor(transaction, locked);
    return { answer };
  });
}

/** After all is written and before the commit: for a door that stays shut nothing is committed. */
async function openDoor(transaction: Transaction<Database>, { locker }: LockedChain): Promise<void> {
  const failure = await openSimulatedDoor(transaction, locker.lockerId);
  if (failure !== undefined) throw stayedShut(locker.lockerName, failure);
}

/** The command that the change must wait for. An opening also waits for one in doubt, or the door could open twice. */
function commandInProgress(
  { locker: { wall, command, lockerName, pupUid } }: LockedChain,
  { opens, patient }: AttemptOptions,
): OpenCommand | null {
  if (!wall || !command) return null;
  if (!opens) return command.isLive && patient ? command : null;
  if (!wall.isConnected) throw stayedShut(lockerName, notConnected(pupUid));
  return command;
}
