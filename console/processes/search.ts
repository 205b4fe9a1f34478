// What a person searches for, as it stands in the address of the page, and the query of it.
import { z } from 'zod';
import { type FlowQueryOptions, flowQuery, quoted } from '../../client/command-line/flow-query.ts';
import { phases } from '../../contract/flows/flow-messages.ts';
import { ConsoleRefusal, fieldsOf } from '../refusal.ts';

const MOST_ROWS = 200;
const HOUR_MS = 3_600_000;

const word = z.string().trim().min(1).max(200).optional();

const search = z.object({
  phase: z.enum(phases).optional(),
  flow: word,
  pickUpPoint: word,
  /** In hours: older than. */
  olderThan: z.coerce.number().positive().max(100_000).optional(),
  state: z.enum(['open', 'closed', 'all']).default('open'),
  /** A key, or how one begins; a shipment; a case number. */
  find: word,
  page: z.string().max(10_000).optional(),
  size: z.coerce.number().int().min(1).max(MOST_ROWS).default(50),
});
export type Search = z.infer<typeof search>;

/** Throws ConsoleRefusal (400), which names the wrong fields. */
export function readSearch(parameters: URLSearchParams): Search {
  const given = Object.fromEntries([...parameters].filter(([, value]) => value !== ''));
  const { data, error } = search.safeParse(given);
  if (data) return data;
  throw new ConsoleRefusal(
    400,
    'WrongSearch',
    `This search is wrong: ${z.prettifyError(error)}`,
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
