// The outcomes of many migrations, told together: processes in whose way the same thing stands are one group.
import type { MigrationGroup, MigrationOutcome } from '../../contract/flows/migrations.ts';

/** With one more outcome, by the first thing in its way. */
export function withOutcome(
  groups: readonly MigrationGroup[],
  { key, outcome, reasons }: MigrationOutcome,
): MigrationGroup[] {
  const { code, at, reason, remedy } = reasons[0] ?? { code: outcome, at: '', reason: '', remedy: '' };
  const isSame = (each: MigrationGroup) =>
    each.outcome === outcome && each.code === code && each.at === at && each.remedy === remedy;
  if (!groups.some(isSame)) return [...groups, { outcome, code, at, reason, remedy, count: 1, example: key }];
  return groups.map((each) => (isSame(each) ? { ...each, count: each.count + 1 } : each));
}

export const countOf = (
  groups: readonly MigrationGroup[],
  outcomes: readonly MigrationOutcome['outcome'][],
): number =>
  groups.filter(({ outcome }) => outcomes.includes(outcome)).reduce((sum, { count }) => sum + count, 0);
