// The items that cancelled shipments of closed and open processes left in lockers and that nobody has taken out since, as the
// processes know them; the locker service says which are gone.
import { z } from 'zod';
import { FlowHandle } from '../../client/flow-handle.ts';
import { roles } from '../../contract/flows/flow-input.ts';
import type { FlowResult, ItemLeft } from '../../contract/flows/flow-result.ts';
import { flowRules } from '../../contract/flows/flow-rules.ts';
import { type LockerApi, LockerApiError } from '../../shared/locker-api/index.ts';
import { eachAtOnce } from '../at-once.ts';
import { type AtTemporal, answered } from '../at-temporal.ts';
import { refusalOf } from '../outcome.ts';
import { everyFound, type FoundFlow } from './found-flows.ts';

interface LeftItem extends ItemLeft {
  /** The process that left it. */
  readonly key: string;
}

export interface ItemsLeft {
  readonly items: readonly LeftItem[];
  /** How many processes the query found. */
  readonly asked: number;
  /** How many of them did not answer. */
  readonly unasked: number;
  /** Why the locker service could not say which items are gone; null: it did. Then some may be gone. */
  readonly unchecked: string | null;
}

export const itemsLeft = z.object({
  items: z.array(
    z
      .object({
        key: z.string().meta({ description: 'The process that left it' }),
        role: z.enum(roles).nullable(),
        shipmentUid: z.string(),
        pupUid: z.string().nullable(),
        lockerName: z.string().nullable(),
      })
      .meta({ title: 'ItemLeft' }),
  ),
  asked: z.int().meta({ description: 'Processes that the search found' }),
  unasked: z.int().meta({ description: 'Those of them that did not answer' }),
  unchecked: z.string().nullable().meta({
    description: 'Why the locker service could not say which items are gone: then some may be; null: it did',
  }),
}) satisfies z.ZodType<ItemsLeft>;

export async function readItemsLeft(
  temporal: AtTemporal,
  query: string,
  service: Pick<LockerApi, 'call'>,
): Promise<ItemsLeft> {
  const items: LeftItem[] = [];
  let unasked = 0;
  let asked = 0;
  const found = everyFound(temporal.client, query);
  for await (const { item: flow, outcome } of eachAtOnce(found, (each) => leftBy(temporal, each))) {
    asked += 1;
    if (outcome.done) items.push(...outcome.value.map((item) => ({ key: flow.workflowId, ...item })));
    else unasked += 1;
  }
  const { items: left, unchecked } = await stillLeft(service, items);
  return { items: left.toSorted(byPlace), asked, unasked, unchecked };
}

const byPlace = (one: LeftItem, other: LeftItem): number =>
  placeOf(one).localeCompare(placeOf(other), 'en', { numeric: true });

/** Those of one locker by their shipments; unknown places come last. */
const placeOf = ({ pupUid, lockerName, shipmentUid }: LeftItem): string =>
  [pupUid ?? '\uffff', lockerName ?? '', shipmentUid].join(' ');

// The flows that a flow file has started have its bookings.
const booking: readonly string[] = Object.keys(flowRules);

/** From the result, which needs no worker; a flow without a result gets a query. */
async function leftBy(
  temporal: AtTemporal,
  { flow, workflowId, runId, status }: FoundFlow,
): Promise<readonly ItemLeft[]> {
  if (!booking.includes(flow) || status === 'ContinuedAsNew') return [];
  if (status === 'Completed') {
    const result: FlowResult = await temporal.client.workflow.getHandle(workflowId, runId).result();
    return result.itemsLeft;
  }
  // From this run: after a cancellation the key may have been started again.
  const run = new FlowHandle(temporal.client.workflow.getHandle(workflowId, runId));
  const { itemsLeft: left } = await answered(temporal, () => run.progress());
  return left;
}

/**
 * Without those that the service knows to be taken out. A service that cannot be asked, or does not know, leaves an item
 * in the list: a monitor must not fall silent because of it.
 */
async function stillLeft(
  service: Pick<LockerApi, 'call'>,
  items: readonly LeftItem[],
): Promise<Pick<ItemsLeft, 'items' | 'unchecked'>> {
  const left: LeftItem[] = [];
  try {
    const asked = eachAtOnce(items, ({ shipmentUid }) => isItemLeft(service, shipmentUid));
    for await (const { item, outcome } of asked) {
      if (!outcome.done) throw outcome.error;
      if (outcome.value !== false) left.push(item);
    }
    return { items: left, unchecked: null };
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    return { items, unchecked: refusal.message };
  }
}

/** Null: the service does not know. */
async function isItemLeft(api: Pick<LockerApi, 'call'>, shipmentUid: string): Promise<boolean | null> {
  try {
    return (await api.call('GetShipment', { shipmentUid })).isItemLeft;
  } catch (error) {
    if (error instanceof LockerApiError && error.code === 'InvalidShipment') return null;
    throw error;
  }
}
