// Finds states that lead to each other at once, without a guard: no process gets out of them.
import { lineOf, type Node, targetsOf, transitionsOf } from '../reading/walk.ts';
import { lintFinding, type PlacedFinding } from './lint-finding.ts';
import type { Reach } from './states.ts';

/** Only what is certain: a guard may be false, and another region of a parallel state may lead out. */
export function alwaysFindings(reach: Reach): PlacedFinding[] {
  const reached = reach.from([reach.root]);
  const told = new Set<Node>();
  return reach.nodes.flatMap((node) => {
    const circle = reached.has(node) && !told.has(node) ? circleFrom(node, reach) : [];
    if (circle.length === 0) return [];
    for (const each of circle) told.add(each);
    const names = [...circle, node].map(({ keys }) => keys.join('.'));
    const [at] = passagesOf(node).map((each) => each.at);
    return [lintFinding('AlwaysInCircle', at ?? node.at, names[0] ?? '', names.join(' → '))];
  });
}

/** The states without others in them that it goes through until it comes back to this one; none: it does not surely come back. */
function circleFrom(begin: Node, reach: Reach): Node[] {
  const circle: Node[] = [];
  for (let at: Node | undefined = begin; at && !circle.includes(at); at = nextOf(at, reach)) {
    circle.push(at);
    // Back in the same state, xstate goes on only if something has changed.
    if (circle.length > 1 && nextOf(at, reach) === begin) return circle;
  }
  return [];
}

/** Undefined: it has other states in it, or may stay there. */
function nextOf(node: Node, reach: Reach): Node | undefined {
  if (reach.childrenOf(node).length > 0) return undefined;
  const [first] = passagesOf(node);
  if (!first || first.transition.guard !== undefined) return undefined;
  const [target, ...others] = targetsOf(first.transition, first.from, reach.nodes);
  const isInside = (each: Node) => regionOf(each) === regionOf(node);
  return target && others.length === 0 && isInside(target) ? restingIn(target, reach) : undefined;
}

/** The `always` that is asked first: its own, or else that of the nearest state around it. */
function passagesOf(node: Node) {
  const line = lineOf(node);
  const region = regionOf(node);
  const within = region ? line.slice(0, line.indexOf(region) + 1) : line;
  for (const from of within) {
    const passages = transitionsOf(from).filter(({ trigger }) => trigger.kind === 'always');
    if (passages.length > 0) return passages.map((each) => ({ ...each, from }));
  }
  return [];
}

const regionOf = (node: Node): Node | undefined =>
  lineOf(node).find(({ parent }) => parent?.state.type === 'parallel');

/** The one that is entered with it and has none in it. Undefined: it ends there, or more than one is entered. */
function restingIn(node: Node, reach: Reach): Node | undefined {
  const { type, initial } = node.state;
  if (type === 'parallel' || type === 'final' || type === 'history') return undefined;
  const inner = reach.childrenOf(node);
  if (inner.length === 0) return node;
  const first = inner.find(({ keys }) => keys.at(-1) === initial);
  return first && restingIn(first, reach);
}
