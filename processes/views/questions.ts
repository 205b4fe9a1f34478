// The questions that processes of flow files have asked and nobody has answered yet: the same for the command line, the API and
// the inbox.
import { z } from 'zod';
import type { OpenQuestion } from '../../client/flow-files/flow-file-handle.ts';
import { nextState } from '../../contract/flows/chart-progress.ts';
import type { ProcessProgress } from '../../contract/flows/flow-answers.ts';
import { MORE_VALUES } from '../../contract/flows/search-attributes.ts';
import { DEFAULT_PRIORITY, personOf } from '../../flows/language/machine/tasks.ts';
import type { AnswerCache } from '../answer-cache.ts';
import { eachAtOnce } from '../at-once.ts';
import { queryMany, type TemporalContext } from '../temporal-context.ts';
import { onTaskQueue, quoted } from './flow-query.ts';
import { everyFound, type FoundFlow } from './found-flows.ts';
import { type ItemToSee, itemToSee } from './item-to-see.ts';

/** Which questions somebody looks for. */
export interface QuestionsWanted {
  /** Those of this inbox. */
  readonly name?: string | undefined;
  /** Those that this person holds. */
  readonly holder?: string | undefined;
}

const field = z.object({
  type: z.enum(['text', 'number', 'yesNo', 'date']).optional(),
  choice: z.array(z.string()).optional(),
  many: z.boolean().optional().meta({ description: 'Several of the choices; the value is a list' }),
  minLength: z.int().optional().meta({ description: 'Without the white space around the text' }),
  maxLength: z.int().optional(),
  pattern: z.string().optional().meta({ description: 'What the whole text looks like' }),
  min: z.unknown().optional().meta({ description: 'Of a number or a date; of many: how many at least' }),
  max: z.unknown().optional(),
  default: z.unknown().optional().meta({ description: 'What the answer has if the field is left out' }),
  label: z.string().optional(),
  optional: z.boolean().optional(),
});

const question = z
  .object({
    key: z.string().meta({ description: 'The process that asks' }),
    runId: z.string(),
    flow: z.string(),
    pupUid: z.string().nullable().meta({ description: 'Where the process has booked; null: nowhere' }),
    question: z.string().meta({ description: 'Its id, by which it is answered' }),
    of: z.string().meta({ description: 'The inbox' }),
    text: z.string(),
    fields: z.record(z.string(), field),
    askedAt: z.string(),
    until: z.string().nullable(),
    priority: z.int().meta({ description: 'From 0 to 100, the highest first' }),
    due: z.string().nullable().meta({ description: 'When it should be answered' }),
    holder: z.string().nullable().meta({ description: 'Who alone may answer it now; null: nobody holds it' }),
    heldSince: z.string().nullable(),
    candidates: z
      .array(z.string())
      .readonly()
      .nullable()
      .meta({ description: 'Who may claim and answer it; null: everybody' }),
    not: z.array(z.string()).readonly().meta({ description: 'Who may not' }),
    note: z
      .string()
      .optional()
      .meta({ description: 'What a migration has changed of it, as `asked anew: its fields have changed`' }),
    unanswered: z
      .array(nextState.readonly())
      .readonly()
      .optional()
      .meta({ description: 'Where the process goes on at `until` without an answer: one of these' }),
    item: z.object({ pupUid: z.string().nullable(), lockerName: z.string() }).readonly().optional().meta({
      description: 'Where the item of the process lies; absent: in no locker, or there are several',
    }),
  })
  .meta({ title: 'Question' });
/** As it leaves the product: what an open question leaves out is said. */
export type Question = Readonly<Omit<z.infer<typeof question>, 'fields'> & Pick<OpenQuestion, 'fields'>>;

export const questions = z.object({
  items: z.array(question).readonly().meta({
    description: 'The highest priority first; of one priority what is due first, then the oldest',
  }),
  unasked: z.int().meta({ description: 'Processes that did not say in time what they ask' }),
});
export type Questions = Readonly<Omit<z.infer<typeof questions>, 'items'>> & {
  readonly items: readonly Question[];
};

/** What each process asks, for whoever reads it more than once. */
export type KeptQuestions = AnswerCache<readonly AskedQuestion[]>;

type AskedQuestion = OpenQuestion & { readonly item?: ItemToSee };

/** As far as the processes say them. */
export async function openQuestions(
  temporal: TemporalContext,
  wanted?: QuestionsWanted,
  kept?: KeptQuestions,
): Promise<Questions> {
  const { items, unanswered } = await questionsAsked(temporal, wanted, { kept });
  return { items, unasked: unanswered.length };
}

/** Only processes of one task queue: another may be another tenant's. With the keys of those that did not answer. */
export async function questionsAsked(
  temporal: TemporalContext,
  { name, holder }: QuestionsWanted = {},
  { withinMs, kept }: { readonly withinMs?: number; readonly kept?: KeptQuestions | undefined } = {},
): Promise<Pick<Questions, 'items'> & { readonly unanswered: readonly string[] }> {
  const asked =
    name === undefined
      ? 'LockerInbox IS NOT NULL'
      : `LockerInbox IN (${quoted(name)}, ${quoted(MORE_VALUES)})`;
  const among = `${onTaskQueue(temporal.taskQueue)} AND ExecutionStatus = 'Running'`;
  const found = everyFound(temporal.client, `${asked} AND ${among}`);
  const items: Question[] = [];
  const unanswered: string[] = [];
  const asking = queryMany(temporal, withinMs);
  const ask = ({ workflowId }: FoundFlow) => {
    const now = () => asking(() => questionsOf(temporal, workflowId));
    return kept ? kept.of(temporal, workflowId, now) : now();
  };
  for await (const { item, outcome } of eachAtOnce(found, ask))
    if (outcome.done) items.push(...outcome.value.map((each) => questionOf(item, each)));
    else unanswered.push(item.workflowId);
  const wanted = items.filter(
    (each) => (name === undefined || each.of === name) && (holder === undefined || isHeldBy(each, holder)),
  );
  return { items: wanted.sort(byUrgency), unanswered };
}

const isHeldBy = ({ holder }: Question, name: string): boolean =>
  holder !== null && personOf(holder) === personOf(name);

const byUrgency = (one: Question, other: Question): number =>
  other.priority - one.priority ||
  (one.due ?? NEVER).localeCompare(other.due ?? NEVER) ||
  one.askedAt.localeCompare(other.askedAt) ||
  one.key.localeCompare(other.key);

// Behind every instant.
const NEVER = 'never';

const questionOf = (
  { workflowId: key, runId, flow, pickUpPoint: pupUid }: FoundFlow,
  { id, of, question: text, fields, askedAt, until, item, ...task }: AskedQuestion,
): Question => ({
  key,
  runId,
  flow,
  pupUid,
  question: id,
  of,
  text,
  fields,
  askedAt,
  until,
  priority: task.priority ?? DEFAULT_PRIORITY,
  due: task.due ?? null,
  holder: task.holder ?? null,
  heldSince: task.heldSince ?? null,
  candidates: task.candidates ?? null,
  not: task.not ?? [],
  ...(task.note !== undefined && { note: task.note }),
  ...(task.unanswered && { unanswered: task.unanswered }),
  ...(item && { item }),
});

async function questionsOf(
  { client }: TemporalContext,
  workflowId: string,
): Promise<readonly AskedQuestion[]> {
  const progress = await client.workflow.getHandle(workflowId).query<ProcessProgress>('progress');
  const item = itemToSee(progress);
  return progress.questions.map((each) => ({ ...each, ...(item && { item }) }));
}
