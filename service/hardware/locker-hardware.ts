// The locker hardware as the service sees it: doors to open. The simulated wall is one kind of it; a driver of real
// lockers is another. What a person does at the wall comes in through service/lockers/access-locker.ts.

export interface Door {
  readonly pupUid: string;
  readonly lockerId: number;
  readonly lockerUid: string;
  readonly lockerName: string;
}

export interface LockerHardware {
  /** Settles when the door has sprung open; throws DoorFailure when it did not, or when nobody can tell. */
  openDoor(door: Door): Promise<void>;
  /** Gives back what it holds; no door is opened after that. */
  close(): Promise<void>;
}

export class DoorFailure extends Error {
  override readonly name = 'DoorFailure';
}
