// The questions that processes of flow files have asked and nobody has answered yet: the same for the command line, the API and
// the inbox.
import { z } from 'zod';
import type { OpenQuestion } from '../../client/flow-files/flow-file-handle.ts';
import { MORE_VALUES } from '../../contract/flows/search-attributes.ts';
import { eachAtOnce } from '../at-once.ts';
import { type AtTemporal, answered } from '../at-temporal.ts';
import { quoted } from './flow-query.ts';
import { everyFound, type FoundFlow } from './found-flows.ts';

export interface Question extends Pick<OpenQuestion, 'of' | 'fields' | 'askedAt' | 'until'> {
  /** The process that asks. */
  readonly key: string;
  readonly runId: string;
  readonly flow: string;
  /** Its id, by which it is answered. */
  readonly question: string;
  readonly text: string;
}

export interface Questions {
  /** The oldest first. */
  readonly items: readonly Question[];
  /** How many processes did not say what they ask. */
  readonly unasked: number;
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
    question: z.string().meta({ description: 'Its id, by which it is answered' }),
    of: z.string().meta({ description: 'The inbox' }),
    text: z.string(),
    fields: z.record(z.string(), field),
    askedAt: z.string(),
    until: z.string().nullable(),
  })
  .meta({ title: 'Question' });

export const questions = z.object({
  items: z.array(question),
  unasked: z.int().meta({ description: 'Processes that did not say in time what they ask' }),
});

/**
 * Only processes of one task queue: another may be another tenant's.
 * @param name only of this inbox
 */
export async function openQuestions(temporal: AtTemporal, name?: string): Promise<Questions> {
  const asked =
    name === undefined
      ? 'LockerInbox IS NOT NULL'
      : `LockerInbox IN (${quoted(name)}, ${quoted(MORE_VALUES)})`;
  const among = `TaskQueue = ${quoted(temporal.taskQueue)} AND ExecutionStatus = 'Running'`;
  const found = everyFound(temporal.client, `${asked} AND ${among}`);
  const items: Question[] = [];
  let unasked = 0;
  for await (const { item, outcome } of eachAtOnce(found, (each) => questionsOf(temporal, each)))
    if (outcome.done) items.push(...outcome.value.map((each) => questionOf(item, each)));
    else unasked += 1;
  const wanted = items.filter(({ of }) => name === undefined || of === name);
  return { items: wanted.sort(byAge), unasked };
}

const byAge = (one: Question, other: Question) =>
  one.askedAt.localeCompare(other.askedAt) || one.key.localeCompare(other.key);

const questionOf = (
  { workflowId: key, runId, flow }: FoundFlow,
  { id, of, question: text, fields, askedAt, until }: OpenQuestion,
): Question => ({ key, runId, flow, question: id, of, text, fields, askedAt, until });

async function questionsOf(
  temporal: AtTemporal,
  { workflowId }: FoundFlow,
): Promise<readonly OpenQuestion[]> {
  const handle = temporal.flows.fileHandle(workflowId);
  const { questions: open = [] } = await answered(temporal, () => handle.progress());
  return open;
}
