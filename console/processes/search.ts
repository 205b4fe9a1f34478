// What a person searches for, as it stands in the address of the page, and the query of it.

import { z } from 'zod';
import { phases } from '../../contract/flows/flow-messages.ts';
import { inPlainWords } from '../../contract/wire/issue-words.ts';
import { fieldsOf } from '../../processes/commands/read-values.ts';
import { type FlowQueryOptions, flowQuery, quoted } from '../../processes/views/flow-query.ts';
import { ConsoleRefusal, wordsOfFields } from '../refusal.ts';

const MOST_ROWS = 200;
const HOUR_MS = 3_600_000;

const HOURS = 'must be a number of hours, up to 100000';
const ROWS = `must be a whole number of rows, 1 to ${MOST_ROWS}`;
const states = ['open', 'closed', 'all'] as const;

const word = z.string().trim().min(1).max(200).optional();

const search = z.object({
  phase: z.enum(phases, { error: `must be one of ${phases.join(', ')}` }).optional(),
  flow: word,
  pickUpPoint: word,
  /** In hours: older than. */
  olderThan: z.coerce.number({ error: HOURS }).positive(HOURS).max(100_000, HOURS).optional(),
  state: z.enum(states, { error: `must be one of ${states.join(', ')}` }).default('open'),
  /** A key, or how one begins; a shipment; a case number. */
  find: word,
  page: z.string().max(10_000).optional(),
  size: z.coerce.number({ error: ROWS }).int(ROWS).min(1, ROWS).max(MOST_ROWS, ROWS).default(50),
});
export type Search = z.infer<typeof search>;

/** Throws ConsoleRefusal (400), which names the wrong fields. */
export function readSearch(parameters: URLSearchParams): Search {
  const given = Object.fromEntries([...parameters].filter(([, value]) => value !== ''));
  const { data, error } = search.safeParse(given, inPlainWords);
  if (data) return data;
  throw new ConsoleRefusal(
    400,
    'WrongSearch',
    `The address of this page has a wrong search: ${wordsOfFields(error)}. Change it there, or clear the search.`,
    fieldsOf(error),
  );
}

/** Throws CommandFailed (wrong use) for a value that cannot be searched. */
export function queryOf(given: Search, now = Date.now()): string {
  const options: FlowQueryOptions = {
    ...(given.phase && { phase: given.phase }),
    ...(given.flow && { flow: given.flow.split(',') }),
    ...(given.pickUpPoint && { pickUpPoint: given.pickUpPoint }),
    ...(given.olderThan && {
      startedBefore: new Date(now - given.olderThan * HOUR_MS).toISOString(),
    }),
    ...(given.state === 'open' && { open: true as const }),
    ...(given.state === 'closed' && !given.phase && { closed: true as const }),
    ...(given.find && { query: foundBy(given.find) }),
  };
  return flowQuery(options);
}

function foundBy(text: string): string {
  const value = quoted(text);
  return `WorkflowId STARTS_WITH ${value} OR LockerShipmentUids = ${value} OR LockerCase = ${value}`;
}
