// What processes are searched for: as the API takes it, as it stands in the address of the page, and the query of it.

import { z } from 'zod';
import { phases } from '../../contract/flows/flow-messages.ts';
import { flowQuery, quoted } from '../../processes/views/flow-query.ts';
import { flowName } from '../../processes/views/process-fields.ts';
import { cursor, searchable } from '../api/fields.ts';
import { limits } from '../api/limits.ts';

const HOUR_MS = 3_600_000;

const HOURS = 'must be a number of hours, up to 100000';
const ROWS = `must be a whole number of rows, 1 to ${limits.rows}`;
const states = ['open', 'closed', 'all'] as const;

const word = searchable.trim().min(1).max(200);

export const search = z.strictObject({
  state: z
    .enum(states, { error: `must be one of ${states.join(', ')}` })
    .default('open')
    .meta({ description: 'Whether they run' }),
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
export type Search = z.output<typeof search>;

/** What is searched for, whatever the page of it. */
export type Searched = Omit<Search, 'cursor' | 'size'>;

export function queryOf(given: Searched, now = Date.now()): string {
  const { state, phase, flow, pickUpPoint, olderThan, find } = given;
  return flowQuery({
    ...(phase && { phase }),
    ...(flow && { flow: [flow] }),
    ...(pickUpPoint && { pickUpPoint }),
    ...(olderThan && { startedBefore: new Date(now - olderThan * HOUR_MS).toISOString() }),
    ...(state === 'open' && { open: true as const }),
    ...(state === 'closed' && !phase && { closed: true as const }),
    ...(find && { query: foundBy(find) }),
  });
}

function foundBy(text: string): string {
  const value = quoted(text);
  return `WorkflowId STARTS_WITH ${value} OR LockerShipmentUids = ${value} OR LockerCase = ${value}`;
}
