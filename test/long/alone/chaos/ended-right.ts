// Whether everything is as it should be when all is quiet again. Each answers with what is wrong, in words.
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { sql } from 'kysely';
import type { Progress } from '../../../../contract/flows/flow-answers.ts';
import type { Role } from '../../../../contract/flows/flow-input.ts';
import { UNMATCHED_CALLBACK } from '../../../../contract/flows/flow-types.ts';
import type { Unmatched } from '../../../../contract/flows/unmatched-callback.ts';
import { isActive } from '../../../../contract/machines/chart.ts';
import { instantOf } from '../../../../contract/machines/state-start.ts';
import { unmatchedId } from '../../../../shared/routing/keep-unmatched.ts';
import { OwnerSearch } from '../../../../shared/routing/owner-search.ts';
import { wrongInDatabase } from '../../../support/chains/stored-invariants.ts';
import { untilDone } from './patience.ts';
import type { PlayedFlow } from './played-flow.ts';
import type { Acknowledged } from './twice.ts';
import type { World } from './world.ts';

/** The flow's own words against the database: the right end, and nothing booked twice. */
export function wrongEnd({ planned, ended, legs, made, lockersToBeEmptied }: PlayedFlow): string[] {
  const { story, cancelledAfter } = planned;
  const states = Object.fromEntries([...legs].map(([role, { stateCode }]) => [role, stateCode]));
  const told = `${story.title} ended as ${JSON.stringify(ended)} with ${JSON.stringify(states)}`;
  const most = Object.values(story.legs).filter((link) => link !== 'prior').length;
  if (made > most) return [`${told} and booked ${made} shipments`];
  if (cancelledAfter !== null) {
    const active = [...legs.values()].some(({ stateCode }) => isActive(stateCode));
    // What is kept booked is done by being cancelled.
    const isRight = ended === 'Cancelled' || ('outcome' in ended && ended.outcome === 'Done');
    return isRight && !active ? [] : [`cancelled, ${told}`];
  }
  if (ended === 'Cancelled' || 'failed' in ended) return [told];
  const isTrue = [...legs].every(([role, leg]) => {
    const { shipmentUid, stateCode } = ended.shipments[role] ?? {};
    return shipmentUid === leg.shipmentUid && stateCode === leg.stateCode && stateCode === story.ends[role];
  });
  const left = ended.itemsLeft.map(({ role }) => role);
  const expectedLeft = [...legs]
    .filter(
      ([, { stateCode, lockerName }]) => stateCode === 'Cancelled' && lockersToBeEmptied.includes(lockerName),
    )
    .map(([role]) => role);
  const isDone = ended.outcome === 'Done' && ended.overdue.length + ended.unassigned.length === 0;
  const isWhole = made === most && legs.size === Object.keys(story.legs).length;
  return isTrue && isDone && isWhole && sameRoles(left, expectedLeft) ? [] : [told];
}

const sameRoles = (some: readonly (Role | null)[], others: readonly Role[]) =>
  [...some].sort().join() === [...others].sort().join();

/** What is stored, and that every locker is free again. */
export async function wrongInStore({ database }: World): Promise<string[]> {
  const { rows } = await sql<{ wrong: string }>`
    select 'locker ' || locker_uid || ' is held' as wrong from lockers where chain_id is not null
    union all select 'locker ' || locker_uid || ' is to be emptied' from lockers where to_be_emptied
    union all select 'event ' || event_id || ' is pending' from shipment_events where is_pending
    union all select 'shipment ' || shipment_id || ' is in the queue' from callback_queue
  `.execute(database);
  return [...rows.map(({ wrong }) => wrong), ...(await wrongInDatabase(database))];
}

async function followed(client: Client, { workflowId }: PlayedFlow) {
  const handle = client.workflow.getHandle(workflowId);
  const { startTime, closeTime } = await handle.describe();
  const progress = await untilDone(() => handle.query<Progress>('progress'));
  return {
    progress,
    startedAt: startTime.getTime(),
    closedAt: closeTime?.getTime() ?? Number.POSITIVE_INFINITY,
  };
}

