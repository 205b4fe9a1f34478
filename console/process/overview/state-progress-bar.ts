// The progress bar of a flow file: its outermost states in the order in which a process comes to them, and those within the present one.
// Of the states before it only those count as past that every way leads through.
import type { ChartView, ChartViewState, RunningTimer, StatePath } from '../../../engine/chart/chart-view.ts';
import { formatName } from '../../../processes/views/format-names.ts';
import { formattingLocale } from '../../../shared/texts/text.ts';
import type { Lane, ProgressBar, Stage } from './overview-view.ts';

export interface StateProgressBarParts {
  readonly chart: ChartView;
  readonly active: readonly StatePath[];
  readonly timers: readonly RunningTimer[];
  /** How it has ended; undefined: it has not. */
  readonly ended: 'well' | 'badly' | undefined;
  /** It stands still at a step that failed. */
  readonly isHalted: boolean;
}

// More lanes than this are no overview any more; the chart has them all.
const MAX_LANES = 6;

export function stateProgressBar(parts: StateProgressBarParts): ProgressBar {
  return lanesWithin('', null, parts).slice(0, MAX_LANES);
}

function lanesWithin(parent: StatePath, title: string | null, parts: StateProgressBarParts): Lane[] {
  const { chart, active } = parts;
  const children = childrenOf(chart, parent);
  if (children.length === 0) return [];
  const around = chart.states.find(({ path }) => path === parent);
  if (around?.kind === 'parallel')
    return children.flatMap((region) => {
      const name = chartStateTitle(region);
      const lanes = lanesWithin(region.path, name, parts);
      return lanes.length > 0 ? lanes : [{ title: name, stages: [stageOf(region, 'present', parts)] }];
    });
  const stages = stagesOf(children, around?.initial ?? null, parts);
  const present = children.find(({ path }) => active.includes(path));
  const within = present ? lanesWithin(present.path, chartStateTitle(present), parts) : [];
  if (within.length === 0) return [{ title, stages }];
  // In the place of the present one.
  const past = stages.filter(({ status }) => status === 'past');
  const future = stages.filter(({ status }) => status === 'future');
  return [{ title, stages: past }, ...within, { title: null, stages: future }].filter(
    (lane) => lane.stages.length > 0,
  );
}

function stagesOf(
  children: readonly ChartViewState[],
  initial: StatePath | null,
  parts: StateProgressBarParts,
): Stage[] {
  const { chart, active, ended } = parts;
  const successors = successorsAmong(children, chart);
  const present = children.find(({ path }) => active.includes(path));
  const past = pastOf(children, present, successors, initial);
  const isOver = present?.kind === 'final' || ended === 'well';
  const future =
    ended === undefined && present
      ? reachedFrom(present.path, successors).filter((path) => path !== present.path && !past.includes(path))
      : [];
  const byPath = new Map(children.map((child) => [child.path, child]));
  const at = (path: StatePath, status: Stage['status']) => {
    const state = byPath.get(path);
    return state ? [stageOf(state, status, parts)] : [];
  };
  return [
    ...past.flatMap((path) => at(path, 'past')),
    ...(present ? at(present.path, presentStatus(isOver, parts)) : []),
    ...future.flatMap((path) => (byPath.get(path)?.kind === 'final' ? [] : at(path, 'future'))),
    ...endsAmong(future.flatMap((path) => byPath.get(path) ?? [])),
  ];
}

/** It comes to one of them. */
function endsAmong(states: readonly ChartViewState[]): Stage[] {
  const ends = states.filter(({ kind }) => kind === 'final').map(chartStateTitle);
  if (ends.length === 0) return [];
  const title = new Intl.ListFormat(formattingLocale(), { type: 'disjunction' }).format(ends);
  return [{ title, status: 'future', since: null, until: null, isOverdue: false }];
}

function presentStatus(isOver: boolean, { ended, isHalted }: StateProgressBarParts): Stage['status'] {
  if (ended === 'badly' || (isHalted && !isOver)) return 'failed';
  return isOver ? 'past' : 'present';
}

function stageOf(state: ChartViewState, status: Stage['status'], { timers }: StateProgressBarParts): Stage {
  const { path } = state;
  const timer =
    timers.find(({ state: of }) => of === path || of.startsWith(`${path}.`)) ??
    timers.find(({ state: of }) => path.startsWith(`${of}.`));
  return {
    title: chartStateTitle(state),
    status,
    since: null,
    isOverdue: false,
    until: status === 'present' ? (timer?.until ?? null) : null,
  };
}

export const chartStateTitle = ({ path, title }: Pick<ChartViewState, 'path' | 'title'>): string =>
  title ?? formatName(path.slice(path.lastIndexOf('.') + 1));

const childrenOf = ({ states }: ChartView, parent: StatePath): ChartViewState[] =>
  states.filter(
    ({ path, kind }) =>
      kind !== 'history' && path !== '' && path.slice(0, Math.max(0, path.lastIndexOf('.'))) === parent,
  );

type Successors = ReadonlyMap<StatePath, ReadonlySet<StatePath>>;

/** From each child to those to which a transition leads if nothing fails and nobody cancels. */
function successorsAmong(children: readonly ChartViewState[], { transitions }: ChartView): Successors {
  const paths = children.map(({ path }) => path);
  const childAt = (path: StatePath) => paths.find((each) => path === each || path.startsWith(`${each}.`));
  const successors = new Map(paths.map((path) => [path, new Set<StatePath>()]));
  for (const { from, to, event, isFailure } of transitions) {
    const begin = childAt(from);
    if (begin === undefined || isFailure || event === 'cancelRequested') continue;
    for (const target of to) {
      const end = childAt(target);
      if (end !== undefined && end !== begin) successors.get(begin)?.add(end);
    }
  }
  return successors;
}

/** The nearest first; with the beginning. */
function reachedFrom(begin: StatePath, successors: Successors, without?: StatePath): StatePath[] {
  const reached = new Set([begin]);
  for (const path of reached)
    for (const next of successors.get(path) ?? []) if (next !== without) reached.add(next);
  return [...reached];
}

function pastOf(
  children: readonly ChartViewState[],
  present: ChartViewState | undefined,
  successors: Successors,
  initial: StatePath | null,
): StatePath[] {
  const paths = children.map(({ path }) => path);
  if (!present || initial === null || initial === present.path) return [];
  // A failure has led there: of the way nothing is certain but its beginning.
  if (!reachedFrom(initial, successors).includes(present.path)) return [initial];
  return paths.filter(
    (path) =>
      path !== present.path &&
      (path === initial || !reachedFrom(initial, successors, path).includes(present.path)),
  );
}
