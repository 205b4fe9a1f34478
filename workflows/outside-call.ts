// How long one attempt of a call to the outside may take, and how soon it is seen that its worker has died.
import { ActivityCancellationType } from '@temporalio/workflow';

export const outsideCall = {
  startToCloseTimeout: '2 minutes',
  // The worker beats three times in it. Much shorter, a busy worker would be taken for a dead one.
  heartbeatTimeout: '20 s',
  // An effect that is under way is not cut off: its outcome would be unknown, or the next run would send it beside it.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
} as const;
