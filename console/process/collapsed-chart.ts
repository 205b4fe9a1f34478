// A chart with the states within those that are not active left out: what a person sees first of a machine.
import type { ChartView, ChartViewTransition, StatePath } from '../../engine/chart/chart-view.ts';

/** The same chart where nothing is left out. */
export function collapsedChart(chart: ChartView, active: readonly StatePath[]): ChartView {
  const isOpen = new Set<StatePath>(['', ...active]);
  const shown = new Map(chart.states.map(({ path }) => [path, shownFor(path, isOpen)]));
  const states = chart.states.filter(({ path }) => shown.get(path) === path);
  if (states.length === chart.states.length) return chart;
  const hasStates = (path: StatePath) =>
    states.some(({ path: other }) => other !== path && isWithin(other, path));
  return {
    name: chart.name,
    states: states.map((state) =>
      state.path === '' || hasStates(state.path) || state.kind === 'final' || state.kind === 'history'
        ? state
        : { ...state, kind: 'atomic' as const, initial: null },
    ),
    transitions: chart.transitions.flatMap((each) => lifted(each, shown)),
  };
}

const isWithin = (path: StatePath, around: StatePath): boolean =>
  around === '' || path.startsWith(`${around}.`);

/** The outermost state around it that is not open, or itself. */
function shownFor(path: StatePath, isOpen: ReadonlySet<StatePath>): StatePath {
  const keys = path.split('.');
  for (let length = 1; length < keys.length; length++) {
    const around = keys.slice(0, length).join('.');
    if (!isOpen.has(around)) return around;
  }
  return path;
}

/** What happens within a state that is left out is left out, too. */
function lifted(
  transition: ChartViewTransition,
  shown: ReadonlyMap<StatePath, StatePath>,
): ChartViewTransition[] {
  const from = shown.get(transition.from) ?? transition.from;
  const to = [...new Set(transition.to.map((path) => shown.get(path) ?? path))];
  const isChanged = from !== transition.from || to.some((path) => !transition.to.includes(path));
  if (!isChanged) return [transition];
  const isInside = from !== transition.from && (to.length === 0 || to.every((path) => path === from));
  return isInside ? [] : [{ ...transition, from, to }];
}
