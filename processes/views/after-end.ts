// What people have added to cases that had ended: notes and messages, each kept by a workflow of its own (contract/flows/after-end.ts).
import type { Client } from '@temporalio/client';
import { type AfterEndMemo, subjectAfterEnd } from '../../contract/flows/after-end.ts';
import { NOTE_AFTER_END } from '../../contract/flows/flow-types.ts';
import type { Note } from '../../contract/flows/note.ts';
import { OUTREACH_DELIVERY } from '../../contract/flows/outreach.ts';
import { literal, UIDS_PER_QUERY } from '../../shared/routing/owners.ts';
import type { TimelineEntry } from './timeline.ts';
import { updateData } from './timeline-data.ts';

export interface AddedAfterEnd {
  readonly memo: AfterEndMemo;
  readonly at: string;
  /** The id of the workflow that keeps it. */
  readonly workflowId: string;
  readonly runId: string;
}

/** The oldest first. */
export async function addedAfterEnd(client: Client, runIds: readonly string[]): Promise<AddedAfterEnd[]> {
  const added: AddedAfterEnd[] = [];
  for (let from = 0; from < runIds.length; from += UIDS_PER_QUERY) {
    const subjects = runIds.slice(from, from + UIDS_PER_QUERY).map((each) => literal(subjectAfterEnd(each)));
    added.push(...(await foundAfterEnd(client, `LockerSubjects IN (${subjects.join(', ')})`)));
  }
  return added;
}

/** @param which a condition of a list filter. The oldest first. */
export async function foundAfterEnd(
  client: Client,
  which: string,
  most = Number.POSITIVE_INFINITY,
): Promise<AddedAfterEnd[]> {
  const query = `WorkflowType IN ('${NOTE_AFTER_END}', '${OUTREACH_DELIVERY}') AND ${which}`;
  const added: AddedAfterEnd[] = [];
  for await (const { workflowId, runId, startTime, memo } of client.workflow.list({ query })) {
    const { afterEnd } = (memo ?? {}) as { readonly afterEnd?: AfterEndMemo };
    if (afterEnd) added.push({ memo: afterEnd, at: startTime.toISOString(), workflowId, runId });
    if (added.length === most) break;
  }
  return added.sort((one, other) => one.at.localeCompare(other.at));
}

/** As an entry of the timeline of the process that had ended. */
export function entryOfAdded({ memo, at, workflowId, runId }: AddedAfterEnd): TimelineEntry {
  const { name, fields } = memo;
  const { by, onBehalfOf = null, why = null } = fields;
  const data = updateData(name, fields, name === 'message' ? { delivery: workflowId } : null);
  return { at, data, by, onBehalfOf, why, runId, eventId: '0' };
}

/** By run, of the processes that have ended: the newest note that was left on each since. */
export async function notesAfterEnd(
  client: Client,
  processes: readonly { readonly runId: string; readonly status: string }[],
): Promise<ReadonlyMap<string, Note>> {
  const ended = processes.filter(({ status }) => status !== 'Running');
  const added = await addedAfterEnd(
    client,
    ended.map(({ runId }) => runId),
  );
  return new Map(
    added.flatMap(({ memo: { runId, name, fields }, at }) => {
      if (name !== 'note') return [];
      const { text, by, onBehalfOf } = fields;
      return [[runId, { text, by, ...(onBehalfOf !== undefined && { onBehalfOf }), at }] as const];
    }),
  );
}
