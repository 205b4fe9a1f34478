// The locker hardware for the service: doors to open. The doors in the database implement it; a driver of real lockers can
// too. A person's code at the wall comes in through service/lockers/access-locker.ts.
import { counter } from '../../runtime/telemetry/metrics.ts';

export interface Door {
  readonly pupUid: string;
  readonly lockerId: number;
  readonly lockerUid: string;
  readonly lockerName: string;
}

export interface LockerHardware {
  /** Resolves when the door is open; throws DoorFailure if it did not open, or if that is unknown. */
  openDoor(door: Door): Promise<void>;
  /** Releases its resources; opens no door after that. */
  close(): Promise<void>;
}

export class DoorFailure extends Error {
  override readonly name = 'DoorFailure';
}

const doors = counter('lockerflow_doors_total', 'Doors that were to open, by outcome and meaning.');

/** @param meaning what an opening means for its shipment, where a wall told it */
export const countDoor = (
  outcome: 'Opened' | 'StayedShut',
  meaning: 'Next' | 'Stale' | 'Contradictory' | null = null,
): void => doors({ outcome, meaning: meaning ?? '' });
