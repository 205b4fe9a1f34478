// The activities of a booking (`src: book`): time-outs, retries, and texts for the timeline.
import { ActivityCancellationType } from '@temporalio/workflow';
import type { FlowActivities, KeepInput } from '../activities/flow-activities.ts';
import { type ActivityCall, activityLogic } from '../engine/actor-kinds.ts';
import type { BookInput, ChangeReceiverInput, UndoInput } from '../flows/booking/activities.ts';
import type { BookingCalls } from '../flows/booking/booking-actor.ts';

type ActivityName = keyof FlowActivities;

const answersAfterCancellation = {
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
} as const;

export const bookCall: ActivityCall<BookInput> = {
  activity: 'book' satisfies ActivityName,
  // No limit for all attempts together: a wait for a locker ends by itself, and must not cut a booking in doubt.
  options: () => ({
    // An attempt continues until its outcome is known; a missing heartbeat shows within half a minute that the worker
    // died.
    startToCloseTimeout: '1 day',
    heartbeatTimeout: '30 s',
    retry: {
      initialInterval: '1 s',
      maximumInterval: '1 minute',
      // Never repeated by the server: the outcome of such an attempt is unknown.
      nonRetryableErrorTypes: ['TemporalTimeout:StartToClose', 'TemporalTimeout:Heartbeat'],
    },
    ...answersAfterCancellation,
  }),
  summary: ({ operation, unknownSince }) =>
    unknownSince ? `find out whether ${operation} has booked` : `book with ${operation}`,
  isCancellable: true,
};

const undoCall: ActivityCall<UndoInput> = {
  activity: 'undo' satisfies ActivityName,
  options: () => ({
    // It tries for 30 s by itself.
    startToCloseTimeout: '2 minutes',
    retry: { initialInterval: '2 s', maximumInterval: '5 minutes' },
    ...answersAfterCancellation,
  }),
  summary: ({ shipments }) => `undo ${shipments.length} ${shipments.length === 1 ? 'shipment' : 'shipments'}`,
  isCancellable: false,
};

const changeReceiverCall: ActivityCall<ChangeReceiverInput> = {
  activity: 'changeReceiver' satisfies ActivityName,
  options: () => ({
    startToCloseTimeout: '30 s',
    // The person waits for the answer, and so does the undoing of the flow.
    scheduleToCloseTimeout: '2 minutes',
    retry: { initialInterval: '1 s', maximumInterval: '10 s' },
    ...answersAfterCancellation,
  }),
  summary: ({ toUserUid }) => (toUserUid === null ? 'remove the receiver' : 'set the receiver'),
  isCancellable: true,
};

export const keepCall: ActivityCall<readonly unknown[]> = {
  activity: 'keepReports' satisfies ActivityName,
  options: () => ({ startToCloseTimeout: '30 s', retry: { maximumInterval: '1 minute' } }),
  argument: (reports): KeepInput => ({ reports: reports as KeepInput['reports'] }),
  summary: (reports) =>
    `keep ${reports.length} ${reports.length === 1 ? 'report' : 'reports'} of other shipments`,
  isCancellable: false,
};

export const bookingCalls: BookingCalls = {
  book: activityLogic(bookCall),
  undo: activityLogic(undoCall),
  changeReceiver: activityLogic(changeReceiverCall),
};
