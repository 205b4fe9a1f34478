// What Temporal knows of a process beside what the process says of itself: whether it runs, and what is tried again.
import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import { isoTime } from './found-flows.ts';
import { decodeFailure, decoderOf } from './history.ts';
import { failureText } from './timeline.ts';

export interface Execution {
  /** RUNNING, COMPLETED, FAILED, CANCELLED, TERMINATED, TIMED_OUT, as Temporal names them. */
  readonly status: string;
  /** What is being tried now, or will be tried again. */
  readonly trying: readonly Trying[];
}

export interface Trying {
  readonly activity: string;
  readonly attempt: number;
  readonly lastFailure: string | null;
  /** Null: it runs now. */
  readonly nextTryAt: string | null;
}

export async function executionOf(client: Client, workflowId: string): Promise<Execution> {
  const described = await client.workflow.getHandle(workflowId).describe();
  return { status: described.status.name, trying: await tryingOf(client, described) };
}

export async function tryingOf(
  client: Client,
  { raw }: Pick<WorkflowExecutionDescription, 'raw'>,
): Promise<Trying[]> {
  const decode = decoderOf(client);
  const trying = (raw.pendingActivities ?? []).map(async (pending): Promise<Trying> => {
    const { activityType, attempt, lastFailure, nextAttemptScheduleTime } = pending;
    await decodeFailure(lastFailure, decode);
    const activity = activityType?.name ?? 'an activity';
    const heartbeat = await decode(pending.heartbeatDetails?.payloads?.[0]);
    if (isTrying(heartbeat)) return { activity, ...heartbeat.trying };
    return {
      activity,
      attempt: attempt ?? 1,
      lastFailure: lastFailure ? failureText(lastFailure) : null,
      nextTryAt: isoTime(nextAttemptScheduleTime),
    };
  });
  return await Promise.all(trying);
}

/** A booking in doubt is tried again within one attempt of its activity, and tells of it with its heartbeat. */
const isTrying = (heartbeat: unknown): heartbeat is { readonly trying: Omit<Trying, 'activity'> } =>
  typeof heartbeat === 'object' && heartbeat !== null && 'trying' in heartbeat;

/** A flow in one of these could not say that it has ended: when asked, it answers with its last state. */
const CUT_SHORT: Readonly<Record<string, string>> = {
  TERMINATED: 'Terminated',
  TIMED_OUT: 'TimedOut',
};

export const cutShort = ({ status }: Execution): string | null => CUT_SHORT[status] ?? null;

export const tryingWords = ({ activity, attempt, lastFailure, nextTryAt }: Trying): string =>
  [
    `${activity}: attempt ${attempt}`,
    nextTryAt === null ? 'runs now' : `next try ${nextTryAt}`,
    lastFailure && `last failure: ${lastFailure}`,
  ]
    .filter(Boolean)
    .join('; ');
