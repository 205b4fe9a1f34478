// Adds a note or a message to a case that has ended, as a workflow of its own (contract/flows/after-end.ts).
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { WorkflowExecutionAlreadyStartedError, type WorkflowStartOptions } from '@temporalio/client';
import { AFTER_END_SUBJECT, type AfterEndMemo, subjectAfterEnd } from '../../contract/flows/after-end.ts';
import { NOTE_AFTER_END } from '../../contract/flows/flow-types.ts';
import { internalIds } from '../../contract/flows/internal-ids.ts';
import type { AddNote } from '../../contract/flows/note.ts';
import {
  caseMessageSubjects,
  OUTREACH_DELIVERY,
  type Outreach,
  type OutreachBegun,
  type SendMessage,
} from '../../contract/flows/outreach.ts';
import { withSubjects } from '../../contract/flows/search-attributes.ts';
import { literal } from '../../shared/routing/owners.ts';
import { commandErrorOf } from '../outcome.ts';
import { type CommandContext, callTemporal } from '../temporal-context.ts';
import { ProcessReader } from '../views/shown-process.ts';

/** Where the process still runs, it takes it itself; where it ends just then, it has ended. A batch is about open processes alone. */
export async function openOrEnded<Answer>(
  commandContext: CommandContext,
  key: string,
  { open, ended }: { readonly open: () => Promise<Answer>; readonly ended: () => Promise<Answer> },
): Promise<Answer> {
  if (commandContext.isInBatch) return await open();
  if (!(await isOpen(commandContext, key))) return await ended();
  try {
    return await open();
  } catch (error) {
    if (HAS_ENDED.has(commandErrorOf(error)?.code ?? '')) return await ended();
    throw error;
  }
}

/** Throws FlowNotFound, also for what is no process of a flow. */
export const isOpen = async (commandContext: CommandContext, key: string): Promise<boolean> =>
  (await new ProcessReader(commandContext).found(key)).status === 'Running';

/** As the client and the process itself refuse an update then. */
const HAS_ENDED: ReadonlySet<string> = new Set(['FlowEnded', 'ProcessEnded']);

export async function addNote(commandContext: CommandContext, key: string, fields: AddNote): Promise<void> {
  const { runId } = await new ProcessReader(commandContext).found(key);
  const { updateId = randomUUID() } = commandContext;
  await begin(commandContext, NOTE_AFTER_END, {
    workflowId: `${internalIds.noteAfterEnd}${runId}/${updateId}`,
    args: [],
    memo: { key, runId, name: 'note', fields },
    staticSummary: 'A note on a case that has ended',
  });
}

export async function sendMessage(
  commandContext: CommandContext,
  key: string,
  fields: SendMessage,
): Promise<OutreachBegun> {
  const { runId } = await new ProcessReader(commandContext).found(key);
  const { updateId = randomUUID() } = commandContext;
  // As a process names those that it begins.
  const delivery = `${key}/outreach/${updateId}`;
  const outreach: Outreach = { id: delivery, kind: 'message', key, at: new Date().toISOString(), fields };
  await begin(commandContext, OUTREACH_DELIVERY, {
    workflowId: delivery,
    args: [outreach],
    memo: { key, runId, name: 'message', fields },
  });
  return { delivery };
}

interface Begin extends Pick<WorkflowStartOptions, 'workflowId' | 'staticSummary'> {
  readonly args: unknown[];
  readonly memo: AfterEndMemo;
}

/** The same request again is the same workflow. */
async function begin(
  commandContext: CommandContext,
  type: string,
  { memo, ...options }: Begin,
): Promise<void> {
  const { client, taskQueue } = commandContext;
  const subjects = [
    AFTER_END_SUBJECT,
    subjectAfterEnd(memo.runId),
    ...(memo.name === 'message' ? caseMessageSubjects(memo.fields) : []),
  ];
  try {
    await callTemporal(commandContext, () =>
      client.workflow.start(type, {
        ...options,
        taskQueue,
        memo: { afterEnd: memo },
        typedSearchAttributes: [withSubjects(subjects)],
        workflowIdConflictPolicy: 'FAIL',
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
      }),
    );
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
  await untilFound(commandContext, options.workflowId);
}

/** The search lags behind: who has added something reads it at once, unless it lags for longer. */
const FOUND_WITHIN_MS = 2_000;
const ASKED_EVERY_MS = 100;

async function untilFound({ client }: CommandContext, workflowId: string): Promise<void> {
  for (const until = Date.now() + FOUND_WITHIN_MS; Date.now() < until; await delay(ASKED_EVERY_MS)) {
    const { count } = await client.workflow.count(`WorkflowId = ${literal(workflowId)}`);
    if (count > 0) return;
  }
}
