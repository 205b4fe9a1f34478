// What processes are searched for: as the API takes it, as it stands in the address of the page, and the query of it.

import { z } from 'zod';
import { phases } from '../../contract/flows/flow-messages.ts';
import { instant } from '../../contract/wire/fields.ts';
import { type FlowQueryOptions, flowQuery, quoted } from '../../processes/views/flow-query.ts';
import type { FoundFlow } from '../../processes/views/found-flows.ts';
import { ASKS_SOMETHING, FAILED, joined } from '../../processes/views/overview/counts.ts';
import { flowName } from '../../processes/views/process-fields.ts';
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
export type Searched = Omit<z.output<typeof search>, 'cursor' | 'size'>;

export const dueBefore = instant.meta({
  description:
    'The end of the day of whoever asks, for example; where numbers are read, 24 hours from now if absent',
  examples: ['2031-05-02T00:00:00Z'],
});

/** The deadlines of processes are known of the newest 2,000 open ones, as soon as each has said its own. */
export const listSearch = search.extend({
  sort: z
    .enum(['newest', 'deadline'], { error: 'must be newest or deadline' })
    .default('newest')
    .meta({ description: 'deadline: of open ones, the one that ends next first' }),
  dueBefore: dueBefore
    .optional()
    .meta({ description: 'Only open ones whose next deadline is still to come, and ends before then' }),
  stage: word.optional().meta({
    description:
      'The path of a state, as in the status of a flow: only open processes that said they are in it. Needs `flow`',
  }),
});
export type ListSearch = z.output<typeof listSearch>;

/** By their deadlines only open ones can be found or sorted. */
export const isByDeadline = ({ state, sort, dueBefore: before }: ListSearch): boolean =>
  before !== undefined || (sort === 'deadline' && state === 'open');

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

/** As Temporal would find it. */
export const isFound =
  ({ flow, pickUpPoint, olderThan, find, phase, waitsForAnswer }: Narrowing & Partial<Searched>) =>
  (each: FoundFlow): boolean =>
    (flow === undefined || each.flow === flow) &&
    (pickUpPoint === undefined || each.pickUpPoint === pickUpPoint) &&
    (phase === undefined || (each.phase ?? 'Open') === phase) &&
    (!waitsForAnswer || each.isAsking) &&
    (olderThan === undefined || Date.parse(each.startedAt ?? '') < Date.now() - olderThan * HOUR_MS) &&
    (find === undefined ||
      each.workflowId.startsWith(find) ||
      each.case === find ||
      each.shipmentUids.includes(find));

function foundBy(text: string): string {
  const value = quoted(text);
  return `WorkflowId STARTS_WITH ${value} OR LockerShipmentUids = ${value} OR LockerCase = ${value}`;
}
