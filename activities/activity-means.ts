// What the activities of one worker work with.
import type { Peer } from '../contract/index.ts';
import type { LockerApi } from '../shared/locker-api/index.ts';
import type { Pace } from './booking/unknown-outcome.ts';
import type { Connectors } from './connectors/connectors.ts';

export interface ActivityMeans {
  readonly api: LockerApi;
  readonly peer: Peer;
  /** Whether a flow puts its own references on a booking where the caller gave none. */
  readonly setsReferences: boolean;
  /** ISO 8601: how long a report that is not a flow's is kept. */
  readonly parkFor: string;
  /** Between two attempts for a booking that waits for a free locker. */
  readonly lockerRetryMs: number;
  readonly pace: Pace;
  /** What flow files may call; nothing if not given. */
  readonly connectors?: Connectors;
  /** For how long the activity asks for optional evidence of a booking. */
  readonly probingMs?: number;
}
