// The images of what a process is in: its states, invokes and delays, and what each is in another definition.
import type { AnyStateMachine, AnyStateNode } from 'xstate';
import type { OpenCall } from '../calls.ts';
import { pathOf } from '../chart/chart-view.ts';
import { getOwn, timerNameOf } from '../chart/messages.ts';
import type { Obstacle, Plan } from '../migration-plan.ts';
import type { RunningProcess } from '../running-chart.ts';

/** What the machine's snapshot does not know. */
export interface Running {
  /** Ids of the actors that have not answered. */
  readonly actors: ReadonlySet<string>;
  /** Events of the delays that have not fired. */
  readonly delays: ReadonlySet<string>;
}

/** @param more calls that begin again */
export function runningIn({ calls, timers, chart }: RunningProcess, more: readonly OpenCall[] = []): Running {
  const own = [...calls.open, ...more].filter(({ of }) => of === undefined).map(({ id }) => id);
  return {
    actors: new Set([...own, ...chart.actors.active.keys()]),
    delays: new Set(timers.open.map(({ id }) => id)),
  };
}

/** Where an old state is in the new machine, also one that is not active. */
export type ImageOf = (node: AnyStateNode) => AnyStateNode | undefined;

/** All that finds out where a process is to be adds to it what stands in the way, and what else there is to say. */
export interface Findings {
  readonly obstacles: Obstacle[];
  readonly notes: string[];
}

export function ancestorsOf({ parent }: AnyStateNode): AnyStateNode[] {
  return parent ? [parent, ...ancestorsOf(parent)] : [];
}

/** Whether the plan gives the state up, or one around it. */
export const isLeftBy = ({ leave = [] }: Plan, node: AnyStateNode): boolean =>
  [node, ...ancestorsOf(node)].some((each) => leave.includes(pathOf(each)));

export function nodeAt(machine: AnyStateMachine, path: string): AnyStateNode | undefined {
  let node: AnyStateNode | undefined = machine.root;
  for (const key of path === '' ? [] : path.split('.')) node = getOwn(node?.states, key);
  return node;
}

/**
 * By the plan, else by the same key within the image of the parent. One that another state has become is none; a name that
 * the old machine has not says nothing, as that of a version before it.
 */
export function stateMapping(from: AnyStateMachine, to: AnyStateMachine, { states = {} }: Plan): ImageOf {
  const taken = new Set(Object.entries(states).flatMap(([old, now]) => (nodeAt(from, old) ? [now] : [])));
  const known = new Map<AnyStateNode, AnyStateNode | undefined>();
  const find = (node: AnyStateNode): AnyStateNode | undefined => {
    if (!node.parent) return to.root;
    const planned = getOwn(states, pathOf(node));
    if (planned !== undefined) return nodeAt(to, planned);
    const same = getOwn(imageOf(node.parent)?.states, node.key);
    const isSame = same && (same.type === 'history') === (node.type === 'history');
    return isSame && !taken.has(pathOf(same)) ? same : undefined;
  };
  const imageOf: ImageOf = (node) => {
    if (!known.has(node)) known.set(node, find(node));
    return known.get(node);
  };
  return imageOf;
}

type InvokeDefinition = AnyStateNode['invoke'][number];

export interface InvokesMapping {
  /** New id by old id, of the actors that continue. */
  readonly invokes: ReadonlyMap<string, string>;
  /** Ids of actors that stop although their state stays active. */
  readonly stopped: readonly string[];
  readonly started: readonly InvokeDefinition[];
}

interface MappingInput {
  /** The active states of the old machine, parents first. */
  readonly old: readonly AnyStateNode[];
  /** Old state by new state, of the states that stay active. */
  readonly carried: ReadonlyMap<AnyStateNode, AnyStateNode>;
  /** The states that are active after the migration. */
  readonly nodes: ReadonlySet<AnyStateNode>;
  readonly plan: Plan;
  readonly running: Running;
}

/** An invoke of an active state, with its counterpart in the new machine. */
interface InvokePair {
  readonly invoke: InvokeDefinition;
  readonly node: AnyStateNode;
  readonly now: InvokeDefinition | undefined;
  readonly isCarried: boolean;
}

export function invokesMapping(input: MappingInput, findings: Findings): InvokesMapping {
  const invokes = new Map<string, string>();
  const stopped: string[] = [];
  const paired = new Set<InvokeDefinition>();
  const restart = new Set(input.plan.restart);
  for (const pair of invokePairs(input)) {
    const { invoke, now, isCarried } = pair;
    const isRestarted = restart.has(invoke.id);
    if (now?.src === invoke.src && !isRestarted && !paired.has(now)) {
      paired.add(now);
      invokes.set(invoke.id, now.id);
      continue;
    }
    const isRunning = input.running.actors.has(invoke.id);
    if (isRunning && !isRestarted) reportUnmatched(pair, input.plan, findings);
    // An actor that has finished is not started again just because its definition changed.
    if (now && !isRunning && !isRestarted) paired.add(now);
    if (isCarried) stopped.push(invoke.id);
  }
  const started = [...input.carried.keys()].flatMap(({ invoke }) =>
    invoke.filter((each) => !paired.has(each)),
  );
  for (const { id } of started)
    if (!restart.has(id)) findings.notes.push(`${id} begins, in a state that the process is in already`);
  return { invokes, stopped, started };
}

/** For a running actor that the new machine does not wait for. */
function reportUnmatched(
  { invoke, node, now }: InvokePair,
  plan: Plan,
  { notes, obstacles }: Findings,
): void {
  const isGivenUp = plan.leave?.includes(invoke.id) === true || isLeftBy(plan, node);
  if (isGivenUp) notes.push(`${invoke.id} is cancelled`);
  else obstacles.push(obstacle(invoke, now));
}

