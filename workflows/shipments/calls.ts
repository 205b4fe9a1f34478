// The activities of a shipment flow: time-outs and retries, and the words for the timeline.
import { ActivityCancellationType } from '@temporalio/workflow';
import type {
  Booked,
  BookInput,
  ChangeReceiverInput,
  FlowActivities,
  ParkInput,
  UndoInput,
  Undone,
} from '../../activities/flow-activities.ts';
import { type ActivityCall, type ActivityLogic, activityLogic } from '../../driver/actors/activity-call.ts';

type ActivityName = keyof FlowActivities;

const answersAfterCancellation = {
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
} as const;

const bookCall: ActivityCall<BookInput> = {
  activity: 'book' satisfies ActivityName,
  // No time for all attempts together: a wait for a locker ends by itself, and must not cut off one that is in doubt.
  options: () => ({
    // An attempt goes on until its outcome is known; the heartbeat tells a worker that died, within half a minute.
    startToCloseTimeout: '1 day',
    heartbeatTimeout: '30 s',
    retry: {
      initialInterval: '1 s',
      maximumInterval: '1 minute',
      // Never repeated by the server: what such an attempt has done is not known.
      nonRetryableErrorTypes: ['TemporalTimeout:StartToClose', 'TemporalTimeout:Heartbeat'],
    },
    ...answersAfterCancellation,
  }),
  summary: ({ operation, unknownSince }) =>
    unknownSince ? `find out whether ${operation} has booked` : `book with ${operation}`,
  heedsCancellation: true,
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
  heedsCancellation: false,
};

const changeReceiverCall: ActivityCall<ChangeReceiverInput> = {
  activity: 'changeReceiver' satisfies ActivityName,
  options: () => ({
    startToCloseTimeout: '30 s',
    // The person who asked waits for the answer, and so does undoing the flow.
    scheduleToCloseTimeout: '2 minutes',
    retry: { initialInterval: '1 s', maximumInterval: '10 s' },
    ...answersAfterCancellation,
  }),
  summary: ({ toUserUid }) => (toUserUid === null ? 'remove the receiver' : 'set the receiver'),
  heedsCancellation: true,
};

export const parkCall: ActivityCall<ParkInput> = {
  activity: 'parkReports' satisfies ActivityName,
  options: () => ({ startToCloseTimeout: '30 s', retry: { maximumInterval: '1 minute' } }),
  summary: ({ reports }) =>
    `park ${reports.length} ${reports.length === 1 ? 'report' : 'reports'} of other shipments`,
  heedsCancellation: false,
};

export const book: ActivityLogic<Booked, BookInput> = activityLogic(bookCall);
export const undo: ActivityLogic<Undone, UndoInput> = activityLogic(undoCall);
export const changeReceiver: ActivityLogic<void, ChangeReceiverInput> = activityLogic(changeReceiverCall);
