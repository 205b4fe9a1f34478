// What the pages are told of a wall, and what they are answered. No code that a person typed is in it.
import type { DoorFault } from './wall-state.ts';

export interface LockerView {
  readonly lockerUid: string;
  readonly lockerName: string;
  readonly size: string;
  /** As a person sees it. */
  readonly door: 'open' | 'closed';
  /** As the service is told. */
  readonly contact: 'open' | 'closed';
  readonly item: boolean;
  readonly hasSensor: boolean;
  readonly fault: DoorFault;
}

export interface WallView {
  readonly pupUid: string;
  readonly name: string;
  readonly isConnected: boolean;
  /** False: somebody has pulled out its network cable. */
  readonly isPluggedIn: boolean;
  readonly lockers: readonly LockerView[];
}

export interface WallSummary extends Pick<WallView, 'pupUid' | 'name' | 'isConnected'> {
  readonly lockers: number;
}

/** What becomes of a code that a person typed. */
export type TypedAnswer =
  | {
      readonly outcome: 'opened';
      readonly lockerUid: string;
      readonly lockerName: string;
      /** What the person sees; the wall believes that it is open. */
      readonly door: 'open' | 'closed';
      /** The language of the person, where the service knows it. */
      readonly language: string | null;
    }
  | { readonly outcome: 'stuck'; readonly lockerName: string }
  | { readonly outcome: 'wrong' | 'tooMany' | 'failed' | 'offline' | 'noAnswer' };
