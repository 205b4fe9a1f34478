// Opens doors for requests, with limits on their number and their time. A door that stays shut gives a refusal.
//
// A door is opened inside the transaction of the access, after everything is written and before the commit:
// - nothing is committed for a door that stayed shut: the failure rolls all of it back;
// - the chain is locked meanwhile, so a second access or a cancellation waits and finds the new state;
// - should the service die between the door and the commit, the state is as before and the code still opens: the same
//   person tries again. No change of state is lost, and none is made twice.
import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '../refusal.ts';
import { countDoor, type Door, DoorFailure, type LockerHardware } from './locker-hardware.ts';

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
    const timer = new AbortController();
    try {
      await Promise.race([this.#hardware.openDoor(door), timeout(this.#timeoutMs, timer.signal)]);
      countDoor('Opened');
    } catch (error) {
      countDoor('StayedShut');
      const reason = error instanceof DoorFailure ? error.message : 'the hardware failed';
      throw new Refusal(
        'UnlockFailed',
        `The locker ${door.lockerName} did not open: ${reason}`,
        {},
        { cause: error },
      );
    } finally {
      timer.abort();
    }
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

async function timeout(milliseconds: number, signal: AbortSignal): Promise<never> {
  await delay(milliseconds, undefined, { signal });
  throw new DoorFailure(`the pick up point did not answer within ${milliseconds} ms`);
}
