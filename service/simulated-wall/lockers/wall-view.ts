// What the pages are told of a wall, and what they are answered. No code that a person typed is in it.
import type { unlockGoals } from '../../../contract/wall/wall-messages.ts';
import type { Locker } from './wall-state.ts';

export interface WallView {
  readonly pupUid: string;
  readonly name: string;
  readonly isConnected: boolean;
  /** False: somebody has pulled out its network cable. */
  readonly isPluggedIn: boolean;
  /** Whom a person at the wall calls for help; null where the file of the walls names nobody. */
  readonly helpPhone: string | null;
  readonly lockers: readonly Locker[];
}

export interface WallSummary extends Pick<WallView, 'pupUid' | 'name' | 'isConnected'> {
  readonly lockers: number;
}

export type Goal = (typeof unlockGoals)[number];

/** What becomes of a code that a person typed. */
export type TypedAnswer =
  | {
      readonly outcome: 'opened';
      readonly lockerUid: string;
      readonly lockerName: string;
      /** What the person came for. */
      readonly goal: Goal;
      /** What the person sees; the wall believes that it is open. */
      readonly door: 'open' | 'closed';
      /** The language of the person, where the service knows it. */
      readonly language: string | null;
    }
  | { readonly outcome: 'stuck'; readonly lockerName: string }
  /** No code is looked at before this time has passed. */
  | { readonly outcome: 'tooMany'; readonly waitMs: number }
  | { readonly outcome: 'wrong' | 'failed' | 'offline' | 'noAnswer' };
