// What would become of processes by the state that they are in, as far as it follows from the two machines alone. What depends
// on the process (how long it has been there, what runs) is named as that. It is pure, and asks no process.
import type { AnyMachineSnapshot, AnyStateMachine, AnyStateNode, StateValue } from 'xstate';
import { pathOf, type StatePath } from '../chart/chart-view.ts';
import { activeNodes } from '../stepper.ts';
import type { Delay } from './delays-layout.ts';
import type { Findings, Running } from './images.ts';
import { isComplete, type Layout, layoutOf } from './layout.ts';
import { type Obstacle, type Plan, verdictOf } from './plan.ts';
import { findStrandings } from './reachability.ts';

export interface StateVerdict {
  /** One that has no states within. */
  readonly state: StatePath;
  /** `depends`: some who are there are carried, others perhaps not. */
  readonly verdict: 'carried' | 'depends' | 'needsPlan' | 'refused';
  /** What stands in the way, or may. */
  readonly obstacles: readonly Obstacle[];
}

/** What the machines do not say themselves, because they hold functions. */
export interface KnownOfFunctions {
  /** Milliseconds; undefined where it may be another one for each process. */
  lengthOf(delay: Delay): number | undefined;
  /** Why the step that leaves and enters these states may fail, or may lead on from them. */
  doubtsOf(layout: Layout): readonly Obstacle[];
}

export function verdictsByState(
  from: AnyStateMachine,
  to: AnyStateMachine,
  plan: Plan,
  known: KnownOfFunctions,
): StateVerdict[] {
  const byState = new Map<StatePath, Assessment[]>();
  const isAll = combinationsOf(from.root) <= MAX_COMBINATIONS;
  for (const value of isAll ? valuesOf(from.root) : someValuesOf(from.root)) {
    const snapshot = from.resolveState({ value, context: {} } as never) as AnyMachineSnapshot;
    const nodes = activeNodes(snapshot);
    // A process that is there has ended.
    if (isComplete(new Set(nodes), from.root)) continue;
    const assessments = [...assess(snapshot, to, plan, known), ...(isAll ? [] : [tooMany])];
    for (const node of nodes.filter(({ states }) => Object.keys(states).length === 0))
      byState.set(pathOf(node), [...(byState.get(pathOf(node)) ?? []), ...assessments]);
  }
  return [...byState].map(([state, assessments]) => verdictIn(state, assessments));
}

/** For one way in which a process may be somewhere. */
interface Assessment {
  readonly obstacles: readonly Obstacle[];
  /** What may be in the way too. */
  readonly doubts: readonly Obstacle[];
}

function verdictIn(state: StatePath, all: readonly Assessment[]): StateVerdict {
  const verdicts = all.map(({ obstacles }) => verdictOf(obstacles, false));
  const obstacles = distinct(all.flatMap((each) => [...each.obstacles, ...each.doubts]));
  if (obstacles.length === 0) return { state, verdict: 'carried', obstacles };
  if (verdicts.includes('carried')) return { state, verdict: 'depends', obstacles };
  const isRefused = verdicts.every((each) => each === 'refused');
  return { state, verdict: isRefused ? 'refused' : 'needsPlan', obstacles };
}

const distinct = (all: readonly Obstacle[]): Obstacle[] => [
  ...new Map(all.map((each) => [`${each.code} ${each.at} ${each.reason}`, each])).values(),
];

function assess(
  snapshot: AnyMachineSnapshot,
  to: AnyStateMachine,
  plan: Plan,
  known: KnownOfFunctions,
): Assessment[] {
  return runnings(activeNodes(snapshot)).map((running): Assessment => {
    const layout = layoutOf(snapshot, to, plan, running);
    const findings: Findings = { obstacles: [...layout.obstacles], notes: [] };
    if (findings.obstacles.length === 0) findStrandings(snapshot, layout, plan, running, findings);
    const isKnown = findings.obstacles.length === 0;
    const doubts = isKnown ? [...timerDoubts(layout, plan, running, known), ...known.doubtsOf(layout)] : [];
    return { obstacles: findings.obstacles, doubts };
  });
}

/**
 * What may run in a process that is there: all, nothing, and each alone or missing alone. What stands in the way of a process
 * in which several run stands in the way of one of these too: each delay and each actor counts for itself.
 */
