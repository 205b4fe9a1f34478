// What processes are searched for: as the API takes it, as it stands in the address of the page, and the query of it.

import { z } from 'zod';
import { phases } from '../../contract/flows/flow-answers.ts';
import { KEY_NAME } from '../../flows/language/correlation.ts';
import { subjectOfKey } from '../../flows/language/subjects.ts';
import {
  ASKS_SOMETHING,
  needsUs as conditionOfNeedsUs,
  FAILED,
  NO_PART,
} from '../../processes/views/counts.ts';
import { type FlowQueryOptions, flowQuery, quoted } from '../../processes/views/flow-query.ts';
import { schemaOf } from '../../processes/views/flow-schemas.ts';
import { flowName } from '../../processes/views/process-fields.ts';
import { type Step, steps } from '../../processes/views/row-state.ts';
import { orders } from '../../processes/views/sorted-page.ts';
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

const summaries = flag('true', 'false: no process is asked where it stands');

const word = searchable.trim().min(1).max(200);

const fields = z.strictObject({
  state: z
    .enum(states, { error: `must be one of ${states.join(', ')}` })
    .default('open')
    .meta({
      description:
        'Whether they run; failed: those that have ended without a result, without those that were started again since, unless more than 500 have failed',
    }),
  flow: flowName.optional(),
  phase: z
    .enum(phases, { error: `must be one of ${phases.join(', ')}` })
    .optional()
    .meta({ description: 'Only open processes have one' }),
  pickUpPoint: word.optional().meta({ description: 'pupUid' }),
  olderThan: hours('Hours since the start, at least'),
  endedWithin: hours('Hours since the end, at most'),
  parts: flag('true', 'false: without those that another process has started'),
  needsUs: flag('false', 'true: only those that wait for a decision or an answer of a person who works here'),
  waitsForAnswer: flag('false', 'true: only those that have asked something, and nobody has answered'),
  withThem: flag(
    'false',
    'true: only open ones whose item is with the person who is to bring it back, as each has said it within the last two minutes, in the order `due` or `waiting`. How many have said nothing is in `unknown`. Of more than 5,000 open ones it is refused: narrow the search',
  ),
  step: z
    .enum(steps, { error: `must be one of ${steps.join(', ')}` })
    .optional()
    .meta({
      description:
        'What somebody is to do at a locker, as `getExpected` counts it: only open ones for which it is next, as each has said it within the last two minutes; otherwise as `withThem`',
    }),
  person: word.optional().meta({
    description: 'The uid of an account: what is for it, or of it. Needs the right to act on processes',
  }),
  item: word
    .optional()
    .meta({ description: 'The reference number of what is sent, or the item of a flow file' }),
  find: word.optional().meta({ description: 'How the key begins, a shipmentUid, or a case number' }),
  sort: z
    .enum(['newest', ...orders], { error: 'must be newest, due or waiting' })
    .default('newest')
    .meta({
      description:
        'due: first what is late, longest first; then what has no due and waits for a person who works here, longest first; then by due, soonest first; then the rest, oldest first. What a process has started stands behind it, if both are found, in the place of the first of them. The newest come first of more than 5,000, and, of more than 500, as long as a console that has just started has not asked each of them where it stands: `sorted` says which. waiting: what stands longest where it is comes first',
    }),
  cursor: cursor.optional(),
  size: z.coerce
    .number({ error: ROWS })
    .int(ROWS)
    .min(1, ROWS)
    .max(limits.rows, ROWS)
    .default(50)
    .meta({ description: `Rows of a page, at most ${limits.rows}`, type: 'integer' }),
});

const KEY = 'key.';
/** As the document says it of a body. */
const KEYED = {
  patternProperties: { [`^key\\.${KEY_NAME.source.slice(1)}`]: schemaOf(word, 'input') },
  additionalProperties: false,
};

