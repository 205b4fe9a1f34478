// The requests for a mechanic, of processes and of walls: Temporal's executions of the workflow that delivers them are the only record.
import { z } from 'zod';
import {
  MECHANIC_SUBJECT,
  type MechanicMemo,
  mechanicSubjects,
  OUTREACH_DELIVERY,
} from '../../contract/flows/outreach.ts';
import { eachAtOnce } from '../at-once.ts';
import { type AtTemporal, callTemporal } from '../at-temporal.ts';
import { deliveryOutcome } from '../views/deliveries.ts';
import { onTaskQueue, quoted } from '../views/flow-query.ts';

export const mechanicAsked = z.object({
  at: z.string(),
  by: z.string().meta({ description: 'Who has asked' }),
  onBehalfOf: z.string().nullable().meta({ description: 'The person for whom a program said that it asked' }),
  why: z.string().nullable(),
  problem: z.string().meta({ description: 'What is wrong there' }),
  pupUid: z.string(),
  lockerName: z.string().nullable().meta({ description: 'Null: the whole wall' }),
  key: z.string().nullable().meta({ description: 'Of the process that has asked; null: none has' }),
  state: z.enum(['delivered', 'trying', 'refused']),
  words: z.string().meta({ description: 'What became of it, for people' }),
  runId: z.string(),
});
export type MechanicAsked = Readonly<z.infer<typeof mechanicAsked>>;

interface Wanted {
  /** Undefined: every wall. */
  readonly pupUid?: string;
  /** Null: the wall as a whole; undefined: all of it. */
  readonly lockerName?: string | null;
  /** ISO 8601. */
  readonly since: string;
  readonly until?: string | undefined;
  readonly most: number;
}

type Parts = Pick<AtTemporal, 'client' | 'taskQueue'>;

/** The newest first. Throws CommandError (unreachable). */
export async function mechanicRequests(parts: Parts, wanted: Wanted): Promise<MechanicAsked[]> {
  const { client } = parts;
  return await callTemporal(parts, async () => {
    const found: {
      readonly id: string;
      readonly runId: string;
      readonly at: Date;
      readonly memo: MechanicMemo;
    }[] = [];
    for await (const { workflowId, runId, startTime, memo } of client.workflow.list({
      query: queryOf(parts, wanted),
    })) {
      const { mechanic } = (memo ?? {}) as { readonly mechanic?: MechanicMemo };
      if (!mechanic || !isAt(mechanic, wanted)) continue;
      found.push({ id: workflowId, runId, at: startTime, memo: mechanic });
    }
    // Temporal's order is by the end, those that run first.
    const newest = found
      .toSorted((one, other) => other.at.getTime() - one.at.getTime())
      .slice(0, wanted.most);
    const requests = new Map<string, MechanicAsked>();
    const outcomes = eachAtOnce(newest, ({ id, runId }) => deliveryOutcome(client, id, runId));
    for await (const { item, outcome } of outcomes) {
      if (!outcome.done) throw outcome.error;
      if (outcome.value)
        requests.set(item.runId, { ...requestOf(item.memo), ...outcome.value, ...momentOf(item) });
    }
    return newest.flatMap(({ runId }) => requests.get(runId) ?? []);
  });
}

const isAt = ({ lockerName }: MechanicMemo, wanted: Wanted): boolean =>
  wanted.lockerName === undefined || lockerName === wanted.lockerName;

const momentOf = ({ at, runId }: { readonly at: Date; readonly runId: string }) => ({
  at: at.toISOString(),
  runId,
});

const requestOf = ({ by, onBehalfOf, why, problem, pupUid, lockerName, key }: MechanicMemo) => ({
  by,
  onBehalfOf: onBehalfOf ?? null,
  why: why ?? null,
  problem,
  pupUid,
  lockerName,
  key,
});

function queryOf({ taskQueue }: Parts, { pupUid, since, until }: Wanted): string {
  const [subject = MECHANIC_SUBJECT] = pupUid === undefined ? [] : mechanicSubjects(pupUid).slice(-1);
  return [
    `WorkflowType = '${OUTREACH_DELIVERY}'`,
    onTaskQueue(taskQueue),
    `LockerSubjects = ${quoted(subject)}`,
    `StartTime >= '${since}'`,
    ...(until === undefined ? [] : [`StartTime < '${until}'`]),
  ].join(' AND ');
}

/** What was asked for before is no answer to what is wrong now. */
const RECENT_MS = 7 * 86_400_000;

/** The last one for a wall or a locker, whoever has asked; null: none is known. */
export async function lastMechanic(
  parts: Parts,
  pupUid: string,
  lockerName: string | null,
): Promise<MechanicAsked | null> {
  const since = new Date(Date.now() - RECENT_MS).toISOString();
  const [last = null] = await mechanicRequests(parts, { pupUid, lockerName, since, most: 1 });
  return last;
}
