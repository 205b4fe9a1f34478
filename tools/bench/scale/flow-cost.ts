// What one flow costs to its end, with its bookings, callbacks and doors.
import { Client, Connection } from '@temporalio/client';
import { inLanes } from '../in-lanes.ts';
import { ISSUE, LOAN, playIssue, playLoan, stocked } from '../whole-flows/play.ts';
import { grown, type Kept, keptIn } from './kept.ts';
import type { Surroundings } from './surroundings.ts';
import { halves, isLogged, logStatements, usedByEach, usedSoFar } from './used.ts';

const LANES = 4;
/** Postgres logs each statement of so many. */
const LOGGED = 20;

/** They give the workflow ids. */
const kinds = {
  [ISSUE]: async (around: Surroundings, count: number) => {
    const ids: string[] = [];
    await inLanes(LANES, count, async () => ids.push(await playIssue(around, PLACE)));
    return ids;
  },
  [LOAN]: async (around: Surroundings, count: number) => {
    const ids: string[] = [];
    // A device that came back is stock for the next user.
    const stock = inStock.splice(0);
    await inLanes(LANES, count, async () => {
      const { workflowId, stockUid } = await playLoan(around, stock.pop() ?? (await stocked(around, PLACE)));
      ids.push(workflowId);
      stock.push(stockUid);
    });
    inStock.push(...stock);
    return ids;
  },
} as const;
export type Kind = keyof typeof kinds;

const PLACE = 'bench-1';
const inStock: string[] = [];

export async function flowCost(
  kind: Kind,
  around: Surroundings,
  flows: number,
): Promise<Record<string, number>> {
  const play = kinds[kind];
  // The first ones pay for what is made once.
  await play(around, LANES);
  const logged = await usedWhile(around, Math.min(LOGGED, flows), play, true);
  const keptBefore = await kept(around);
  const { ids, each } = await usedWhile(around, flows, play, false);
  const keptAfter = await kept(around);
  return {
    ...(await historyOf(around, ids)),
    ...each,
    ...Object.fromEntries(halves.map((half) => [isLogged(half), logged.each[isLogged(half)] ?? Number.NaN])),
    ...keptRows("Temporal's databases", grown(keptBefore.temporal, keptAfter.temporal), flows),
    ...keptRows("the service's database", grown(keptBefore.service, keptAfter.service), flows),
  };
}

async function usedWhile(
  around: Surroundings,
  flows: number,
  play: (around: Surroundings, count: number) => Promise<string[]>,
  isEachLogged: boolean,
) {
  if (isEachLogged) await logStatements(around, true);
  const idleFrom = await usedSoFar(around);
  const idleTo = await usedSoFar(around);
  const ids = await play(around, flows);
  const each = usedByEach(idleFrom, idleTo, await usedSoFar(around), flows);
  if (isEachLogged) await logStatements(around, false);
  return { ids, each };
}

async function kept({ server, serviceUrl }: Surroundings) {
  const [temporal, visibility, service] = [
    await keptIn(server.urlOf('temporal'), true),
    await keptIn(server.urlOf('visibility'), true),
    await keptIn(serviceUrl, true),
  ];
  return { temporal: new Map([...temporal, ...visibility]), service };
}

const keptRows = (words: string, { rows, bytes }: Kept, count: number): Record<string, number> => ({
  [`${words}: rows kept`]: rows / count,
  [`${words}: bytes kept`]: bytes / count,
});

async function historyOf({ server }: Surroundings, ids: readonly string[]): Promise<Record<string, number>> {
  const connection = await Connection.connect({ address: server.address });
  const client = new Client({ connection });
  const all = await Promise.all(ids.map((id) => client.workflow.getHandle(id).describe()));
  await connection.close();
  const mean = (figures: readonly number[]) => figures.reduce((sum, each) => sum + each, 0) / figures.length;
  return {
    'events in its history': mean(all.map(({ historyLength }) => historyLength)),
    'bytes of its history': mean(all.map(({ historySize }) => historySize ?? Number.NaN)),
  };
}
