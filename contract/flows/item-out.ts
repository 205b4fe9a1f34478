// The input, the update and the result of the workflow that keeps an item that nobody waits for any more: its process was undone
// while somebody had the item.
import type { Attribution } from './attribution.ts';

export interface ItemOut {
  /** That was to bring it back. */
  readonly shipmentUid: string;
  /** The key of the process that waited for it. */
  readonly key: string;
  /** Another process waits for it from before the first was undone: no person is asked. */
  readonly settled?: SettleItem;
}

/** Update `settle`: a person says what became of it. */
export interface SettleItem extends Attribution {
  readonly became: ItemBecame | typeof AWAITED_ELSEWHERE;
  readonly why: string;
}

/** What a person may say. */
export const itemBecame = ['Back', 'WrittenOff'] as const;
export type ItemBecame = (typeof itemBecame)[number];

/** Its process was moved: the one that has the new locker waits for it. */
export const AWAITED_ELSEWHERE = 'Moved';
