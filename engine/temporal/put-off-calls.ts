// Calls of inline actors that the run which continues this one begins: there may be no moment at which nothing runs that cannot be
// carried over, and the run would have no end. For a while only: what else the process waits for may take days.
import { CancelledFailure } from '@temporalio/workflow';
import type { Alarm, Answers, Call, Host, RunningCall } from '../host.ts';

/** An activity that does not end, or a booking that waits for a locker, may keep the run for days. */
const PATIENCE_MS = 60_000;

const PUT_OFF = { isPutOff: true } as const;

/** What a continued run is given of such a call. */
export const isPutOff = (kept: unknown): boolean =>
  (kept as Partial<typeof PUT_OFF> | undefined)?.isPutOff === true;

export class PutOffCalls {
  readonly #start: Host['call'];
  readonly #alarm: Host['alarm'];
  readonly #untilAllHasCome: () => Promise<void>;
  readonly #waiting = new Set<() => void>();
  /** Until then they wait. */
  #patience: Alarm | undefined;

  constructor(start: Host['call'], alarm: Host['alarm'], untilAllHasCome: () => Promise<void>) {
    this.#start = start;
    this.#alarm = alarm;
    this.#untilAllHasCome = untilAllHasCome;
  }

  add(made: Call, answers: Answers): RunningCall {
    let begun: RunningCall | undefined;
    let now = made;
    let isCancelled = false;
    const begin = () => {
      this.#waiting.delete(begin);
      begun = this.#start(now, answers);
    };
    this.#waiting.add(begin);
    this.#patience ??= this.#alarm(Date.now() + PATIENCE_MS, 'begins what a next run was to begin', () =>
      this.begin(),
    );
    return {
      cancel: () => {
        if (begun) return begun.cancel();
        isCancelled = true;
        this.#waiting.delete(begin);
        const failure = new CancelledFailure('it was cancelled before it began');
        void this.#untilAllHasCome().then(() => answers.failed(failure));
      },
      send: (event) => begun?.send(event),
      end: () => {
        this.#waiting.delete(begin);
        begun?.end();
      },
      changed: (changed) => {
        now = { ...now, ...changed };
        begun?.changed?.(changed);
      },
      get workflowId() {
        return begun?.workflowId;
      },
      get kept() {
        if (begun) return begun.kept;
        return isCancelled ? undefined : PUT_OFF;
      },
    };
  }

  /** Begins them in this run. */
  begin(): void {
    this.#patience?.cancel();
    this.#patience = undefined;
    for (const begin of this.#waiting) begin();
  }
}