/** Every callback that the receiver acknowledged while the flow was open is in the flow's report history, once, and agrees. */
export async function wrongInReportHistories(
  { client, twice }: World,
  played: readonly PlayedFlow[],
): Promise<string[]> {
  const wrong: string[] = [];
  for (const flow of played) {
    const { progress, startedAt, closedAt } = await followed(client, flow);
    const keys = progress.reportHistory.map(keyOf);
    const title = `the report history of ${flow.workflowId} (${flow.planned.story.title})`;
    if (new Set(keys).size !== keys.length) wrong.push(`${title} has entries twice: ${keys.join(', ')}`);
    for (const { judgement, ...entry } of progress.reportHistory)
      if (judgement === 'contradictory' || judgement === 'unknown')
        wrong.push(`${title} has ${keyOf(entry)} as ${judgement}`);
    const uids = new Set([...flow.legs.values()].map(({ shipmentUid }) => shipmentUid));
    const own = twice.acknowledged.filter(({ shipmentUid }) => uids.has(shipmentUid));
    for (const callback of own)
      if (callback.at > startedAt && callback.at < closedAt && !keys.includes(keyOf(callback)))
        if (!(await wasUnmatched(client, callback)))
          // One that came before the flow knew its shipments was kept, and may have been of no use to it any more.
          wrong.push(`${title} lacks ${keyOf(callback)}`);
  }
  return wrong;
}

async function wasUnmatched(client: Client, callback: Acknowledged): Promise<boolean> {
  const handle = client.workflow.getHandle(unmatchedId(callback.shipmentUid));
  return await untilDone(async () => {
    try {
      const { kept, settled } = await handle.query<Unmatched>('unmatched');
      return [...kept, ...settled].some(
        ({ callback: one }) => 'shipmentUid' in one && keyOf(one) === keyOf(callback),
      );
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  });
}

type ReportId = Pick<Acknowledged, 'shipmentUid' | 'stateCode' | 'stateStart'>;

const keyOf = ({ shipmentUid, stateCode, stateStart }: ReportId) =>
  `${shipmentUid} ${stateCode} ${instantOf(stateStart)}`;

/** Its tries are up to an hour apart: what the next one will come to is asked instead of waited for. */
async function goesAtItsNextTry(client: Client, workflowId: string): Promise<boolean> {
  const search = new OwnerSearch(client, 50);
  const { kept } = await client.workflow.getHandle(workflowId).query<Unmatched>('unmatched');
  const routed = await Promise.all(
    kept.map(
      async ({ callback: one }) => 'shipmentUid' in one && (await search.deliver(one)).to !== 'noFlow',
    ),
  );
  return routed.every((isRouted) => isRouted);
}

/** What no flow has followed is kept, and nothing else is. */
export async function wrongInUnmatched(
  { client, twice }: World,
  played: readonly PlayedFlow[],
): Promise<string[]> {
  const followedUids = new Set(
    played.flatMap(({ legs }) => [...legs.values()].map(({ shipmentUid }) => shipmentUid)),
  );
  const unmatched = new Set<string>();
  const query = `WorkflowType = '${UNMATCHED_CALLBACK}' AND ExecutionStatus = 'Running'`;
  for await (const { workflowId } of client.workflow.list({ query })) unmatched.add(workflowId);
  const wrong: string[] = [];
  for (const id of unmatched)
    if (followedUids.has(id.replace('unmatched:', '')) && !(await goesAtItsNextTry(client, id)))
      wrong.push(`${id} stays unmatched, and a flow has followed it`);
  for (const { shipmentUid } of twice.acknowledged)
    if (!followedUids.has(shipmentUid) && !unmatched.has(unmatchedId(shipmentUid)))
      wrong.push(`${shipmentUid} was acknowledged, and is nowhere`);
  return [...new Set(wrong)];
}
