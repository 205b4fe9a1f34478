// What processes are searched for: as the API takes it, as it stands in the address of the page, and the query of it.

import { z } from 'zod';
import { phases } from '../../contract/flows/flow-answers.ts';
import { type FlowQueryOptions, flowQuery, quoted } from '../../processes/views/flow-query.ts';
import { flowName } from '../../processes/views/process-fields.ts';
import { ASKS_SOMETHING, FAILED } from '../../processes/views/process-list.ts';
import { cursor, flag, searchable } from './fields.ts';
import { limits } from './limits.ts';

const HOUR_MS = 3_600_000;

const HOURS = 'must be a number of hours, up to 100000';
const ROWS = `must be a whole number of rows, 1 to ${limits.rows}`;
const states = ['open', 'closed', 'failed', 'all'] as const;

const hours = (description: string) =>
  z.coerce
    .number({ error: HOURS })
    .positive(HOURS)
    .max(100_000, HOURS)
    .optional()
    .meta({ description, type: 'number' });

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
  olderThan: hours('Hours since the start, at least'),
  endedWithin: hours('Hours since the end, at most'),
  waitsForAnswer: flag('false', 'true: only those that have asked something, and nobody has answered'),
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

export function queryOf(given: Searched, taskQueue: string, now = Date.now()): string {
  const { state, phase, waitsForAnswer, endedWithin } = given;
  const options = {
    ...narrowedBy(given, now),
    ...(phase && { phase }),
    ...(state === 'open' && { open: true as const }),
    ...(state === 'closed' && !phase && { closed: true as const }),
    also: [
      ...(waitsForAnswer ? [ASKS_SOMETHING] : []),
      ...(state === 'failed' ? [FAILED] : []),
      ...(endedWithin ? [`CloseTime >= '${new Date(now - endedWithin * HOUR_MS).toISOString()}'`] : []),
    ],
  };
  return flowQuery(options, taskQueue);
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
