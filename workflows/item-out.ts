// Keeps an item that somebody has and that no process waits for, until a person says what became of it.
import { condition, defineUpdate, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { ItemOut as Input, SettleItem } from '../contract/flows/item-out.ts';
import { throwRefused } from '../engine/temporal/updates.ts';
import { code } from '../shared/markdown/shown-as-text.ts';

const settle = defineUpdate<SettleItem, [SettleItem]>('settle');

export async function ItemOut({ key, shipmentUid, settled: before }: Input): Promise<SettleItem> {
  if (before) return before;
  let settled: SettleItem | undefined;
  setHandler(settle, (given) => (settled ??= given), { validator: (given) => throwRefused(refusal(given)) });
  setCurrentDetails(
    `**Nobody waits for the item of shipment ${code(shipmentUid)}.** Its process ${code(key)} was undone while somebody had it: \`npx lockerflow item settle\`.`,
  );
  await condition(() => settled !== undefined);
  return settled as unknown as SettleItem;
}

const known: readonly SettleItem['became'][] = ['Back', 'WrittenOff', 'Moved'];

function refusal({ became, by, why }: Partial<SettleItem> = {}) {
  const isWhole = known.some((each) => each === became) && [by, why].every((text) => text);
  return isWhole
    ? undefined
    : { code: 'InvalidRequest', message: `expected became (${known.join(' or ')}), by and why` };
}
