// Where a process that stands in one machine stands in another: which states, invokes, timers and remembered states have an
// image there, what is left and what is entered. It is pure, and gives no command.
import type { AnyMachineSnapshot, AnyStateMachine, AnyStateNode } from 'xstate';
import { pathOf } from '../chart/chart-view.ts';
import type { Obstacle, Plan } from '../migration-plan.ts';
import { activeNodes } from '../stepper.ts';
import {
  ancestorsOf,
  type DelaysLayout,
  delaysLayout,
  type Findings,
  type ImageOf,
  type InvokesMapping,
  invokesMapping,
  isLeftBy,
  nodeAt,
  type Running,
  stateMapping,
} from './state-mapping.ts';

export interface MigrationMapping extends InvokesMapping {
  readonly nodes: ReadonlySet<AnyStateNode>;
  /** By the new node, the old one. */
  readonly carried: ReadonlyMap<AnyStateNode, AnyStateNode>;
  readonly left: readonly AnyStateNode[];
  readonly entered: readonly AnyStateNode[];
  readonly byDefault: ReadonlySet<AnyStateNode>;
  readonly completed: readonly AnyStateNode[];
  readonly history: Readonly<Record<string, readonly AnyStateNode[]>>;
  readonly delays: DelaysLayout;
  readonly obstacles: readonly Obstacle[];
  readonly notes: readonly string[];
}

export function mappingOf(
  from: AnyMachineSnapshot,
  to: AnyStateMachine,
  plan: Plan,
  running: Running,
): MigrationMapping {
  const findings: Findings = { obstacles: [], notes: [] };
  const old = [...activeNodes(from)].sort((one, other) => one.order - other.order);
  const imageOf = stateMapping(from.machine, to, plan);
  findUnknown(old, to, plan, findings);
  const isGivenUp = (node: AnyStateNode): boolean => isLeftBy(plan, node);
  const carried = carriedOf(old, imageOf, isGivenUp);
  const isCarried = new Set(carried.values());
  const left = old.filter((node) => !isCarried.has(node));
  findRemoved(left, new Set(old), { imageOf, isGivenUp }, findings);
  const partial = new Set([to.root, ...[...carried.keys()].flatMap((node) => [node, ...ancestorsOf(node)])]);
  findExcluding(partial, findings);
  const nodes = findings.obstacles.length > 0 ? partial : completeNodes(to, partial);
  const byDefault = [...nodes].filter(({ type, states }) => type === 'compound' && !hasAny(states, partial));
  return {
    nodes,
    carried,
    left,
    byDefault: new Set(byDefault),
    entered: [...nodes].filter((node) => !carried.has(node)),
    completed: completedOf({ nodes, carried, old: new Set(old) }, plan, findings),
    ...invokesMapping({ old, carried, nodes, plan, running }, findings),
    delays: delaysLayout({ carried, imageOf, plan, running }, findings),
    history: historyIn(from, imageOf, findings),
    ...findings,
  };
}

const hasAny = (states: AnyStateNode['states'], nodes: ReadonlySet<AnyStateNode>): boolean =>
  Object.values(states).some((inner) => nodes.has(inner));

function carriedOf(
  old: readonly AnyStateNode[],
  imageOf: ImageOf,
  isGivenUp: (node: AnyStateNode) => boolean,
): Map<AnyStateNode, AnyStateNode> {
  const carried = new Map<AnyStateNode, AnyStateNode>();
  for (const node of old) {
    const image = isGivenUp(node) ? undefined : imageOf(node);
    // The outermost comes first; what has become one with it is left.
    if (image && !carried.has(image)) carried.set(image, node);
  }
  return carried;
}

function findUnknown(
  old: readonly AnyStateNode[],
  to: AnyStateMachine,
  { states = {} }: Plan,
  { obstacles }: Findings,
): void {
  for (const [state, image] of Object.entries(states))
    if (old.some((node) => pathOf(node) === state) && !nodeAt(to, image))
      obstacles.push({
        code: 'StateUnknown',
        at: state,
        reason: `the plan maps ${state} to ${image}, and the new definition has no such state`,
        remedy: `name one of its states under states: { ${state}: … }`,
      });
}

function findRemoved(
  left: readonly AnyStateNode[],
  active: ReadonlySet<AnyStateNode>,
  { imageOf, isGivenUp }: { imageOf: ImageOf; isGivenUp(node: AnyStateNode): boolean },
  { obstacles }: Findings,
): void {
  for (const leaf of left) {
    if (hasAny(leaf.states, active) || isGivenUp(leaf)) continue;
    if (imageOf(leaf) || isOfRemovedRegion(leaf, imageOf)) continue;
    const path = pathOf(leaf);
    obstacles.push({
      code: 'StateRemoved',
      at: path,
      reason: `the process is in ${path}, which the new definition has not`,
      remedy: `say what it is now: \`was: ${path}\` in the new state, or states: { ${path}: … } in the plan; or leave: [${path}]`,
    });
  }
}

/** The process goes on in the other regions. */
function isOfRemovedRegion(leaf: AnyStateNode, imageOf: ImageOf): boolean {
  return [leaf, ...ancestorsOf(leaf)].some(
    (node) => node.parent?.type === 'parallel' && !imageOf(node) && imageOf(node.parent)?.type === 'parallel',
  );
}

