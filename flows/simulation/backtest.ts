// What another version of a definition would have decided on what really happened to a process.
import type { FlowFile } from '../language/flow-file.ts';
import { type Play, played } from './play-history.ts';
import type { PlayedEnd, PlayedStep } from './played-steps.ts';
import type { RecordedProcess } from './recorded-process.ts';

type BacktestResult = 'same' | 'sameAtAnotherTime' | 'decidesOtherwise' | 'cannotTell';

export interface Backtested {
  readonly key: string;
  /** The version that it ran on. */
  readonly version: number;
  readonly result: BacktestResult;
  /** Why it cannot be told. */
  readonly why?: string;
  /** The first step that differs. */
  readonly divergence?: Divergence;
}

interface Divergence {
  /** ISO 8601. */
  readonly at: string;
  /** Where the process stood, by the names of the version that it ran on. */
  readonly from: readonly string[];
  /** Null: it takes no further step. */
  readonly before: StepShown | null;
  readonly now: StepShown | null;
}

interface StepShown {
  readonly at: string;
  readonly event: string;
  readonly to: readonly string[];
  readonly starts: readonly string[];
  readonly emits: readonly string[];
  readonly halted?: string;
  readonly ended?: string;
}

export function backtest(recorded: RecordedProcess, file: FlowFile): Backtested {
  const before = played(recorded, recorded);
  const { key, version } = recorded;
  return { key, version, ...judged(recorded, before, played(recorded, { file, version }, before)) };
}

type Comparison = Pick<Backtested, 'result' | 'why' | 'divergence'>;

function judged(recorded: RecordedProcess, before: Play, after: Play): Comparison {
  const otherwise = unlikeHistory(recorded, before);
  if (otherwise !== undefined) return { result: 'cannotTell', why: otherwise };
  const { unknown } = after;
  const length = Math.max(before.steps.length, after.steps.length);
  for (let index = 0; index < length; index++) {
    const [one, other] = [before.steps[index], after.steps[index]];
    if (decision(one) === decision(other)) continue;
    if (unknown && (unknown.from < index || isOnlyMore(one, other)))
      return { result: 'cannotTell', why: unknown.why };
    const from = before.steps[index - 1]?.states ?? [];
    const at = new Date((other ?? one)?.at ?? recorded.until).toISOString();
    return { result: 'decidesOtherwise', divergence: { at, from, before: shown(one), now: shown(other) } };
  }
  if (unknown) return { result: 'cannotTell', why: unknown.why };
  const isAtOnce = before.steps.every(({ at }, index) => at === after.steps[index]?.at);
  return { result: isAtOnce ? 'same' : 'sameAtAnotherTime' };
}

/** Its own version must do what the process did, or the play proves nothing. */
function unlikeHistory(
  { calls, end }: RecordedProcess,
  { steps, unknown, made: all }: Play,
): string | undefined {
  if (unknown) return `its own version cannot be played on its history: ${unknown.why}`;
  const made = [...all].flatMap(([key, { src }]) => (src === 'ask' ? [] : [key]));
  if (made.join('\n') !== calls.join('\n'))
    return `played on its history, its own version calls ${listed(made)}, where the process called ${listed(calls)}`;
  const ended = steps.at(-1)?.ended;
  const status = end?.status === 'terminated' ? undefined : end?.status;
  if (ended?.status === status) return undefined;
  return `played on its history, its own version ${ended ? `is ${ended.status}` : 'is open'}, where the process was ${status ?? 'open'}`;
}

const listed = (names: readonly string[]): string => (names.length > 0 ? names.join(', ') : 'nothing');

/** Without its time. */
function decision(step: PlayedStep | undefined): string {
  if (!step) return '';
  const { at: _, ...what } = step;
  return JSON.stringify(what);
}

/** The same step, but that it also makes calls of which history knows nothing. */
function isOnlyMore(one: PlayedStep | undefined, other: PlayedStep | undefined): boolean {
  if (!one || !other) return false;
  const known = new Set(one.starts.map((each) => JSON.stringify(each)));
  const starts = other.starts.filter((each) => known.has(JSON.stringify(each)));
  return starts.length < other.starts.length && decision({ ...other, starts }) === decision(one);
}

function shown(step: PlayedStep | undefined): StepShown | null {
  if (!step) return null;
  const { at, event, states, starts, emits, halted, ended } = step;
  return {
    at: new Date(at).toISOString(),
    event,
    to: states,
    starts: starts.map(({ id }) => id),
    emits: emits.map(typeOf),
    ...(halted !== undefined && { halted }),
    ...(ended && { ended: formatEnd(ended) }),
  };
}

const formatEnd = ({ status, code }: PlayedEnd): string =>
  code === undefined ? status : `${status}: ${code}`;

const typeOf = (emitted: unknown): string => String((emitted as { readonly type?: unknown }).type);

interface BacktestReport {
  readonly flow: string;
  readonly processes: number;
  readonly results: Readonly<Record<BacktestResult, number>>;
  /** Those that differ in the same way are one group; the largest first. */
  readonly divergences: readonly Group<Divergence>[];
  readonly undecided: readonly Group<string>[];
}

interface Group<What> {
  /** That of the first one. */
  readonly what: What;
  readonly count: number;
  readonly keys: readonly string[];
}

export function backtestReport(flow: string, all: readonly Backtested[]): BacktestReport {
  const of = (result: BacktestResult) => all.filter((each) => each.result === result);
  return {
    flow,
    processes: all.length,
    results: {
      same: of('same').length,
      sameAtAnotherTime: of('sameAtAnotherTime').length,
      decidesOtherwise: of('decidesOtherwise').length,
      cannotTell: of('cannotTell').length,
    },
    divergences: groups(all, ({ divergence }) => divergence, formatDivergence),
    undecided: groups(
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
  const [then, today] = [formatStep(before), formatStep(now)];
  return `${place}: before, ${then}; now, ${today === then ? 'the same with other data' : today}`;
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

const names: Readonly<Record<BacktestResult, string>> = {
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
export function formatReport(report: BacktestReport): string[] {
  const { flow, processes, results, divergences, undecided } = report;
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
      ([result, name]) => `  ${name.padEnd(width)} ${String(results[result as BacktestResult]).padStart(8)}`,
    ),
    ...list('Decides otherwise', divergences, formatDivergence),
    ...list('Cannot tell', undecided, (why) => why),
  ];
}
