/** A hundred years: Temporal keeps no longer timer, and a much longer wait would end beyond the last date of JavaScript. */
export const LONGEST_WAIT_MS = 36_500 * 86_400_000;
