// What the pages are told of a wall, and what they are answered. No code that a person typed is in it.
import type { Locker } from './wall-state.ts';

export interface WallView {
  readonly pupUid: string;
  readonly name: string;
  readonly isConnected: boolean;
  /** False: somebody has pulled out its network cable. */
  readonly isPluggedIn: boolean;
  readonly lockers: readonly Locker[];
}

export interface WallSummary extends Pick<WallView, 'pupUid' | 'name' | 'isConnected'> {
  readonly lockers: number;
}
