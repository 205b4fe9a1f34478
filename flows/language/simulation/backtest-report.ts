// The backtest of many processes, put together: how many decide what, and those that decide otherwise by what they do.
import type { Backtested, Divergence, StepShown, Verdict } from './backtest.ts';

interface BacktestReport {
  readonly flow: string;
  readonly processes: number;
  readonly verdicts: Readonly<Record<Verdict, number>>;
  /** Those that differ in the same way are one group; the largest first. */
  readonly divergences: readonly Group<Divergence>[];
  readonly untold: readonly Group<string>[];
}

export interface Group<What> {
  /** That of the first one. */
  readonly what: What;
  readonly count: number;
  readonly keys: readonly string[];
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
  const width = Math.max(...Object.values(names).map(({ length }) => length));
  return [
    `${flow}: played on what happened to ${processes} ${processes === 1 ? 'process' : 'processes'}`,
    ...Object.entries(names).map(
      ([verdict, name]) => `  ${name.padEnd(width)} ${String(verdicts[verdict as Verdict]).padStart(8)}`,
    ),
    ...list('Decides otherwise', divergences, formatDivergence),
    ...list('Cannot tell', untold, (why) => why),
  ].join('\n');
}
