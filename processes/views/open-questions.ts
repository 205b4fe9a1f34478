// The questions that processes of flow files have asked and nobody has answered yet.

import type { OpenQuestion } from '../../client/flow-files/flow-file-handle.ts';
import { MORE_VALUES } from '../../contract/flows/search-attributes.ts';
import { eachAtOnce } from '../at-once.ts';
import { type AtTemporal, answered } from '../at-temporal.ts';
import { quoted } from './flow-query.ts';
import { everyFound } from './found-flows.ts';

export interface WaitingQuestion extends OpenQuestion {
  readonly workflowId: string;
  readonly runId: string;
  readonly flow: string;
}

export interface QuestionsWanted {
  /** Only those of this inbox. */
  readonly name?: string | undefined;
  /** Only those of the processes on this one. */
  readonly taskQueue?: string;
}

export interface WaitingQuestions {
  readonly waiting: readonly WaitingQuestion[];
  /** How many processes did not answer what they ask. */
  readonly unasked: number;
}

/** Oldest first. */
export async function openQuestions(
  temporal: AtTemporal,
  { name, taskQueue }: QuestionsWanted = {},
): Promise<WaitingQuestions> {
  const asked =
    name === undefined
      ? 'LockerInbox IS NOT NULL'
      : `LockerInbox IN (${quoted(name)}, ${quoted(MORE_VALUES)})`;
  const among = taskQueue === undefined ? '' : ` AND TaskQueue = ${quoted(taskQueue)}`;
  const found = everyFound(temporal.client, `${asked}${among} AND ExecutionStatus = 'Running'`);
  const waiting: WaitingQuestion[] = [];
  let unasked = 0;
  for await (const { item, outcome } of eachAtOnce(found, (each) => questionsOf(temporal, each.workflowId))) {
    const { workflowId, runId, flow } = item;
    if (outcome.done) waiting.push(...outcome.value.map((each) => ({ ...each, workflowId, runId, flow })));
    else unasked += 1;
  }
  const wanted = waiting.filter(({ of }) => name === undefined || of === name);
  return { waiting: wanted.sort((one, other) => one.askedAt.localeCompare(other.askedAt)), unasked };
}

async function questionsOf(temporal: AtTemporal, workflowId: string): Promise<readonly OpenQuestion[]> {
  const { questions = [] } = await answered(temporal, () => temporal.flows.fileHandle(workflowId).progress());
  return questions;
}