/** With `key.<name>` for each key of the processes' business data, as `key.device=laptop-7`. */
function withKeys<Fields extends z.ZodObject>(given: Fields): Fields {
  const isKey = (name: string) => name.startsWith(KEY) && KEY_NAME.test(name.slice(KEY.length));
  const keyed = given.catchall(word).check(({ value, issues }) => {
    const keys = Object.keys(value).filter((name) => !Object.hasOwn(given.shape, name) && !isKey(name));
    if (keys.length > 0) issues.push({ code: 'unrecognized_keys', keys, input: value });
  });
  return keyed.meta(KEYED) as unknown as Fields;
}

const ofOpenOnes = ['withThem', 'step'] as const;

export const search = withKeys(fields.extend({ summaries })).check(({ value, issues }) => {
  if (value.state === 'open' || value.state === 'all') return;
  // What has ended stands nowhere: it would be an empty list, and not say why.
  for (const field of ofOpenOnes)
    if (value[field])
      issues.push({
        code: 'custom',
        path: [field],
        message: `finds only open processes, and cannot be used with state=${value.state}`,
        input: value,
      });
});
/** For what is done to all open ones that are found. */
export const searchOfMany = withKeys(
  fields.omit({ cursor: true, size: true, sort: true, state: true, withThem: true, step: true }),
);
export const counted = withKeys(
  fields.pick({ flow: true, pickUpPoint: true, olderThan: true, person: true, item: true, find: true }),
);

/** What is searched for, whatever the page of it. */
type Searched = Omit<
  z.output<typeof search>,
  'cursor' | 'size' | 'sort' | 'summaries' | 'withThem' | 'step'
> & {
  readonly withThem?: boolean;
  readonly step?: Step | undefined;
  /** Whether this Temporal reports processes at which a worker fails. */
  readonly problems?: boolean;
};

export function queryOf(given: Searched, taskQueue: string, now = Date.now()): string {
  const {
    state,
    phase,
    parts,
    needsUs,
    waitsForAnswer,
    endedWithin,
    withThem,
    step,
    problems = false,
  } = given;
  const options = {
    ...narrowedBy(given, now),
    problems,
    ...(phase && { phase }),
    ...((state === 'open' || withThem || step) && { open: true as const }),
    ...(state === 'closed' && !phase && { closed: true as const }),
    also: [
      ...(needsUs ? [conditionOfNeedsUs(problems)] : []),
      ...(waitsForAnswer ? [ASKS_SOMETHING] : []),
      ...(state === 'failed' ? [FAILED] : []),
      ...(parts ? [] : [NO_PART]),
      ...(endedWithin ? [`CloseTime >= '${new Date(now - endedWithin * HOUR_MS).toISOString()}'`] : []),
    ],
  };
  return flowQuery(options, taskQueue);
}

/** All open ones, as the page lists them. */
export const openQuery = (taskQueue: string): string => queryOf(search.parse({}), taskQueue);

type Narrowing = z.output<typeof counted>;

/** What it asks for beside the state. */
export function narrowedBy(given: Narrowing, now = Date.now()): FlowQueryOptions {
  const { flow, pickUpPoint, olderThan, person, item, find } = given;
  const where = keysIn(given);
  return {
    ...(flow && { flow: [flow] }),
    ...(pickUpPoint && { pickUpPoint }),
    ...(olderThan && { startedBefore: new Date(now - olderThan * HOUR_MS).toISOString() }),
    ...(person && { person }),
    ...(item && { item }),
    ...(where.length > 0 && { where }),
    ...(find && { query: foundBy(find) }),
  };
}

const keysIn = (given: object): string[] =>
  Object.entries(given).flatMap(([name, value]) =>
    name.startsWith(KEY) ? [subjectOfKey(name.slice(KEY.length), String(value))] : [],
  );

/** Whether it asks for what only those may know who act on processes. */
export const isAboutPeople = (given: Narrowing): boolean =>
  given.person !== undefined || keysIn(given).length > 0;

function foundBy(text: string): string {
  const value = quoted(text);
  return `WorkflowId STARTS_WITH ${value} OR LockerShipmentUids = ${value} OR LockerCase = ${value}`;
}
