// What became of items that somebody had and that no process waited for any more: a person has said it to the workflow that keeps each
// (workflows/item-out.ts), and its result has who, why and what.
import type { Client } from '@temporalio/client';
import { LRUCache } from 'lru-cache';
import { startedWith } from '../../client/started-with.ts';
import { type ItemBecame, type ItemOut, itemBecame, type SettleItem } from '../../contract/flows/item-out.ts';
import { itemOutId } from '../../shared/routing/item-out.ts';
import { isSearchable, literal } from '../../shared/routing/owners.ts';
import { eachAtOnce } from '../at-once.ts';
import { formatWho } from './format-names.ts';
import { type FoundFlow, foundPage } from './found-flows.ts';
import type { TimelineEntry } from './timeline.ts';
import { updateData } from './timeline-data.ts';

export interface SettledItem extends Pick<SettleItem, 'by' | 'onBehalfOf' | 'why'> {
  /** Of the shipment that was to bring it back. */
  readonly shipmentUid: string;
  readonly became: ItemBecame;
  readonly at: string;
  readonly runId: string;
}

interface ItemsOut {
  /** Of each that is still out, the shipment that was to bring it back. */
  readonly out: readonly string[];
  /** What somebody has said of the others. */
  readonly settled: readonly SettledItem[];
}

type Flow = Pick<FoundFlow, 'workflowId' | 'runId' | 'status' | 'closedAt'>;

/** @param shipmentUids that were to bring them back; the others are passed over */
export async function itemsOutOf(client: Client, shipmentUids: readonly string[]): Promise<ItemsOut> {
  const byId = new Map(
    shipmentUids.map((uid) => [itemOutId(uid), uid] as const).filter(([id]) => isSearchable(id)),
  );
  if (byId.size === 0) return { out: [], settled: [] };
  const ids = [...byId.keys()].map(literal);
  const { flows } = await foundPage(client, `WorkflowId IN (${ids.join(', ')})`, { size: ids.length });
  const isOut = ({ status }: FoundFlow) => status === 'Running';
  return {
    out: flows.filter(isOut).flatMap(({ workflowId }) => byId.get(workflowId) ?? []),
    settled: await settledOf(
      client,
      flows.filter((flow) => !isOut(flow)),
    ),
  };
}

/** The oldest first; without those of which no person has said anything. */
export async function settledOf(client: Client, flows: readonly Flow[]): Promise<SettledItem[]> {
  const settled: SettledItem[] = [];
  for await (const { item, outcome } of eachAtOnce(flows, (flow) => endOf(client, flow))) {
    if (!outcome.done) throw outcome.error;
    const { closedAt, runId } = item;
    const { result, shipmentUid } = outcome.value ?? {};
    const became = itemBecame.find((each) => each === result?.became);
    if (!result || !became || shipmentUid === undefined || closedAt === null) continue;
    const { by, onBehalfOf, why } = result;
    settled.push({ shipmentUid, became, by, ...(onBehalfOf && { onBehalfOf }), why, at: closedAt, runId });
  }
  return settled.sort((one, other) => one.at.localeCompare(other.at));
}

interface End {
  readonly shipmentUid: string;
  readonly result: SettleItem;
}

/** By run: it changes no more. */
const ends = new LRUCache<string, End>({ max: 1_000 });

/** Undefined: it has ended without a word of what became of the item. */
async function endOf(client: Client, { workflowId, runId, status }: Flow): Promise<End | undefined> {
  if (status !== 'Completed') return undefined;
  const known = ends.get(runId);
  if (known) return known;
  const [{ shipmentUid }, result] = await Promise.all([
    itemOutOf(client, { workflowId, runId }),
    client.workflow.getHandle(workflowId, runId).result() as Promise<SettleItem>,
  ]);
  const end = { shipmentUid, result };
  ends.set(runId, end);
  return end;
}

/** By run: what it was started with never changes. */
const inputs = new LRUCache<string, ItemOut>({ max: 1_000 });

/** The item that the workflow keeps. */
export async function itemOutOf(
  client: Client,
  { workflowId, runId }: Pick<Flow, 'workflowId' | 'runId'>,
): Promise<ItemOut> {
  const known = inputs.get(runId);
  if (known) return known;
  const input = (await startedWith(client, workflowId, runId)).input as ItemOut;
  inputs.set(runId, input);
  return input;
}

export const whoSettled = ({ by, onBehalfOf }: SettledItem): string => formatWho({ by, onBehalfOf });

/** As an entry of the timeline of the process that waited for it. */
export const entryOfSettled = (settled: SettledItem): TimelineEntry => {
  const { at, by, onBehalfOf = null, why, runId } = settled;
  return { at, data: updateData('settle', settled), by, onBehalfOf, why: why || null, runId, eventId: '0' };
};
