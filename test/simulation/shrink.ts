// Makes a failing run small: leaves out faults as long as the same invariant breaks, first halves of them, then single ones. What
// is left is what it takes, and its trace is short enough to be read.
import type { Happened } from './world/faults.ts';
import type { Outcome, RunOptions } from './world/simulation.ts';

export type Run = (options: RunOptions) => Outcome;

export const invariantOf = ({ violation }: Outcome): string | null =>
  violation && 'invariant' in violation ? String(violation.invariant) : (violation?.name ?? null);

/** @param most how many runs it may take */
export function shrunk(run: Run, failed: Outcome, most = 400): Outcome {
  const wanted = invariantOf(failed);
  let best = failed;
  let runs = 0;
  const tried = (names: readonly string[]): boolean => {
    if (runs >= most) return false;
    runs += 1;
    const outcome = run({ onlyFaults: new Set(names), keepsTrace: true });
    const isSame = invariantOf(outcome) === wanted;
    if (isSame && outcome.faults.length <= best.faults.length) best = outcome;
    return isSame;
  };
  let names = namesOf(best.faults);
  if (tried([])) return best;
  for (
    let size = Math.ceil(names.length / 2);
    size >= 1 && runs < most;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  )
    for (let from = 0; from < names.length; ) {
      const without = [...names.slice(0, from), ...names.slice(from + size)];
      if (tried(without)) names = without;
      else from += size;
    }
  return best;
}

const namesOf = (faults: readonly Happened[]): string[] => faults.map(({ name }) => name);