function invokePairs({ old, carried, nodes, plan }: MappingInput): InvokePair[] {
  const images = new Map([...carried].map(([now, was]) => [was, now]));
  const named = new Map([...nodes].flatMap((node) => node.invoke.map((each) => [each.id, each] as const)));
  return old.flatMap((node) =>
    node.invoke.map((invoke, index): InvokePair => {
      const image = images.get(node);
      const planned = getOwn(plan.invokes, invoke.id);
      const now = planned === undefined ? image && imageOf(invoke, index, node, image) : named.get(planned);
      return { invoke, node, now, isCarried: image !== undefined };
    }),
  );
}

function obstacle(
  { id, src }: InvokeDefinition,
  now: InvokeDefinition | undefined,
): Findings['obstacles'][number] {
  const there = now
    ? `the new definition invokes ${String(now.src)} there`
    : 'the new definition does not invoke it there';
  return {
    code: now ? 'InvokeChanged' : 'InvokeRemoved',
    at: id,
    reason: `${id} runs ${String(src)}, and ${there}`,
    remedy: `say which invoke it is now: invokes: { ${id}: … }; or give it up, so that it is cancelled: leave: [${id}]; or wait until it has ended`,
  };
}

/** The invoke with the same id; for generated ids, the one at the same position. */
function imageOf(
  { id }: InvokeDefinition,
  index: number,
  node: AnyStateNode,
  image: AnyStateNode,
): InvokeDefinition | undefined {
  const same = image.invoke.find((each) => each.id === id);
  if (same) return same;
  const there = image.invoke[index];
  return there && isGeneratedId(id, index, node) && isGeneratedId(there.id, index, image) ? there : undefined;
}

/** xstate generates ids from the position and the state's id, flow files from the state's path. */
function isGeneratedId(id: string, index: number, node: AnyStateNode): boolean {
  const path = pathOf(node) || 'process';
  return id === `${index}.${node.id}` || id === (index === 0 ? path : `${path}.${index + 1}`);
}

/** A delay of a state that is carried. */
export interface Delay {
  readonly node: AnyStateNode;
  readonly eventType: string;
  /** As the chart names it. */
  readonly name: string;
  readonly delay: unknown;
  /** The name that its author has given to it. */
  readonly timer: string | undefined;
}

export interface DelaysLayout {
  readonly paired: readonly { readonly old: Delay; readonly now: Delay }[];
  readonly added: readonly Delay[];
  readonly removed: readonly Delay[];
}

interface DelaysInput {
  readonly carried: ReadonlyMap<AnyStateNode, AnyStateNode>;
  readonly imageOf: ImageOf;
  readonly plan: Plan;
  readonly running: Running;
}

type IsPair = (old: Delay, now: Delay) => boolean;

export function delaysLayout(
  { carried, imageOf, plan, running }: DelaysInput,
  { obstacles }: Findings,
): DelaysLayout {
  const isOpen: IsPair = ({ eventType }) => running.delays.has(eventType);
  const all = [...carried].map(([node, origin]) => {
    // One that leads to a removed state leads nowhere else: it has no counterpart among those without a target.
    const hasSameTarget: IsPair = (old, now) => {
      const [was, is] = [targetsOf(old).map(imageOf), targetsOf(now)];
      return was.length > 0 && was.length === is.length && was.every((target, index) => target === is[index]);
    };
    const inPlan = (old: Delay) => `${pathOf(origin)} ${old.name}`;
    const mapping = pairs(origin, node, [
      (old, now) => getOwn(plan.timers, inPlan(old)) === now.name,
      (old, now) => old.timer !== undefined && old.timer === now.timer,
      (old, now) => old.name === now.name,
      hasSameTarget,
      isOpen,
    ]);
    const fired = mapping.removed.find((each) => !isOpen(each, each));
    const [first] = mapping.added;
    if (fired && first) {
      const at = inPlan(fired);
      obstacles.push({
        code: 'TimerUnclear',
        at,
        reason: `the delay ${fired.name} of ${pathOf(origin)} has fired, and ${mapping.added.map(({ name }) => name).join(' or ')} may replace it`,
        remedy: `say which: timers: { ${JSON.stringify(at)}: ${JSON.stringify(first.name)} }`,
      });
    }
    return mapping;
  });
  return {
    paired: all.flatMap(({ paired }) => paired),
    added: all.flatMap(({ added }) => added),
    removed: all.flatMap(({ removed }) => removed),
  };
}

/** By the first rule by which each is the only one for the other. */
function pairs(origin: AnyStateNode, node: AnyStateNode, rules: readonly IsPair[]): DelaysLayout {
  const paired: { old: Delay; now: Delay }[] = [];
  let removed = delaysIn(origin);
  let added = delaysIn(node);
  for (const isPair of rules)
    for (const old of removed) {
      const [now, another] = added.filter((each) => isPair(old, each));
      if (!now || another || removed.filter((each) => isPair(each, now)).length > 1) continue;
      paired.push({ old, now });
      removed = removed.filter((each) => each !== old);
      added = added.filter((each) => each !== now);
    }
  return { paired, added, removed };
}

function delaysIn(node: AnyStateNode): Delay[] {
  const byType = new Map(node.after.map((each) => [each.eventType, each]));
  return [...byType].map(([eventType, after]) => {
    const { delay } = after;
    return { node, eventType, name: String(delay), delay, timer: timerNameOf(after) };
  });
}

const targetsOf = ({ node, eventType }: Delay): readonly AnyStateNode[] =>
  node.after
    .filter((each) => each.eventType === eventType)
    .flatMap(({ target = [] }) => target as readonly AnyStateNode[]);
