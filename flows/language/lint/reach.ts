// Which states a process can come to, from its start and from any state.

import type { FlowFile } from '../flow-file.ts';
import { listOf } from '../flow-file.ts';
import { type Node, nodesOf, targetOf, transitionsOf } from '../reading/walk.ts';

export class Reach {
  readonly nodes: readonly Node[];

  constructor(file: FlowFile) {
    this.nodes = nodesOf(file);
  }

  get root(): Node {
    return this.nodes[0] as Node;
  }

  childrenOf(node: Node): Node[] {
    return this.nodes.filter(({ parent }) => parent === node);
  }

  /** All states that can be active after `begin` is entered. The search stops at states for which `stops` is true. */
  from(begin: readonly Node[], stops: (node: Node) => boolean = () => false): Set<Node> {
    const reached = new Set<Node>();
    for (const node of begin) this.#enter(node, reached);
    for (let size = -1; size !== reached.size; ) {
      size = reached.size;
      for (const node of [...reached])
        if (!stops(node)) for (const target of this.#targetsOf(node, reached)) this.#enter(target, reached);
    }
    return reached;
  }

  #targetsOf(node: Node, reached: ReadonlySet<Node>): Node[] {
    return transitionsOf(node)
      .filter(({ trigger }) => trigger.kind !== 'onDone' || this.#canBeDone(node, reached))
      .flatMap(({ transition }) => listOf(transition.target))
      .flatMap((target) => targetOf(target, node, this.nodes) ?? []);
  }

  /** A parallel state is done when all of its regions are done. */
  #canBeDone(node: Node, reached: ReadonlySet<Node>): boolean {
    const inner = this.childrenOf(node);
    if (node.state.type === 'parallel') return inner.every((region) => this.#canBeDone(region, reached));
    if (node.state.type === 'final') return true;
    return inner.some((child) => child.state.type === 'final' && reached.has(child));
  }

  #enter(node: Node, reached: Set<Node>): void {
    if (node.state.type === 'history') {
      const { target } = node.state;
      const found = target === undefined ? node.parent : targetOf(target, node, this.nodes);
      reached.add(node);
      if (found) this.#enter(found, reached);
      return;
    }
    this.#above(node, reached);
    if (!reached.has(node)) {
      reached.add(node);
      this.#within(node, reached);
    }
  }

  /** Enters the states around this one, and the other regions of each parallel state among them. */
  #above({ parent }: Node, reached: Set<Node>): void {
    if (!parent || reached.has(parent)) return;
    reached.add(parent);
    if (parent.state.type === 'parallel') this.#within(parent, reached);
    this.#above(parent, reached);
  }

  #within(node: Node, reached: Set<Node>): void {
    for (const child of this.enteredWith(node)) this.#enter(child, reached);
  }

  /** The states right within a state that are entered with it. */
  enteredWith(node: Node): Node[] {
    const { type, initial } = node.state;
    return this.childrenOf(node).filter(({ keys, state }) =>
      type === 'parallel' ? state.type !== 'history' : keys.at(-1) === initial,
    );
  }
}

/** The state itself and those around it. */
export function lineOf(node: Node): Node[] {
  return node.parent ? [node, ...lineOf(node.parent)] : [node];
}

export const isWithin = (node: Node, outer: Node): boolean => lineOf(node).includes(outer);

/** Whether both states can be active at the same time. */
export function areTogether(one: Node, other: Node): boolean {
  if (isWithin(one, other) || isWithin(other, one)) return true;
  const depth = one.keys.findIndex((key, index) => key !== other.keys[index]);
  let common: Node | undefined = one;
  while (common && common.keys.length > depth) common = common.parent;
  return common?.state.type === 'parallel';
}
