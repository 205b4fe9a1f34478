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
import { type Acting, callTemporal } from '../at-temporal.ts';
import { commandErrorOf } from '../outcome.ts';
import { ProcessReader } from '../views/shown-process.ts';

/** Where the process still runs, it takes it itself; where it ends just then, it has ended. A batch is about open processes alone. */
export async function openOrEnded<Answer>(
  acting: Acting,
  key: string,
  { open, ended }: { readonly open: () => Promise<Answer>; readonly ended: () => Promise<Answer> },
): Promise<Answer> {
  if (acting.isInBatch) return await open();
  if (!(await isOpen(acting, key))) return await ended();
  try {
    return await open();
  } catch (error) {
    if (HAS_ENDED.has(commandErrorOf(error)?.code ?? '')) return await ended();
    throw error;
  }
}

/** Throws FlowNotFound, also for what is no process of a flow. */
export const isOpen = async (acting: Acting, key: string): Promise<boolean> =>
  (await new ProcessReader(acting).found(key)).status === 'Running';

/** As the client and the process itself refuse an update then. */
const HAS_ENDED: ReadonlySet<string> = new Set(['FlowEnded', 'ProcessEnded']);

export async function addNote(acting: Acting, key: string, fields: AddNote): Promise<void> {
  const { runId } = await new ProcessReader(acting).found(key);
  const { updateId = randomUUID() } = acting;
  await begin(acting, NOTE_AFTER_END, {
    workflowId: `${internalIds.noteAfterEnd}${runId}/${updateId}`,
    args: [],
    memo: { key, runId, name: 'note', fields },
    staticSummary: 'A note on a case that has ended',
  });
}

export async function sendMessage(acting: Acting, key: string, fields: SendMessage): Promise<OutreachBegun> {
  const { runId } = await new ProcessReader(acting).found(key);
  const { updateId = randomUUID() } = acting;
  // As a process names those that it begins.
  const delivery = `${key}/outreach/${updateId}`;
  const outreach: Outreach = { id: delivery, kind: 'message', key, at: new Date().toISOString(), fields };
  await begin(acting, OUTREACH_DELIVERY, {
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
async function begin(acting: Acting, type: string, { memo, ...options }: Begin): Promise<void> {
  const { client, taskQueue } = acting;
  const subjects = [
    AFTER_END_SUBJECT,
    subjectAfterEnd(memo.runId),
    ...(memo.name === 'message' ? caseMessageSubjects(memo.fields) : []),
  ];
  try {
    await callTemporal(acting, () =>
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
  await untilFound(acting, options.workflowId);
}

/** The search lags behind: who has added something reads it at once, unless it lags for longer. */
const FOUND_WITHIN_MS = 2_000;
const ASKED_EVERY_MS = 100;

async function untilFound({ client }: Acting, workflowId: string): Promise<void> {
  for (const until = Date.now() + FOUND_WITHIN_MS; Date.now() < until; await delay(ASKED_EVERY_MS)) {
    const { count } = await client.workflow.count(`WorkflowId = ${literal(workflowId)}`);
    if (count > 0) return;
  }
}
