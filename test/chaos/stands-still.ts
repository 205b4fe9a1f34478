// Gives up on a flow that stands still, and says where it stands and what it waits for. It stands still when for minutes no
// event has come into its history although nothing has befallen any process or way: what is to come would have come by then.
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Progress as FlowProgress } from '../../contract/flows/flow-answers.ts';
import type { Progress } from './progress.ts';
import type { Twice } from './twice.ts';

export interface Patience {
  readonly stillMs: number;
  readonly lookEveryMs: number;
  /** Without a worker nobody answers a query. */
  readonly answerWithinMs: number;
}

/** Longer than any wait before a next try: those grow with the time that something was away, which is some seconds. */
const PATIENCE: Patience = { stillMs: 180_000, lookEveryMs: 5_000, answerWithinMs: 10_000 };

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
  readonly people: { shipmentsAt(pupUid: string): Promise<readonly Stands[]> };
  readonly twice: Pick<Twice, 'acknowledged'>;
}

interface Stands {
  readonly shipmentUid: string;
  readonly stateCode: string;
}

/** Rejects with StandsStill; the work ends by itself then. */
export async function whileItMoves<Result>(
  watched: Watched,
  work: (attempt: Attempt) => Promise<Result>,
  patience = PATIENCE,
): Promise<Result> {
  const over = new AbortController();
  const attempt: Attempt = { giveUp: over.signal, peopleWaitFor: 'its start' };
  // Otherwise a call that waits for the flow's end would wait for ever.
  const working = watched.client.withAbortSignal(over.signal, () => work(attempt));
  try {
    return await Promise.race([working, untilStill(watched, attempt, patience)]);
  } finally {
    over.abort(new Error(`${watched.workflowId} was given up`));
  }
}

async function untilStill(watched: Watched, attempt: Attempt, patience: Patience): Promise<never> {
  const handle = watched.client.workflow.getHandle(watched.workflowId);
  let [events, since] = [0, performance.now()];
  for (;;) {
    await delay(patience.lookEveryMs, undefined, { signal: attempt.giveUp });
    // None where it has not begun, and where Temporal cannot be asked.
    const { historyLength } = await handle.describe().catch(() => ({ historyLength: events }));
    if (historyLength !== events) [events, since] = [historyLength, performance.now()];
    const stillMs = Math.min(performance.now() - since, watched.progress.quietMs);
    if (stillMs <= patience.stillMs) continue;
    const words = await standstillOf(watched, attempt, patience);
    throw new StandsStill(`for ${Math.round(stillMs / 1_000)} s ${words}`);
  }
}

async function standstillOf(watched: Watched, attempt: Attempt, patience: Patience): Promise<string> {
  const { people, pupUid, twice } = watched;
  const booked = await people.shipmentsAt(pupUid);
  const uids = new Set(booked.map(({ shipmentUid }) => shipmentUid));
  const told = twice.acknowledged.filter(({ shipmentUid }) => uids.has(shipmentUid));
  return [
    'no event came into its history, and nothing befell',
    `people wait for ${attempt.peopleWaitFor}`,
    await inItsOwnWords(watched, patience),
    await triedForIt(watched),
    `the service has ${listed(booked)}`,
    `the receiver has acknowledged ${listed(told)}`,
  ].join('; ');
}

const listed = (all: readonly Stands[]): string =>
  all.map(({ shipmentUid, stateCode }) => `${shipmentUid} ${stateCode}`).join(', ') || 'nothing';

async function inItsOwnWords({ client, workflowId }: Watched, { answerWithinMs }: Patience): Promise<string> {
  const asked = client.workflow.getHandle(workflowId).query<FlowProgress>('progress');
  const late = delay(answerWithinMs, undefined, { ref: false }).then(() => {
    throw new Error('no worker answers');
  });
  try {
    const { phase, activity, awaits, shipments } = await Promise.race([asked, late]);
    const legs = Object.entries(shipments).map(
      ([role, leg]) => `${role} ${leg.shipmentUid} ${leg.stateCode}`,
    );
    return `it is ${phase}, ${activity}, with ${legs.join(', ') || 'no shipment'}, and awaits: ${awaits.map(({ words }) => words).join(', ') || 'nothing'}`;
  } catch (error) {
    return `its progress cannot be asked (${error})`;
  }
}

/** What Temporal has under way for it. */
async function triedForIt({ client, workflowId }: Watched): Promise<string> {
  try {
    const { status, historyLength, raw } = await client.workflow.getHandle(workflowId).describe();
    const tried = (raw.pendingActivities ?? []).map(
      ({ activityType, attempt, lastFailure }) =>
        `${activityType?.name}, attempt ${attempt}: ${lastFailure?.message ?? 'no failure yet'}`,
    );
    return `to Temporal it is ${status.name} with ${historyLength} events, and has under way: ${tried.join(', ') || 'nothing'}`;
  } catch (error) {
    return `Temporal has no word of it (${error})`;
  }
}
