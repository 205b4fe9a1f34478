// Gives up on a flow that stands still, and says where it stands and what it waits for. It stands still when for minutes no
// event has come into its history although nothing has befallen any process or link: what is to come would have come by then.
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Progress } from './disturb.ts';
import type { Twice } from './twice.ts';

/** Longer than any wait before a next try: those grow with the time that something was away, which is some seconds. */
const STILL_MS = 180_000;
const LOOK_EVERY_MS = 5_000;
const ANSWER_WITHIN_MS = 10_000;

export class StandsStill extends Error {
  override readonly name = 'StandsStill';
}

export interface Attempt {
  /** Aborted when the flow is given up: nothing further is to be done for it. */
  readonly giveUp: AbortSignal;
  /** For the person who reads why it was given up. */
  peopleWaitFor: string;
}

export interface Watched {
  readonly client: Client;
  readonly workflowId: string;
  readonly progress: Pick<Progress, 'quietMs'>;
  /** Its shipments are the only ones there. */
  readonly pupUid: string;
  readonly people: { shipmentsAt(pupUid: string): Promise<readonly { readonly shipmentUid: string }[]> };
  readonly twice: Pick<Twice, 'acknowledged'>;
}

/** Rejects with StandsStill; the work ends by itself then. */
export async function whileItMoves<Result>(
  watched: Watched,
  work: (attempt: Attempt) => Promise<Result>,
): Promise<Result> {
  const over = new AbortController();
  const attempt: Attempt = { giveUp: over.signal, peopleWaitFor: 'its start' };
  // Otherwise a call that waits for the flow's end would wait for ever.
  const working = watched.client.withAbortSignal(over.signal, () => work(attempt));
  try {
    return await Promise.race([working, untilStill(watched, attempt)]);
  } finally {
    over.abort(new Error(`${watched.workflowId} was given up`));
  }
}

async function untilStill(watched: Watched, attempt: Attempt): Promise<never> {
  const handle = watched.client.workflow.getHandle(watched.workflowId);
  let [events, since] = [0, performance.now()];
  while (!attempt.giveUp.aborted) {
    await delay(LOOK_EVERY_MS, undefined, { signal: attempt.giveUp });
    // None where it has not begun, and where Temporal cannot be asked.
    const { historyLength } = await handle.describe().catch(() => ({ historyLength: events }));
    if (historyLength !== events) [events, since] = [historyLength, performance.now()];
    const stillMs = Math.min(performance.now() - since, watched.progress.quietMs);
    if (stillMs <= STILL_MS) continue;
    const words = await standstillOf(watched, attempt);
    throw new StandsStill(`for ${Math.round(stillMs / 1_000)} s ${words}`);
  }
  throw attempt.giveUp.reason;
}

/** All that is known of it: what people, the flow itself, Temporal, the service and the receiver say. */
async function standstillOf(watched: Watched, { peopleWaitFor }: Attempt): Promise<string> {
  const { client, workflowId, people, pupUid, twice } = watched;
  const handle = client.workflow.getHandle(workflowId);
  // Without a worker nobody answers a query.
  const late = delay(ANSWER_WITHIN_MS, 'no worker answers', { ref: false });
  const progress = await Promise.race([handle.query('progress'), late]).catch(String);
  const temporal = await handle.describe().then(
    ({ status, historyLength, raw: { pendingActivities } }) => ({
      status,
      historyLength,
      pendingActivities,
    }),
    String,
  );
  const booked = await people.shipmentsAt(pupUid);
  const uids = booked.map(({ shipmentUid }) => shipmentUid);
  const acknowledged = twice.acknowledged.filter(({ shipmentUid }) => uids.includes(shipmentUid));
  return `no event came into its history, and nothing befell; people wait for ${peopleWaitFor}; ${JSON.stringify({ progress, temporal, booked, acknowledged })}`;
}
