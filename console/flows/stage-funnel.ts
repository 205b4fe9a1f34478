// The stages of a flow with the number of processes in each, for people: the legs of a built-in flow, the states of a flow file.
// A stage is shown if processes usually come through it, or if one is there now.
import { z } from 'zod';
import type { ChartView, ChartViewState, StatePath } from '../../engine/chart/chart-view.ts';
import { rolesOf } from '../../flows/built-in/declaration.ts';
import { flows, newestOf } from '../../flows/built-in/flows.ts';
import { capitalized, formatRole, formatState } from '../../processes/views/overview/format.ts';
import { usualStages } from '../process/glance/leg-track.ts';
import { childrenOf, reachedFrom, titleOf, waysAmong } from '../process/glance/state-track.ts';

const stage = z.object({
  path: z.string().meta({ description: 'As `stage` of GET /v1/processes takes it' }),
  title: z.string(),
  count: z.int(),
});
export type FunnelStage = z.infer<typeof stage>;

const lane = z.object({
  title: z
    .string()
    .nullable()
    .meta({ description: 'Of a leg, or of a state with others in it; null: it is of the whole process' }),
  stages: z.array(stage),
});
export type FunnelLane = z.infer<typeof lane>;

export const funnelLanes = z
  .array(lane)
  .meta({ description: 'The stages in the order in which processes come to them, for people' });

type StateCounts = Readonly<Record<StatePath, number>>;

/** @param states how many processes are in each state, by its path */
export function stageFunnel(flow: string, chart: ChartView, states: StateCounts): FunnelLane[] {
  if (Object.hasOwn(flows, flow)) return legLanes(flow as keyof typeof flows, states);
  return [...stateLanes('', null, { chart, states }), ...goneStates(chart, states)].slice(0, MAX_LANES);
}

// More lanes than this are no overview any more; the chart has them all.
const MAX_LANES = 8;
/** A chart with more has a stage only where processes are. */
const MAX_EMPTY = 12;

const FOLLOWING = 'following';

/** Beside the legs. False: shown only where processes are. */
const around: readonly (readonly [path: StatePath, title: string, isUsual: boolean])[] = [
  ['booking', 'Being booked', true],
  ['bookingUnknown', 'Booking in doubt', false],
  ['booked', 'Booked', false],
  [FOLLOWING, 'On its way', true],
  ['undoing', 'Being undone', false],
];

function legLanes(flow: keyof typeof flows, states: StateCounts): FunnelLane[] {
  const declaration = newestOf(flows[flow]);
  const roles = rolesOf(declaration);
  const legs = roles.map((role): FunnelLane => {
    const usual = usualStages(declaration, role);
    const within = `${FOLLOWING}.${role}.`;
    const codes = new Set([
      ...usual.keys(),
      ...Object.keys(states).flatMap((path) => (path.startsWith(within) ? [path.slice(within.length)] : [])),
    ]);
    const stages = [...codes].map((code) => ({
      path: within + code,
      title: usual.get(code) ?? capitalized(formatState(code)),
      count: states[within + code] ?? 0,
    }));
    // The item of the only leg that is done leaves at once: nothing is ever counted there.
    const shown = stages.filter(
      ({ path, count }) => count > 0 || roles.length > 1 || !path.endsWith('.Completed'),
    );
    return { title: formatRole(role), stages: shown };
  });
  const whole = around.flatMap(([path, title, isUsual]): FunnelStage[] => {
    const count = states[path] ?? 0;
    return isUsual || count > 0 ? [{ path, title, count }] : [];
  });
  if (legs.length > 1) return [{ title: null, stages: whole }, ...legs];
  const stages = whole.flatMap((stage) =>
    stage.path === FOLLOWING ? legs.flatMap((leg) => leg.stages) : [stage],
  );
  return [{ title: null, stages }];
}

interface Counted {
  readonly chart: ChartView;
  readonly states: StateCounts;
}

function stateLanes(parent: StatePath, title: string | null, counted: Counted): FunnelLane[] {
  const { chart, states } = counted;
  const children = childrenOf(chart, parent);
  if (children.length === 0) return [];
  const own = chart.states.find(({ path }) => path === parent);
  if (own?.kind === 'parallel')
    return children.flatMap((region) => stateLanes(region.path, titleOf(region), counted));
  const stages = inOrder(children, own?.initial ?? null, counted);
  const inner = children.filter(({ path }) => (states[path] ?? 0) > 0);
  return [{ title, stages }, ...inner.flatMap((child) => stateLanes(child.path, titleOf(child), counted))];
}

function inOrder(
  children: readonly ChartViewState[],
  initial: StatePath | null,
  { chart, states }: Counted,
): FunnelStage[] {
  const usual = initial === null ? [] : reachedFrom(initial, waysAmong(children, chart));
  const byPath = new Map(children.map((child) => [child.path, child]));
  const all = [...new Set([...usual, ...byPath.keys()])].flatMap((path) => byPath.get(path) ?? []);
  const showsEmpty = usual.length <= MAX_EMPTY;
  return all.flatMap((state): FunnelStage[] => {
    const count = states[state.path] ?? 0;
    // A process in its last state has ended.
    const isUsual = showsEmpty && usual.includes(state.path) && state.kind !== 'final';
    return isUsual || count > 0 ? [{ path: state.path, title: titleOf(state), count }] : [];
  });
}

/** Outermost states that only earlier versions have. */
function goneStates({ states: known }: ChartView, states: StateCounts): FunnelLane[] {
  const paths = new Set(known.map(({ path }) => path));
  const gone = Object.entries(states).filter(([path]) => !path.includes('.') && !paths.has(path));
  if (gone.length === 0) return [];
  const stages = gone.map(([path, count]) => ({ path, title: titleOf({ path, title: null }), count }));
  return [{ title: 'Only in earlier versions', stages }];
}
