// The input, the update and the result of the workflow that keeps an item that nobody waits for any more: its process was undone
// while somebody had the item.
import type { Attribution } from './attribution.ts';

export interface ItemOut {
  /** That was to bring it back. */
  readonly shipmentUid: string;
  /** The key of the process that waited for it. */
  readonly key: string;
}

/** Update `settle`: a person says what became of it. */
export interface SettleItem extends Attribution {
  readonly became: ItemBecame;
  readonly why: string;
}

export const itemBecame = ['Back', 'WrittenOff'] as const;
export type ItemBecame = (typeof itemBecame)[number];
