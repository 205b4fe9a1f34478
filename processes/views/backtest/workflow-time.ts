import type { HistoryEvent } from '../history-event.ts';

type Timestamp = Pick<NonNullable<HistoryEvent['eventTime']>, 'seconds' | 'nanos'>;

/** Whole milliseconds, as a process reads its clock. */
export const workflowTime = (time: Timestamp | null | undefined): number =>
  Number(time?.seconds ?? 0) * 1_000 + Math.floor((time?.nanos ?? 0) / 1e6);
