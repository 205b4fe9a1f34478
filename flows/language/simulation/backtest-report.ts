// The backtest of many processes, put together: how many decide what, those that decide otherwise by what they do, and what all
// of them did and would have done.
import { ownOf } from '../../../engine/chart/messages.ts';
import {
  type Backtested,
  type Divergence,
  type Measured,
  type StepShown,
  summed,
  type Verdict,
} from './backtest.ts';

interface BacktestReport {
  readonly flow: string;
  readonly processes: number;
  readonly verdicts: Readonly<Record<Verdict, number>>;
  /** Those that differ in the same way are one group; the largest first. */
  readonly divergences: readonly Group<Divergence>[];
  readonly untold: readonly Group<string>[];
  readonly before: Totals;
  readonly after: Totals;
}

export interface Group<What> {
  /** That of the first one. */
  readonly what: What;
  readonly count: number;
  readonly keys: readonly string[];
}

export interface Totals {
  readonly ends: Readonly<Record<Measured['end'], number>>;
  /** Milliseconds from start to end of those that ended; null if none did. */
  readonly medianMs: number | null;
  readonly questions: number;
  readonly calls: Readonly<Record<string, number>>;
  readonly emits: Readonly<Record<string, number>>;
}

export function backtestReport(flow: string, all: readonly Backtested[]): BacktestReport {
  const of = (verdict: Verdict) => all.filter((each) => each.verdict === verdict);
  return {
    flow,
    processes: all.length,
    verdicts: {
      same: of('same').length,
      sameAtAnotherTime: of('sameAtAnotherTime').length,
      decidesOtherwise: of('decidesOtherwise').length,
      cannotTell: of('cannotTell').length,
    },
    divergences: groups(all, ({ divergence }) => divergence, formatDivergence),
    untold: groups(
      all,
      ({ why }) => why,
      (why) => why,
    ),
    before: totals(all.map(({ before }) => before)),
    after: totals(all.map(({ after }) => after)),
  };
}

function groups<What>(
  all: readonly Backtested[],
  whatOf: (one: Backtested) => What | undefined,
  wordsOf: (what: What) => string,
): Group<What>[] {
  const found = new Map<string, { what: What; count: number; keys: string[] }>();
  for (const one of all) {
    const what = whatOf(one);
    if (what === undefined) continue;
    const group = found.get(wordsOf(what)) ?? { what, count: 0, keys: [] };
    group.count += 1;
    group.keys.push(one.key);
    found.set(wordsOf(what), group);
  }
  return [...found.values()].sort((one, other) => other.count - one.count);
}

function totals(all: readonly Measured[]): Totals {
  const ends = { done: 0, failed: 0, cancelled: 0, open: 0, unknown: 0 };
  for (const { end } of all) ends[end] += 1;
  const took = all.flatMap(({ tookMs }) => tookMs ?? []).sort((one, other) => one - other);
  return {
    ends,
    medianMs: took[Math.floor((took.length - 1) / 2)] ?? null,
    questions: all.reduce((sum, { questions }) => sum + questions, 0),
    calls: summed(all.flatMap(({ calls }) => Object.entries(calls))),
    emits: summed(all.flatMap(({ emits }) => Object.entries(emits))),
  };
}

/** Without keys and times, so that the same difference has the same words. */
function formatDivergence({ from, before, now }: Divergence): string {
  const place = from.length > 0 ? `in ${from.join(', ')}` : 'at the start';
  return `${place}: before, ${formatStep(before)}; now, ${formatStep(now)}`;
}

function formatStep(step: StepShown | null): string {
  if (!step) return 'nothing more';
  const { event, to, starts, emits, halted, ended } = step;
  const effects = [
    ...(ended === undefined ? [`-> ${to.join(', ')}`] : [`it is ${ended}`]),
    ...(halted === undefined ? [] : [`halts (${halted})`]),
    ...starts.map((id) => `starts ${id}`),
    ...emits.map((type) => `emits ${type}`),
  ];
  return ended === undefined ? `${event} ${effects.join(', ')}` : effects.join(', ');
}

const names: Readonly<Record<Verdict, string>> = {
  same: 'same',
  sameAtAnotherTime: 'same, at another time',
  decidesOtherwise: 'decides otherwise',
  cannotTell: 'cannot tell',
};

/** Each row: what is counted, before, now. */
function rowsOfTotals({ before, after }: BacktestReport): (readonly [string, string, string])[] {
  const counts = (name: 'calls' | 'emits', word: string) =>
    [...new Set([...Object.keys(before[name]), ...Object.keys(after[name])])]
      .sort()
      .map(
        (key) =>
          [
            `${word} ${key}`,
            String(ownOf(before[name], key) ?? 0),
            String(ownOf(after[name], key) ?? 0),
          ] as const,
      );
  const ends = (['done', 'failed', 'cancelled', 'open', 'unknown'] as const)
    .filter((end) => before.ends[end] + after.ends[end] > 0)
    .map((end) => [`end: ${end}`, String(before.ends[end]), String(after.ends[end])] as const);
  return [
    ...ends,
    ['median time to the end', lengthWords(before.medianMs), lengthWords(after.medianMs)],
    ['questions asked', String(before.questions), String(after.questions)],
    ...counts('calls', 'calls of'),
    ...counts('emits', 'emitted'),
  ];
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** The two largest units. */
function lengthWords(ms: number | null): string {
  if (ms === null) return '-';
  const parts: string[] = [];
  let rest = ms;
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size);
    if (count > 0 && parts.length < 2) parts.push(`${count} ${unit}`);
    rest -= count * size;
  }
  return parts.join(' ') || `${ms} ms`;
}

/** So many keys are named of a group. */
const NAMED = 3;

/** Whoever starts a process chooses its key: it makes no line of its own. */
const keysOf = ({ keys }: Group<unknown>): string =>
  (keys.length > NAMED ? `${keys.slice(0, NAMED).join(', ')} …` : keys.join(', ')).replaceAll(
    /\p{Cc}/gu,
    '?',
  );

/** For a terminal. */
export function formatReport(report: BacktestReport): string {
  const { flow, processes, verdicts, divergences, untold } = report;
  const list = <What>(title: string, groups: readonly Group<What>[], wordsOf: (what: What) => string) =>
    groups.length === 0
      ? []
      : [
          '',
          title,
          ...groups.flatMap((each) => [`  ${each.count} x ${wordsOf(each.what)}`, `      ${keysOf(each)}`]),
        ];
  const rows = rowsOfTotals(report);
  const width = Math.max(...rows.map(([name]) => name.length), 'same, at another time'.length);
  const [wide, wider] = [8, 10];
  return [
    `${flow}: played on what happened to ${processes} ${processes === 1 ? 'process' : 'processes'}`,
    ...Object.entries(names).map(
      ([verdict, name]) => `  ${name.padEnd(width)} ${String(verdicts[verdict as Verdict]).padStart(wide)}`,
    ),
    ...list('Decides otherwise', divergences, formatDivergence),
    ...list('Cannot tell', untold, (why) => why),
    '',
    `  ${''.padEnd(width)} ${'before'.padStart(wide)} ${'now'.padStart(wider)}`,
    ...rows.map(
      ([name, one, other]) => `  ${name.padEnd(width)} ${one.padStart(wide)} ${other.padStart(wider)}`,
    ),
  ].join('\n');
}
