// What a person does to many processes at once: first what would become of each, then the action.

import { z } from 'zod';
import { eachAtOnce, type ItemOutcome } from '../../client/command-line/at-once.ts';
import { extendedWords, previewWords } from '../../client/command-line/extension-words.ts';
import { nowOf } from '../../client/command-line/flow-clock.ts';
import { requireOpen } from '../../client/command-line/open-flow.ts';
import { answered } from '../../client/command-line/temporal.ts';
import { roles, stages } from '../../contract/flows/flow-input.ts';
import type { ExtendDeadline, Progress } from '../../contract/flows/flow-messages.ts';
import { hasEnded } from '../../contract/wire/states.ts';
import { durationMs } from '../../flow-files/duration.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { refusalOf } from '../refusal.ts';
import type { ConsoleUser } from '../sign-in/user.ts';
import type { BulkAction, BulkOutcome } from './processes-view.ts';

/** The page asks for some at a time, so that it can show how far it is. */
export const MOST_AT_ONCE = 100;

const extend = z
  .strictObject({
    verb: z.literal('extend'),
    role: z.enum(roles),
    stage: z.enum(stages),
    fromNow: z
      .string()
      .refine((text) => durationMs(text) !== null, 'must be a duration like P2D or PT12H')
      .optional(),
    until: z.iso.datetime({ offset: true, message: 'must be an instant' }).optional(),
  })
  .refine(({ fromNow, until }) => (fromNow === undefined) !== (until === undefined), {
    message: 'either how long from now, or until when',
    path: ['fromNow'],
  });

export const bulkRequest = z.strictObject({
  keys: z.array(z.string().min(1).max(1_000)).min(1).max(MOST_AT_ONCE),
  action: z.discriminatedUnion('verb', [z.strictObject({ verb: z.literal('cancel') }), extend]),
});

export async function preview(
  parts: ConsoleParts,
  keys: readonly string[],
  action: BulkAction,
): Promise<BulkOutcome[]> {
  return outcomesOf(keys, async (key) => {
    await requireOpen(parts.client, key);
    const handle = parts.flows.handle<'Issue'>(key);
    const progress = await answered(parts, () => handle.progress());
    if (action.verb === 'cancel') return cancelWords(progress);
    return previewWords(extensionOf(action), progress, await nowOf(parts, key));
  });
}

/** In the person's name: Temporal keeps it with the request. */
export async function carryOut(
  parts: ConsoleParts,
  user: ConsoleUser,
  keys: readonly string[],
  action: BulkAction,
): Promise<BulkOutcome[]> {
  const temporal = parts.as(user);
  return outcomesOf(keys, async (key) => {
    const handle = temporal.flows.handle<'Issue'>(key);
    if (action.verb === 'cancel') {
      await requireOpen(temporal.client, key);
      await handle.cancel();
      return 'cancellation asked for';
    }
    const update = extensionOf(action);
    await answered(temporal, () => handle.extendDeadline(update));
    // It is extended, also where no worker answers this.
    const progress = await answered(temporal, () => handle.progress()).catch(() => null);
    return (progress && extendedWords(update, progress)) || 'extended';
  });
}

function extensionOf({
  role,
  stage,
  fromNow,
  until,
}: Extract<BulkAction, { verb: 'extend' }>): ExtendDeadline {
  if (until !== undefined) return { role, stage, until };
  return { role, stage, fromNow: fromNow ?? '' };
}

/** What lies in a locker stays there, and shows in the inbox. */
function cancelWords({ activity, shipments = {}, unassigned = [] }: Partial<Progress>): string {
  if (activity === 'Ended') return 'nothing: it has ended';
  const left = [
    ...Object.entries(shipments).flatMap(([role, { done, stateCode }]) =>
      done || hasEnded(stateCode) ? [] : [`${role} (${stateCode})`],
    ),
    ...unassigned.map(({ shipmentUid, stateCode }) => `${shipmentUid} (${stateCode})`),
  ];
  return left.length > 0 ? `cancels ${left.join(', ')}` : 'ends it; no shipment of it is open';
}

async function outcomesOf(
  keys: readonly string[],
  act: (key: string) => Promise<string>,
): Promise<BulkOutcome[]> {
  const outcomes: ItemOutcome<string, string>[] = [];
  for await (const each of eachAtOnce(new Set(keys), act)) outcomes.push(each);
  const byKey = new Map(outcomes.map((each) => [each.item, each.outcome]));
  return [...byKey].map(([key, outcome]) => {
    if (outcome.done) return { key, isGood: !/refused/.test(outcome.value), words: outcome.value };
    return { key, isGood: false, words: wordsOf(outcome.error) };
  });
}

function wordsOf(error: unknown): string {
  const refusal = refusalOf(error);
  if (refusal) return refusal.message;
  return error instanceof Error ? error.message : String(error);
}
