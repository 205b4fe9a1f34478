// Events of processes that an external system does not take: a workflow of its own tries each again and again, also after its process
// has ended, and nobody else would say it.
import { EVENT_DELIVERY } from '../../contract/flows/flow-types.ts';
import { t } from '../../shared/texts/text.ts';
import { eachAtOnce } from '../at-once.ts';
import { type PendingActivity, tryingOf } from '../views/execution.ts';
import { onTaskQueue } from '../views/flow-query.ts';
import { type FoundFlow, foundPage } from '../views/found-flows.ts';
import { readable, sentence } from '../views/readable.ts';
import type { InboxEntry, InboxParts, InboxSource, SourceRead } from './inbox-entry.ts';

/** What is restarted is back by then. */
const USUAL_PATIENCE_MS = 5 * 60_000;
/** Each is a call of Temporal. */
const MAX_SHOWN = 100;

export const eventsNotTaken = (patienceMs = USUAL_PATIENCE_MS): InboxSource => ({
  kind: 'eventsNotTaken',
  what: () => t`events that are not taken`,
  read: (parts) => read(parts, patienceMs),
});

async function read(parts: InboxParts, patienceMs: number): Promise<SourceRead> {
  const before = new Date(Date.now() - patienceMs).toISOString();
  const query = `WorkflowType = '${EVENT_DELIVERY}' AND ExecutionStatus = 'Running' AND StartTime < '${before}' AND ${onTaskQueue(parts.taskQueue)}`;
  const { flows, next } = await foundPage(parts.client, query, { size: MAX_SHOWN });
  const entries: InboxEntry[] = [];
  for await (const { item, outcome } of eachAtOnce(flows, (flow) => tryingNow(parts, flow))) {
    if (!outcome.done) throw outcome.error;
    // One that comes after another waits for that one.
    const { attempt = 0, lastFailure } = outcome.value ?? {};
    if (lastFailure) entries.push(entryOf(item, attempt, readable(lastFailure)));
  }
  return { entries, ...(next && { incomplete: t`only the newest ${MAX_SHOWN} are shown` }) };
}

async function tryingNow(
  { client }: InboxParts,
  { workflowId, runId }: FoundFlow,
): Promise<PendingActivity | undefined> {
  const [trying] = await tryingOf(client, await client.workflow.getHandle(workflowId, runId).describe());
  return trying;
}

function entryOf({ workflowId, startedAt }: FoundFlow, attempt: number, reason: string): InboxEntry {
  const key = keyOf(workflowId);
  return {
    id: `eventsNotTaken:${workflowId}`,
    kind: 'eventsNotTaken',
    since: startedAt,
    clockAheadMs: 0,
    title: t`Events of ${key} are not taken`,
    why: sentence(t`not taken yet, and tried again (${attempt} times so far): ${reason}`),
    ifNothing: t`They are tried again every five minutes, in their order, until they are taken.`,
    toDo: t`See that the other system runs, and that LOCKERFLOW_CONNECTORS of the workers has it. To drop them, terminate the workflow ${workflowId} in Temporal.`,
    key,
    pupUid: null,
    lockerName: null,
    shipmentUid: null,
    cause: {
      id: `eventsNotTaken:${reason}`,
      title: (count) => t`Events of ${count} cases are not taken`,
      why: sentence(t`not taken: ${reason}`),
    },
    actions: [],
  };
}

/** Its id begins with that of its process. */
const keyOf = (workflowId: string): string => workflowId.slice(0, workflowId.lastIndexOf('/events/'));
