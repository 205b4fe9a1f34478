// Opens doors for requests, with limits on their number and their time. A door that stays shut gives a refusal.
//
// A door is opened inside the transaction of the access, after everything is written and before the commit:
// - nothing is committed for a door that stayed shut: the failure rolls all of it back;
// - the chain is locked meanwhile, so a second access or a cancellation waits and finds the new state;
// - should the service die between the door and the commit, the state is as before and the code still opens: the same
//   person tries again. No change of state is lost, and none is made twice.
import { TimeLimit, TimeLimitReached } from '../../shared/limits/time-limit.ts';
import { counter } from '../../shared/telemetry/metrics.ts';
import { Refusal } from '../refusal.ts';

// ASSUMPTION: a pick up point that answers later counts as offline; its chain is locked while the service waits.
const OPENING_TIMEOUT_MS = 5_000;

export type OpenDoor = (door: Door) => Promise<void>;

export class Doors {
  readonly #hardware: LockerHardware;
  readonly #timeoutMs: number;
  readonly #waiting: (() => void)[] = [];
  #free: number;

  /** Each opening holds a database connection: too many slow openings at a time would block all other requests. */
  constructor(hardware: LockerHardware, openingsAtATime: number, timeoutMs = OPENING_TIMEOUT_MS) {
    this.#hardware = hardware;
    this.#timeoutMs = timeoutMs;
    this.#free = openingsAtATime;
  }

  /** Runs the work of one access. Its opening comes last, and throws UnlockFailed when the door stays shut. */
  async access<Result>(work: (openDoor: OpenDoor) => Promise<Result>): Promise<Result> {
    await this.#take();
    try {
      return await work((door) => this.#open(door));
    } finally {
      this.#give();
    }
  }

  async #open(door: Door): Promise<void> {
    using limit = new TimeLimit(this.#timeoutMs);
    try {
      await limit.race(this.#hardware.openDoor(door));
      countDoor('Opened');
    } catch (error) {
      countDoor('StayedShut');
      throw new Refusal(
        'UnlockFailed',
        `The locker ${door.lockerName} did not open: ${this.#reasonOf(error)}`,
        {},
        { cause: error },
      );
    }
  }

  #reasonOf(error: unknown): string {
    if (error instanceof TimeLimitReached)
      return `the pick up point did not answer within ${this.#timeoutMs} ms`;
    return error instanceof DoorFailure ? error.message : 'the hardware failed';
  }

  async #take(): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #give(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
  }
}

export interface Door {
  readonly pupUid: string;
  readonly lockerId: number;
  readonly lockerUid: string;
  readonly lockerName: string;
}

/** The doors in the database implement it; a driver of real lockers can too. */
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