function findExcluding(partial: ReadonlySet<AnyStateNode>, { obstacles }: Findings): void {
  for (const [node, inner] of excludingIn(partial))
    obstacles.push({
      code: 'StatesExclude',
      at: pathOf(node),
      reason: `${inner.map(pathOf).join(' and ')} would be active together, and ${pathOf(node) || 'the machine'} has one state at a time`,
      remedy: 'map them into regions of a parallel state, or give all but one up: leave: [ … ]',
    });
}

/** States of which only one can be active, by the state that has them. */
const excludingIn = (nodes: ReadonlySet<AnyStateNode>): [AnyStateNode, AnyStateNode[]][] =>
  [...nodes].flatMap((node) => {
    const inner = Object.values(node.states).filter((each) => nodes.has(each));
    return node.type === 'compound' && inner.length > 1 ? [[node, inner]] : [];
  });

interface Nodes {
  readonly nodes: ReadonlySet<AnyStateNode>;
  readonly carried: ReadonlyMap<AnyStateNode, AnyStateNode>;
  readonly old: ReadonlySet<AnyStateNode>;
}

/** The states that are complete now and were not: nobody enters their final state. The innermost come first. */
function completedOf(
  { nodes, carried, old }: Nodes,
  { states = {} }: Plan,
  { obstacles }: Findings,
): AnyStateNode[] {
  const completed: AnyStateNode[] = [];
  for (const node of [...nodes].sort((one, other) => other.order - one.order)) {
    const origin = carried.get(node);
    const isNow = isComplete(nodes, node);
    if (origin && isFinalityOther(node, origin) && !Object.hasOwn(states, pathOf(origin)))
      obstacles.push({
        code: 'FinalChanged',
        at: pathOf(origin),
        reason: `the process is in ${pathOf(origin)}, which ${node.type === 'final' ? 'becomes' : 'is no longer'} final`,
        remedy: `say that it is meant: states: { ${pathOf(origin)}: ${pathOf(node)} } in the plan`,
      });
    if (!node.parent && isNow)
      obstacles.push({
        code: 'WouldEnd',
        at: '',
        reason: 'the new definition would have ended where the process is',
        remedy: 'map its state to one that is not final',
      });
    const wasComplete = origin !== undefined && isComplete(old, origin);
    if (isNow && !wasComplete && node.type !== 'final') completed.push(node);
  }
  return completed;
}

const isLeaf = ({ type }: AnyStateNode): boolean => type === 'atomic' || type === 'final';

const isFinalityOther = (node: AnyStateNode, origin: AnyStateNode): boolean =>
  isLeaf(node) && isLeaf(origin) && node.type !== origin.type;

function historyIn(
  from: AnyMachineSnapshot,
  imageOf: ImageOf,
  { notes }: Findings,
): MigrationMapping['history'] {
  const history: Record<string, readonly AnyStateNode[]> = {};
  for (const [id, remembered] of Object.entries(
    from.historyValue as unknown as MigrationMapping['history'],
  )) {
    const node = from.machine.getStateNodeById(`#${id}`) as AnyStateNode;
    const image = node && imageOf(node);
    if (image?.type !== 'history') continue;
    const kept = remembered.flatMap((each) => imageOf(each) ?? []);
    if (kept.length === remembered.length && kept.length > 0 && canEnter(image, kept))
      history[image.id] = kept;
    else if (remembered.length > 0)
      notes.push(
        `${pathOf(image)} remembers ${remembered.map(pathOf).join(', ')} no longer: it begins at its default`,
      );
  }
  return history;
}

/** All within the history's state, and possible together. Else going back to it would enter two exclusive states at once. */
function canEnter({ history, parent }: AnyStateNode, remembered: readonly AnyStateNode[]): boolean {
  const isWithin = (node: AnyStateNode) =>
    history === 'deep' ? ancestorsOf(node).some((each) => each === parent) : node.parent === parent;
  const active = new Set(remembered.flatMap((node) => [node, ...ancestorsOf(node)]));
  return remembered.every(isWithin) && excludingIn(active).length === 0;
}

/** All nodes that are active where these are: the initial ones of states within which none is, and every region. */
const completeNodes = (machine: AnyStateMachine, nodes: ReadonlySet<AnyStateNode>): Set<AnyStateNode> =>
  new Set(activeNodes(machine.resolveState({ value: valueIn(nodes, machine.root) } as never)));

export function isComplete(nodes: ReadonlySet<AnyStateNode>, node: AnyStateNode): boolean {
  const within = Object.values(node.states).filter(({ type }) => type !== 'history');
  if (node.type === 'compound') return within.some((inner) => inner.type === 'final' && nodes.has(inner));
  if (node.type === 'parallel') return within.every((inner) => isComplete(nodes, inner));
  return node.type === 'final';
}

/** The value of a snapshot in which these nodes are active. */
export function valueIn(nodes: ReadonlySet<AnyStateNode>, node: AnyStateNode): Record<string, object> {
  const within = Object.values(node.states).filter((each) => nodes.has(each));
  return Object.fromEntries(within.map((each) => [each.key, valueIn(nodes, each)]));
}
