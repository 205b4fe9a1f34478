// What rounds that were played in turns say of a goal: each round's share of the round beside it without any telemetry.
import { percentile } from '../table.ts';

export interface Verdict {
  /** The median of the rounds. */
  readonly share: number;
  /** Half of the rounds are within. */
  readonly half: readonly [number, number];
  /** The true median is within, at 95 of 100 such runs. */
  readonly sure: readonly [number, number];
  readonly isMet: boolean;
  /** Whether more rounds could say otherwise. */
  readonly isSure: boolean;
}

export function verdictOn(shares: readonly number[], goal: number): Verdict {
  const sorted = shares.toSorted((one, two) => one - two);
  const share = percentile(sorted, 0.5);
  const left = leftOut(sorted.length);
  const sure = [sorted[left] ?? Number.NaN, sorted[sorted.length - 1 - left] ?? Number.NaN] as const;
  const isMet = share >= goal;
  return {
    ...{ share, sure, isMet },
    half: [percentile(sorted, 0.25), percentile(sorted, 0.75)],
    // Few rounds say nothing for sure.
    isSure: confidence(sorted.length, left) >= CONFIDENCE && (isMet ? sure[0] >= goal : sure[1] < goal),
  };
}

const CONFIDENCE = 0.95;

/** How many of the sorted values may be left out at either end, so that the rest still holds the true median. */
function leftOut(count: number): number {
  let left = 0;
  while (left + 1 < count / 2 && confidence(count, left + 1) >= CONFIDENCE) left += 1;
  return left;
}

/** Each value is below the true median as often as a coin shows heads. */
function confidence(count: number, left: number): number {
  let outside = 0;
  let ways = 1;
  for (let heads = 0; heads <= left; heads++) {
    outside += ways;
    ways = (ways * (count - heads)) / (heads + 1);
  }
  return 1 - (2 * outside) / 2 ** count;
}
