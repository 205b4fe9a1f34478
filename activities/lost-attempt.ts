// Whether the attempt before this one may have had its effect: it died with its worker and could not say what it did.
import { ApplicationFailure, activityInfo, heartbeat } from '@temporalio/activity';

interface Heartbeat {
  readonly nothingDoneIn: number;
  /** One before it may have had its effect. */
  readonly isDoubtful?: boolean;
}

/** Records in the heartbeat, for the next attempt, that this one had no effect. */
export function recordNoEffect(): void {
  const isDoubtful = isAfterDoubtfulAttempt();
  heartbeat({
    nothingDoneIn: activityInfo().attempt,
    ...(isDoubtful && { isDoubtful }),
  } satisfies Heartbeat);
}

/** Any attempt before this one may have had its effect. */
export function isAfterDoubtfulAttempt(): boolean {
  const { heartbeatDetails } = activityInfo();
  return isAfterLostAttempt() || (heartbeatDetails as Heartbeat | undefined)?.isDoubtful === true;
}

/** An attempt that may have had its effect, or one before it, where there may be no further one. It is tried again. */
export const doubtful = (message: string): ApplicationFailure =>
  ApplicationFailure.retryable(
    `it is not known whether it was carried out: after ${activityInfo().attempt} attempts, ${message}`,
    'OutcomeUnknown',
  );

/** An attempt before this one has not said that it had no effect. */
export function isAfterLostAttempt(): boolean {
  const { attempt, heartbeatDetails } = activityInfo();
  const heartbeatBefore = heartbeatDetails as Heartbeat | undefined;
  return attempt > 1 && heartbeatBefore?.nothingDoneIn !== attempt - 1;
}
