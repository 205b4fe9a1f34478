// Whether the attempt before this one may have had its effect: it died with its worker and could not say what it did.
import { activityInfo, heartbeat } from '@temporalio/activity';

interface Heartbeat {
  readonly nothingDoneIn: number;
}

/** For the next attempt: this one has had no effect. */
export function tellNothingDone(): void {
  heartbeat({ nothingDoneIn: activityInfo().attempt } satisfies Heartbeat);
}

/** An attempt before this one has not said that it had no effect. */
export function isAfterLostAttempt(): boolean {
  const { attempt, heartbeatDetails } = activityInfo();
  const heartbeatBefore = heartbeatDetails as Heartbeat | undefined;
  return attempt > 1 && heartbeatBefore?.nothingDoneIn !== attempt - 1;
}
