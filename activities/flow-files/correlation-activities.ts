// What processes say to the mailboxes of events by correlation, and what these say to them. They are local activities: an attempt
// may be repeated whole, so each message may come twice.
import { activityInfo, getClient } from '@temporalio/activity';
import { businessKeyIssues } from '../../contract/flows/internal-ids.ts';
import {
  type CorrelatedEvent,
  eventStartsId,
  type ListeningProcess,
  STARTED_FLOWS_MEMO,
} from '../../flows/language/correlation.ts';
import { Budget } from '../../flows/language/expressions/cost.ts';
import { expressionFailureIn } from '../../flows/language/expressions/failure.ts';
import { template } from '../../flows/language/expressions/template.ts';
import type { Json } from '../../flows/language/flow-file.ts';
import { definitionWorkflowId, newestIn, type Published } from '../../flows/language/registry.ts';
import { handTo, leave, listenAt, sendCorrelated } from '../../shared/routing/mailboxes.ts';
import type { FlowFileActivities, StartedByEvent } from './flow-file-activities.ts';

export const correlationActivities: Pick<FlowFileActivities, 'passOn' | 'handOut' | 'startByEvent'> = {
  async passOn({ from, messages }) {
    const client = getClient();
    const { taskQueue } = activityInfo();
    for (const message of messages)
      if (message.kind === 'event') await sendCorrelated(client, taskQueue, message.event);
      else {
        const { now, before } = message;
        if (now) await listenAt(client, taskQueue, from, now);
        const left = Object.entries(before).filter(([key, value]) => now?.keys[key] !== value);
        await leave(client, from, Object.fromEntries(left));
      }
  },
  async handOut({ to, event }) {
    const client = getClient();
    const gone: ListeningProcess[] = [];
    for (const process of to) if (!(await handTo(client, process, event))) gone.push(process);
    return gone;
  },
  startByEvent: ({ event, taken }) => startByEvent(getClient(), activityInfo().taskQueue, event, taken),
};

// Starts processes of the flows whose files have `starts` for an event that no process of theirs has taken. Repeated for the same
// event it starts nothing twice.

type Client = ReturnType<typeof getClient>;

/** The field of a process's memo that has the id of the event which has started it. */
const EVENT_MEMO = 'startedByEvent';

/** @param taken the flows whose processes have the event */
async function startByEvent(
  client: Client,
  taskQueue: string,
  event: CorrelatedEvent,
  taken: readonly string[],
): Promise<StartedByEvent> {
  const started: string[] = [];
  const failed: { flow: string; why: string }[] = [];
  for (const flow of await flowsFor(client, event.type)) {
    if (taken.includes(flow)) continue;
    const why = await startOne(client, taskQueue, flow, event);
    if (why === undefined) started.push(flow);
    else failed.push({ flow, why });
  }
  return { started, failed };
}

async function flowsFor(client: Client, type: string): Promise<readonly string[]> {
  const described = await descriptionOf(client, eventStartsId(type));
  if (described?.status.name !== 'RUNNING') return [];
  return (described.memo?.[STARTED_FLOWS_MEMO] ?? []) as readonly string[];
}

/** Why it is not started; undefined: it is. */
async function startOne(
  client: Client,
  taskQueue: string,
  flow: string,
  event: CorrelatedEvent,
): Promise<string | undefined> {
  const definition = await descriptionOf(client, definitionWorkflowId(flow));
  const published = definition && newestIn(definition);
  const start = published && startOf(published, event.type);
  if (!published || !start) return 'it is no longer started by this event';
  let given: { readonly key: string; readonly request: Json };
  try {
    given = evaluated(published, event);
  } catch (error) {
    const failure = expressionFailureIn(error);
    if (!failure) throw error;
    return failure.message;
  }
  const [issue] = businessKeyIssues(given.key);
  if (issue) return `the key ${JSON.stringify(given.key.slice(0, 100))} ${issue.message}`;
  const before = await descriptionOf(client, given.key);
  // An attempt before this one has started it.
  if (before?.memo?.[EVENT_MEMO] === event.id) return undefined;
  try {
    await client.workflow.start(flow, {
      workflowId: given.key,
      taskQueue,
      args: [{ request: given.request }],
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      memo: { [EVENT_MEMO]: event.id },
      staticSummary: `${flow} ${given.key}`,
    });
    return undefined;
  } catch (error) {
    if (!isNamed(error, 'WorkflowExecutionAlreadyStartedError')) throw error;
    return `${given.key} is running already`;
  }
}

function evaluated(
  published: Published,
  { type, id, where, data }: CorrelatedEvent,
): { readonly key: string; readonly request: Json } {
  const { key = `${published.file.name}-${id}`, request = null } = startOf(published, type) ?? {};
  const path = `starts.${type}`;
  const run = template({ key, ...(request !== null && { request }) }, path);
  const scope = { event: { type, id, where, data }, input: null, context: null, flow: null, now: null };
  const given = run(scope, new Budget()) as { readonly key: Json; readonly request?: Json };
  return { key: String(given.key), request: given.request ?? data ?? {} };
}

/** What its file says of the type; what every object inherits, such as `constructor`, is none. */
const startOf = ({ file: { starts = {} } }: Published, type: string) =>
  Object.hasOwn(starts, type) ? starts[type] : undefined;

async function descriptionOf(client: Client, workflowId: string) {
  try {
    return await client.workflow.getHandle(workflowId).describe();
  } catch (error) {
    if (isNamed(error, 'WorkflowNotFoundError')) return undefined;
    throw error;
  }
}

/** Temporal's own client has no code for it that is stable: its name is. */
const isNamed = (error: unknown, name: string): boolean => error instanceof Error && error.name === name;
