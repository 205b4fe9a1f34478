// Shared by all benchmarks: reads options, runs work concurrently, alternates the variants, and prints a table.
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import pLimit from 'p-limit';
import { table } from '../../shared/terminal/table.ts';
import { write, writeError } from '../../shared/terminal/terminal.ts';

/** Integer options of the command line, such as `--rounds 3`, with their defaults. */
export function integerOptions<const Defaults extends Readonly<Record<string, number>>>(
  defaults: Defaults,
): Readonly<Record<keyof Defaults, number>> {
  const names = Object.keys(defaults);
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  const { values } = parseArgs({ options });
  const numbers = names.map((name) => {
    const value = Number(values[name] ?? defaults[name]);
    if (Number.isInteger(value) && value >= 0) return [name, value];
    throw new Error(`--${name} ${values[name]}: expected a whole number, 0 or more`);
  });
  return Object.fromEntries(numbers);
}

/** Processes all items, `concurrency` at a time. Gives the milliseconds that each took. */
export async function runConcurrently<Item>(
  concurrency: number,
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<unknown>,
) {
  const durations: number[] = [];
  const startedAt = performance.now();
  await pLimit(concurrency).map(items, async (item, index) => {
    const begin = performance.now();
    await work(item, index);
    durations.push(performance.now() - begin);
  });
  return { perSecond: (items.length * 1_000) / (performance.now() - startedAt), durations };
}

/**
 * Alternates the kinds in each round, so that other load on the machine affects all of them. Each round begins with another
 * kind, because work that one leaves behind, such as a checkpoint, slows the next. Warm-up rounds do not count.
 */
export async function alternateRounds<Kind, Round>(
  kinds: readonly Kind[],
  { rounds, warmUps = 1 }: { readonly rounds: number; readonly warmUps?: number },
  round: (kind: Kind) => Promise<Round>,
): Promise<ReadonlyMap<Kind, readonly Round[]>> {
  const all = new Map<Kind, Round[]>(kinds.map((kind) => [kind, []]));
  for (let count = -warmUps; count < rounds; count++) {
    const first = (count + warmUps) % kinds.length;
    for (const kind of [...kinds.slice(first), ...kinds.slice(0, first)]) {
      const measured = await round(kind);
      if (count >= 0) all.get(kind)?.push(measured);
    }
    logProgress(count < 0 ? 'a warm-up is over' : `round ${count + 1} of ${rounds} is over`);
  }
  return all;
}

/** @param share from 0 to 1 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, two) => one - two);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** The median of the ratios per round: other load affects both measurements of a round. */
export const medianRatio = (ones: readonly number[], others: readonly number[]): number =>
  median(ones.map((one, round) => one / (others[round] ?? Number.NaN)));

/** NaN is blank. */
export function printTable(rows: readonly Readonly<Record<string, string | number>>[]): void {
  const names = Object.keys(rows[0] ?? {});
  const cells = rows.map((row) => names.map((name) => formatCell(row[name] ?? '')));
  write(`${table(names, cells).join('\n')}\n`);
}

function formatCell(value: string | number): string {
  if (typeof value === 'string' || Number.isInteger(value)) return String(value);
  if (Number.isNaN(value)) return '';
  if (Math.abs(value) < 10) return value.toFixed(2);
  return value.toFixed(Math.abs(value) < 100 ? 1 : 0);
}

/** Writes progress to stderr: stdout is for the results. */
export function logProgress(line: string): void {
  const seconds = Math.round(performance.now() / 1_000);
  writeError(`${seconds} s: ${line} (load ${loadavg()[0]?.toFixed(1)})\n`);
}
