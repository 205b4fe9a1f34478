// What a person does to many processes at once: first what would become of each, then the action. The commands decide; here
// is the form of the request, and the outcomes as the page shows them.
import { z } from 'zod';
import type { Acting } from '../../processes/at-temporal.ts';
import { type BulkOutcome as Became, doAll, previewAll } from '../../processes/bulk.ts';
import { commands } from '../../processes/commands/commands.ts';
import { anyText, text } from '../../processes/commands/read-values.ts';
import { orThrow } from '../../processes/outcome.ts';
import type { BulkOutcome } from './processes-view.ts';

/** The page asks for some at a time, so that it can show how far it is. */
export const MOST_AT_ONCE = 100;

const action = z.discriminatedUnion('verb', [
  z.looseObject({ verb: z.literal('cancel'), why: text }),
  z.looseObject({ verb: z.literal('extend'), why: anyText.optional() }),
]);

export const bulkRequest = z.strictObject({
  keys: z.array(z.string().min(1).max(1_000)).min(1).max(MOST_AT_ONCE),
  action,
});
export type BulkRequest = z.infer<typeof bulkRequest>;

export async function preview(acting: Acting, { keys, action: wanted }: BulkRequest): Promise<BulkOutcome[]> {
  const { command, why, input } = readAction(wanted);
  return outcomesOf(keys, previewAll(command, { ...acting, why }, keys, input), command.would);
}

/** In the person's name: Temporal keeps it with the request. */
export async function carryOut(
  acting: Acting,
  { keys, action: wanted }: BulkRequest,
): Promise<BulkOutcome[]> {
  const { command, why, input } = readAction(wanted);
  return outcomesOf(keys, doAll(command, { ...acting, why }, keys, input), command.did);
}

/** Throws Refusal with the wrong fields. */
function readAction({ verb, why, ...fields }: z.infer<typeof action>) {
  const command = commands[verb];
  return { command, why, input: orThrow(command.read(fields)) };
}

/** In the order of the keys. */
async function outcomesOf<Value>(
  keys: readonly string[],
  became: AsyncIterable<Became<Value>>,
  words: (value: Value) => string,
): Promise<BulkOutcome[]> {
  const byKey = new Map<string, BulkOutcome>();
  for await (const { key, outcome } of became)
    byKey.set(key, {
      key,
      isGood: outcome.done,
      words: outcome.done ? words(outcome.value) : outcome.refusal.message,
    });
  return [...new Set(keys)].flatMap((key) => byKey.get(key) ?? []);
}
