// What Temporal tries for a process now, or will try again: the process itself does not know it.
import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import { z } from 'zod';
import { refusedCall, refusedCallIn } from '../../contract/wire/refused-call.ts';
import { isoTime } from './found-flows.ts';
import { decodeFailure, decoderOf } from './history.ts';
import { failureText } from './history-event.ts';

export const trying = z.object({
  activity: z.string(),
  attempt: z.int(),
  lastFailure: z.string().nullable(),
  notOffered: refusedCall.notOffered,
  nextTryAt: z.string().nullable().meta({ description: 'Null: it runs now' }),
});
export type PendingActivity = Readonly<z.infer<typeof trying>>;

export async function tryingOf(
  client: Client,
  { raw }: Pick<WorkflowExecutionDescription, 'raw'>,
): Promise<PendingActivity[]> {
  const decode = decoderOf(client);
  const all = (raw.pendingActivities ?? []).map(async (pending): Promise<PendingActivity> => {
    const { activityType, attempt, lastFailure, nextAttemptScheduleTime } = pending;
    await decodeFailure(lastFailure, decode);
    const activity = activityType?.name ?? 'an activity';
    const heartbeat = await decode(pending.heartbeatDetails?.payloads?.[0]);
    if (isTrying(heartbeat)) return { activity, ...heartbeat.trying };
    const { type, details } = lastFailure?.applicationFailureInfo ?? {};
    const { notOffered } = refusedCallIn(type, await decode(details?.payloads?.[0]));
    return {
      activity,
      attempt: attempt ?? 1,
      lastFailure: lastFailure ? failureText(lastFailure) : null,
      ...(notOffered !== undefined && { notOffered }),
      nextTryAt: isoTime(nextAttemptScheduleTime),
    };
  });
  return await Promise.all(all);
}

/** A booking in doubt is tried again within one attempt of its activity, and tells of it with its heartbeat. */
const isTrying = (heartbeat: unknown): heartbeat is { readonly trying: Omit<PendingActivity, 'activity'> } =>
  typeof heartbeat === 'object' && heartbeat !== null && 'trying' in heartbeat;

export const formatAttempt = ({ activity, attempt, lastFailure, nextTryAt }: PendingActivity): string =>
  [
    `${activity}: attempt ${attempt}`,
    nextTryAt === null ? 'runs now' : `next try ${nextTryAt}`,
    lastFailure && `last failure: ${lastFailure}`,
  ]
    .filter(Boolean)
    .join('; ');
