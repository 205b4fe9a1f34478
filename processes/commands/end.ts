// The commands that end something: `cancel` and `give-up` a process, `drop` an unmatched callback. Temporal keeps who asked for it and
// why.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Drop } from '../../contract/flows/parked-callback.ts';
import { t } from '../../shared/texts/text.ts';
import {
  type Acting,
  answered,
  attributionOf,
  callTemporal,
  decisionOf,
  namedDecisionOf,
} from '../at-temporal.ts';
import { isoTime } from '../views/found-flows.ts';
import { runsOf } from '../views/history.ts';
import type { MovedTo } from '../views/moved-to.ts';
import { atParked, requireParked } from '../views/parked.ts';
import { progressOf } from '../views/progress.ts';
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
  async act(acting, key): Promise<null> {
    await requestCancellation(acting, key);
    return null;
  },
  doneSince: async (acting, key, since) =>
    (await cancellationsSince(acting, key, since)).length > 0 ? null : undefined,
  formatResult: () => t`cancellation asked for`,
});

/** @param more what programs read in its reason, beside who and why */
export async function requestCancellation(acting: Acting, key: string, more?: MovedTo): Promise<void> {
  const { client } = acting;
  await client.workflowService.requestCancelWorkflowExecution({
    namespace: client.options.namespace,
    workflowExecution: { workflowId: key },
    requestId: randomUUID(),
    identity: client.options.identity,
    reason: JSON.stringify({ ...attributionOf(acting), ...more }),
  });
}

/**
 * Why it was asked for, by whomever, and whether or not the process has ended by now.
 * @param since milliseconds since 1970
 */
export async function cancellationsSince(acting: Acting, key: string, since: number): Promise<string[]> {
  const from = new Date(since).toISOString();
  const runs = await callTemporal(acting, () => runsOf(acting.client, key, undefined, { since: from }));
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
  fields: (acting, given) => ({ ...given, ...decisionOf(acting) }),
  async act(acting, key, { booking }): Promise<null> {
    await givenUp(acting, key, booking);
    return null;
  },
  formatResult: () => t`it is given up`,
});

/** A step that failed is given up, or else a booking of the process; the one that is named before the step. */
export async function givenUp(acting: Acting, key: string, booking?: string): Promise<void> {
  const decided = decisionOf(acting);
  const { halted, bookings } = await progressOf(acting, key);
  await answered(acting, () =>
    booking === undefined && (halted || bookings.length === 0)
      ? acting.flows.fileHandle(key).giveUp(decided)
      : acting.flows
          .handle(key)
          .resolve({ action: 'giveUp', ...(booking !== undefined && { booking }), ...decided }),
  );
}

/** The target is the workflow id of what is parked (`parkedIdOf`). */
export const drop = command({
  name: 'drop',
  right: 'decide',
  why: 'needed',
  input: z.strictObject({}),
  async flowOf({ client }, parkedId: string): Promise<null> {
    await requireParked(client, parkedId);
    return null;
  },
  preview: async (): Promise<null> => null,
  async act(acting, parkedId): Promise<null> {
    const decision: Drop = namedDecisionOf(acting);
    await atParked(acting, parkedId, (handle) => handle.executeUpdate('drop', { args: [decision] }));
    return null;
  },
  formatPreview: () => t`the reports are closed, and no case gets them; later ones are parked again`,
  formatResult: () => t`dropped`,
});
