// The commands that end something: `cancel` and `give-up` a process, `drop` an unmatched callback. Temporal keeps who asked for it and
// why.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Drop } from '../../contract/flows/unmatched-callback.ts';
import { t } from '../../shared/texts/text.ts';
import {
  attributionOf,
  type CommandContext,
  callTemporal,
  decisionOf,
  namedDecisionOf,
  withDeadline,
} from '../temporal-context.ts';
import { isoTime } from '../views/found-flows.ts';
import { runsOf } from '../views/history.ts';
import type { MovedTo } from '../views/moved-to.ts';
import { progressOf } from '../views/progress.ts';
import { atUnmatched, requireUnmatched } from '../views/unmatched.ts';
import { command, processCommand } from './command.ts';
import { bookingId } from './read-values.ts';

export const cancel = processCommand({
  name: 'cancel',
  why: 'optional',
  input: z.strictObject({}),
  meaning: 'Cancels the process: it undoes what it has booked, and ends as cancelled',
  example: { why: 'the order was withdrawn' },
  forms: {
    cancel: {
      get label() {
        return t`Cancel the case`;
      },
      isDestructive: true,
      get meaning() {
        return t`The case undoes what it has booked, and ends as cancelled. It cannot be taken back.`;
      },
    },
  },
  async act(commandContext, key): Promise<null> {
    await requestCancellation(commandContext, key);
    return null;
  },
  doneSince: async (commandContext, key, since) =>
    (await cancellationsSince(commandContext, key, since)).length > 0 ? null : undefined,
  formatResult: () => t`cancellation asked for`,
});

/** @param more what programs read in its reason, beside who and why */
export async function requestCancellation(
  commandContext: CommandContext,
  key: string,
  more?: MovedTo,
): Promise<void> {
  const { client } = commandContext;
  await client.workflowService.requestCancelWorkflowExecution({
    namespace: client.options.namespace,
    workflowExecution: { workflowId: key },
    requestId: randomUUID(),
    identity: client.options.identity,
    reason: JSON.stringify({ ...attributionOf(commandContext), ...more }),
  });
}

/**
 * Why it was asked for, by whomever, and whether or not the process has ended by now.
 * @param since milliseconds since 1970
 */
export async function cancellationsSince(
  commandContext: CommandContext,
  key: string,
  since: number,
): Promise<string[]> {
  const from = new Date(since).toISOString();
  const runs = await callTemporal(commandContext, () =>
    runsOf(commandContext.client, key, undefined, { since: from }),
  );
  return runs
    .flat()
    .filter(({ eventTime }) => (isoTime(eventTime) ?? '') >= from)
    .flatMap(({ workflowExecutionCancelRequestedEventAttributes: asked }) =>
      asked ? [asked.cause ?? ''] : [],
    );
}

export const giveUp = processCommand({
  name: 'giveUp',
  why: 'needed',
  isDecision: true,
  input: z.strictObject({ booking: bookingId }),
  meaning: 'Ends a process that does not know how to continue',
  example: { why: 'settled by hand' },
  forms: {
    'resolve.giveUp': {
      get label() {
        return t`Give the case up`;
      },
      isDestructive: true,
      get meaning() {
        return t`The case ends. What it could not cancel stays booked at the locker service.`;
      },
    },
    giveUp: {
      get label() {
        return t`Give the case up`;
      },
      isDestructive: true,
      get meaning() {
        return t`The case cancels what it has started, and fails. It cannot be continued.`;
      },
    },
  },
  asked: ({ booking }) => (booking === undefined ? ['resolve.giveUp', 'giveUp'] : ['resolve.giveUp']),
  fields: (commandContext, given) => ({ ...given, ...decisionOf(commandContext) }),
  async act(commandContext, key, { booking }): Promise<null> {
    await givenUp(commandContext, key, booking);
    return null;
  },
  formatResult: () => t`it is given up`,
});

/** A step that failed is given up, or else a booking of the process; the one that is named before the step. */
export async function givenUp(commandContext: CommandContext, key: string, booking?: string): Promise<void> {
  const decided = decisionOf(commandContext);
  const { halted, bookings } = await progressOf(commandContext, key);
  await withDeadline(commandContext, () =>
    booking === undefined && (halted || bookings.length === 0)
      ? commandContext.flows.handle(key).giveUp(decided)
      : commandContext.flows
          .handle(key)
          .resolve({ action: 'giveUp', ...(booking !== undefined && { booking }), ...decided }),
  );
}

/** The target is the workflow id of what is kept (`unmatchedIdOf`). */
export const drop = command({
  name: 'drop',
  right: 'decide',
  why: 'needed',
  input: z.strictObject({}),
  async flowOf({ client }, unmatchedId: string): Promise<null> {
    await requireUnmatched(client, unmatchedId);
    return null;
  },
  preview: async (): Promise<null> => null,
  async act(commandContext, unmatchedId): Promise<null> {
    const decision: Drop = namedDecisionOf(commandContext);
    await atUnmatched(commandContext, unmatchedId, (handle) =>
      handle.executeUpdate('drop', { args: [decision] }),
    );
    return null;
  },
  formatPreview: () => t`the reports are closed, and no case gets them; later ones are kept again`,
  formatResult: () => t`dropped`,
});