function runnings(nodes: readonly AnyStateNode[]): Running[] {
  const delays = nodes.flatMap(({ after }) => [...new Set(after.map(({ eventType }) => eventType))]);
  const actors = nodes.flatMap(({ invoke }) => invoke.map(({ id }) => id));
  const running = (isIn: (id: string) => boolean): Running => ({
    delays: new Set(delays.filter(isIn)),
    actors: new Set(actors.filter(isIn)),
  });
  const ids = [...delays, ...actors];
  const few =
    ids.length > 1
      ? ids.flatMap((id) => [running((each) => each === id), running((each) => each !== id)])
      : [];
  return [running(() => true), ...(ids.length > 0 ? [running(() => false)] : []), ...few];
}

function timerDoubts(
  { delays, carried }: Layout,
  { overdue }: Plan,
  running: Running,
  { lengthOf }: KnownOfFunctions,
): Obstacle[] {
  const isOpen = ({ eventType }: Delay) => running.delays.has(eventType);
  const changed = delays.paired.filter(({ old, now }) => isOpen(old) && old.name !== now.name);
  const shorter = changed.filter(({ old, now }) => {
    const [was, is] = [lengthOf(old), lengthOf(now)];
    return was === undefined || is === undefined || is < was;
  });
  return [...shorter.map(({ now }) => now), ...delays.added].flatMap((delay) => {
    const origin = carried.get(delay.node);
    const at = pathOf(delay.node);
    const isFixed = lengthOf(delay) !== undefined;
    return [
      ...(isFixed
        ? []
        : [uncertain('DelayFails', at, `the delay ${delay.name} of ${at} is computed, which may fail`)]),
      ...(overdue === undefined
        ? [
            {
              code: 'TimerOverdue' as const,
              at,
              reason: `who has been in ${(origin && pathOf(origin)) || at} for longer than the delay ${delay.name} would be late at once`,
              remedy:
                'say what is to be done with such timers: overdue: now, keep, or { grace: … } in the plan',
            },
          ]
        : []),
    ];
  });
}

/** What an expression gives is known where the process is. */
export const uncertain = (code: Obstacle['code'], at: string, reason: string): Obstacle => ({
  code,
  at,
  reason,
  remedy: 'ask the processes that run: a dry run, or diff --open',
});

// With several regions there are many combinations of states.
const MAX_COMBINATIONS = 500;

const tooMany: Assessment = {
  obstacles: [],
  doubts: [
    uncertain('StatesExclude', '', 'its states are active in too many combinations to look at all of them'),
  ],
};

const innerOf = ({ states }: AnyStateNode): AnyStateNode[] =>
  Object.values(states).filter(({ type }) => type !== 'history');

function combinationsOf(node: AnyStateNode): number {
  const counts = innerOf(node).map(combinationsOf);
  if (counts.length === 0) return 1;
  return node.type === 'parallel'
    ? counts.reduce((product, count) => product * count)
    : counts.reduce((sum, count) => sum + count);
}

/** Where a process may be within the state. */
function valuesOf(node: AnyStateNode): StateValue[] {
  const inner = innerOf(node);
  if (inner.length === 0) return [{}];
  if (node.type !== 'parallel')
    return inner.flatMap((child) => valuesOf(child).map((value) => within(child, value)));
  return inner.reduce<StateValue[]>(
    (all, region) =>
      all.flatMap((value) => valuesOf(region).map((each) => ({ ...(value as object), [region.key]: each }))),
    [{}],
  );
}

/** Each state at least once. */
function someValuesOf(node: AnyStateNode): StateValue[] {
  const inner = innerOf(node);
  if (inner.length === 0) return [{}];
  if (node.type !== 'parallel')
    return inner.flatMap((child) => someValuesOf(child).map((value) => within(child, value)));
  const first = Object.fromEntries(inner.map((region) => [region.key, someValuesOf(region)[0] ?? {}]));
  return inner.flatMap((region) => someValuesOf(region).map((value) => ({ ...first, [region.key]: value })));
}

const within = ({ key, states }: AnyStateNode, value: StateValue): StateValue =>
  Object.keys(states).length === 0 ? key : { [key]: value };
