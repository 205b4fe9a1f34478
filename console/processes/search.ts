// What processes are searched for: as the API takes it, as it stands in the address of the page, and the query of it.

import { z } from 'zod';
import { phases } from '../../contract/flows/flow-answers.ts';
import { type FlowQueryOptions, flowQuery, quoted } from '../../processes/views/flow-query.ts';
import { flowName } from '../../processes/views/process-fields.ts';
import { ASKS_SOMETHING, FAILED, joined } from '../../processes/views/process-list.ts';
import { cursor, searchable } from '../api/fields.ts';
import { limits } from '../api/limits.ts';

const HOUR_MS = 3_600_000;

const HOURS = 'must be a number of hours, up to 100000';
const ROWS = `must be a whole number of rows, 1 to ${limits.rows}`;
const states = ['open', 'closed', 'failed', 'all'] as const;
const FLAG = 'must be true or false';

const word = searchable.trim().min(1).max(200);

export const search = z.strictObject({
  state: z
    .enum(states, { error: `must be one of ${states.join(', ')}` })
    .default('open')
    .meta({ description: 'Whether they run; failed: those that have ended without a result' }),
  flow: flowName.optional(),
  phase: z
    .enum(phases, { error: `must be one of ${phases.join(', ')}` })
    .optional()
    .meta({ description: 'Only open processes have one' }),
  pickUpPoint: word.optional().meta({ description: 'pupUid' }),
  olderThan: z.coerce
    .number({ error: HOURS })
    .positive(HOURS)
    .max(100_000, HOURS)
    .optional()
    .meta({ description: 'Hours since the start, at least', type: 'number' }),
  endedWithin: z.coerce
    .number({ error: HOURS })
    .positive(HOURS)
    .max(100_000, HOURS)
    .optional()
    .meta({ description: 'Hours since the end, at most', type: 'number' }),
  waitsForAnswer: z
    .enum(['true', 'false'], { error: FLAG })
    .optional()
    .transform((text) => text === 'true')
    .meta({ description: 'true: only those that have asked something, and nobody has answered' }),
  find: word.optional().meta({ description: 'How the key begins, a shipmentUid, or a case number' }),
  cursor: cursor.optional(),
  size: z.coerce
    .number({ error: ROWS })
    .int(ROWS)
    .min(1, ROWS)
    .max(limits.rows, ROWS)
    .default(50)
    .meta({ description: `Rows of a page, at most ${limits.rows}`, type: 'integer' }),
});

/** What is searched for, whatever the page of it. */
type Searched = Omit<z.output<typeof search>, 'cursor' | 'size'>;

export function queryOf(given: Searched, now = Date.now()): string {
  const { state, phase, waitsForAnswer, endedWithin } = given;
  const { query, ...narrowed } = narrowedBy(given, now);
  const ended = endedWithin && `CloseTime >= '${new Date(now - endedWithin * HOUR_MS).toISOString()}'`;
  const all = joined(
    query,
    waitsForAnswer ? ASKS_SOMETHING : undefined,
    state === 'failed' ? FAILED : undefined,
    ended || undefined,
  );
  return flowQuery({
    ...narrowed,
    ...(phase && { phase }),
    ...(state === 'open' && { open: true as const }),
    ...(state === 'closed' && !phase && { closed: true as const }),
    ...(all !== '' && { query: all }),
  });
}

type Narrowing = Pick<Searched, 'flow' | 'pickUpPoint' | 'olderThan' | 'find'>;

/** What it asks for beside the state. */
export function narrowedBy(
  { flow, pickUpPoint, olderThan, find }: Narrowing,
  now = Date.now(),
): FlowQueryOptions {
  return {
    ...(flow && { flow: [flow] }),
    ...(pickUpPoint && { pickUpPoint }),
    ...(olderThan && { startedBefore: new Date(now - olderThan * HOUR_MS).toISOString() }),
    ...(find && { query: foundBy(find) }),
  };
}

function foundBy(text: string): string {
  const value = quoted(text);
  return `WorkflowId STARTS_WITH ${value} OR LockerShipmentUids = ${value} OR LockerCase = ${value}`;
}
