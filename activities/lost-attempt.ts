// Whether the attempt before this one may have had its effect: it died with its worker and could not say what it did.
import { activityInfo, heartbeat } from '@temporalio/activity';

interface Told {
  readonly nothingDoneIn: number;
}

/** For the next attempt: this one has had no effect. */
export function tellNothingDone(): void {
  heartbeat({ nothingDoneIn: activityInfo().attempt } satisfies Told);
}

/** An attempt before this one has not said that it had no effect. */
export function isAfterLostAttempt(): boolean {
  const { attempt, heartbeatDetails } = activityInfo();
  const told = heartbeatDetails as Told | undefined;
  return attempt > 1 && told?.nothingDoneIn !== attempt - 1;
}
