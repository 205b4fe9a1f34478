// A door has one command at a time. What opens it, or changes the chain behind it, is tried again here while the command before has
// no outcome; no transaction is open meanwhile.
import { setTimeout as delay } from 'node:timers/promises';
import type { ApiError } from '../api-error.ts';
import type { Context } from '../handler.ts';
import { ANSWER_WITHIN_MS, type OpenCommand } from '../hardware/wall-commands.ts';
import type { LockedChain } from './lock-chain.ts';
import { notConnected, type RequestedOpening, requireOpened, stayedShut } from './opening.ts';

export type Attempt<Answer> =
  | { readonly answer: Answer }
  | { readonly requested: RequestedOpening; readonly answerIfOpened: Answer }
  | { readonly busyWith: OpenCommand; readonly lockerName: string };

// A chain does not change while its door is being opened: a cancellation waits, and then finds the item gone. Requests that
// open no door stop waiting after this time; the rules then decide what the opening means.
const PATIENCE_MS = 2 * ANSWER_WITHIN_MS;
const POLL_INTERVAL_MS = 100;

/** @param pupUid where somebody types a code, for the message */
export async function retryWhileBusy<Answer>(
  context: Context,
  pupUid: string | null,
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
      throw inDoubt(outcome.lockerName, pupUid);
    if (!settled) await delay(POLL_INTERVAL_MS);
  }
}

const inDoubt = (lockerName: string, pupUid: string | null): ApiError =>
  stayedShut(
    lockerName,
    `it is not known yet whether it opened for the request before${pupUid === null ? '' : ` at ${pupUid}`}; ` +
      'the service asks its wall, so try again in a moment',
  );

export interface AttemptOptions {
  /** Whether to wait for a live command of the chain's door. */
  readonly patient: boolean;
  /** Whether the change opens the door. */
  readonly opens: boolean;
}

/** The command that must have an outcome before. An opening also waits for one in doubt, or the door could open twice. */
export function commandInProgress(
  {
    wall,
    command,
    lockerName,
    pupUid,
  }: Pick<LockedChain['locker'], 'wall' | 'command' | 'lockerName' | 'pupUid'>,
  { opens, patient }: AttemptOptions,
): OpenCommand | null {
  if (!wall || !command) return null;
  if (!opens) return command.isLive && patient ? command : null;
  if (!wall.isConnected) throw stayedShut(lockerName, notConnected(pupUid));
  return command;
}
