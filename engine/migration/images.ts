// Which state of another machine an old state is, and the words that all parts of a layout share.
import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { pathOf } from '../chart/chart-view.ts';
import type { Obstacle, Plan } from './plan.ts';

/** What the machine's snapshot does not know. */
export interface Running {
  /** Ids of the actors that have not answered. */
  readonly actors: ReadonlySet<string>;
  /** Events of the delays that have not fired. */
  readonly delays: ReadonlySet<string>;
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
  for (const key of path === '' ? [] : path.split('.')) node = node?.states[key];
  return node;
}

/**
 * By the plan, else by the same key within the image of the parent. One that another state has become is none; a name that
 * the old machine has not says nothing, as that of a version before it.
 */
export function images(from: AnyStateMachine, to: AnyStateMachine, { states = {} }: Plan): ImageOf {
  const taken = new Set(Object.entries(states).flatMap(([old, now]) => (nodeAt(from, old) ? [now] : [])));
  const known = new Map<AnyStateNode, AnyStateNode | undefined>();
  const find = (node: AnyStateNode): AnyStateNode | undefined => {
    if (!node.parent) return to.root;
    const planned = states[pathOf(node)];
    if (planned !== undefined) return nodeAt(to, planned);
    const same = imageOf(node.parent)?.states[node.key];
    const isSame = same && (same.type === 'history') === (node.type === 'history');
    return isSame && !taken.has(pathOf(same)) ? same : undefined;
  };
  const imageOf: ImageOf = (node) => {
    if (!known.has(node)) known.set(node, find(node));
    return known.get(node);
  };
  return imageOf;
}
