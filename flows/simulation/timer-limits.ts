// How many timers of a played process may come due: a process that goes around without a pause would be played without end.
import { instantText } from '../language/duration.ts';

/** A process with more of them waits for moments that are past, each time anew, and time would pass no further. */
const MAX_TIMERS_A_SECOND = 500;
/** Timers of one played process: one each minute for two months. With more, playing takes minutes without an end. */
const MAX_TIMERS = 100_000;

export class TimerLimits {
  #all = 0;
  #second = 0;
  #inSecond = 0;

  /** Time begins to pass. */
  passOn(now: number): void {
    [this.#second, this.#inSecond] = [now, 0];
  }

  /** Another one has come due. */
  problemOfNext(now: number, states: readonly string[]): string | undefined {
    if (now >= this.#second + 1_000) this.passOn(now);
    this.#inSecond += 1;
    this.#all += 1;
    const where = states.join(', ');
    if (this.#all > MAX_TIMERS)
      return (
        `more than ${MAX_TIMERS} timers have come due, now in ${where} at ${instantText(now)}; ` +
        'let less time pass, or use longer delays'
      );
    if (this.#inSecond > MAX_TIMERS_A_SECOND)
      return (
        `the process goes around without a pause in ${where}: more than ${MAX_TIMERS_A_SECOND} of its ` +
        'timers come due within a second; count a moment from now where it may be past already'
      );
    return undefined;
  }
}
