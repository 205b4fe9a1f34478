// That no fault is known of an open case, and what the desk is to do beside, in one line; it says of nothing that was not read.

import { t } from '../../../shared/texts/text.ts';
import type { ProcessOverview } from '../../process/overview/overview-view.ts';

type Said = Pick<ProcessOverview, 'wrong' | 'unread' | 'desk'>;

/** @param isTodo whether a banner says what is to be done */
export function fineWords({ wrong, unread, desk }: Said, isTodo: boolean): string {
  const task = desk.length > 0 ? t`To do: ${desk.join('; ')}.` : '';
  if (wrong.length > 0 || unread.length > 0) return task;
  if (task) return t`No fault is known. ${task}`;
  return isTodo ? t`No fault is known.` : t`No fault is known, and there is nothing to do here.`;
}
