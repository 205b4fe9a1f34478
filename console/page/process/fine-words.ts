// Whether a fault is known of an open case, and what the desk is to do, in one line; it says of nothing that was not read.
import type { Headline } from '../../process/glance/glance-view.ts';

type Said = Pick<Headline, 'hasFault' | 'unread' | 'desk'>;

/** @param isTodo whether a banner says what is to be done */
export function fineWords({ hasFault, unread, desk }: Said, isTodo: boolean): string {
  const task = desk.length > 0 ? `To do: ${desk.join('; ')}.` : '';
  if (hasFault || unread.length > 0) return task;
  if (task) return `No fault is known. ${task}`;
  return isTodo ? 'No fault is known.' : 'No fault is known, and there is nothing to do here.';
}
