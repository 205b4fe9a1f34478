// Checks states: each can be entered and left again, and each wait has an end.
import {
  type FlowFile,
  type InvokeData,
  type JsonObject,
  listOf,
  type TransitionData,
} from '../flow-file.ts';
import { kindOfActor } from '../machine/actor-kinds.ts';
import { rowOf } from '../reading/action-effects.ts';
import {
  actionsOf,
  areApart,
  invokesOf,
  isWithin,
  lineOf,
  type Node,
  nodesOf,
  targetOf,
  targetsOf,
  transitionsOf,
  workOf,
} from '../reading/walk.ts';
import { lintFinding, type PlacedFinding } from './lint-finding.ts';

/** Whether lint sees the file of a flow: it finds the waits without end there, and not in whatever invokes it. */
type IsSeen = (src: string) => boolean;

export function stateFindings(reach: Reach, files: readonly FlowFile[] = []): PlacedFinding[] {
  const isSeen: IsSeen = (src) => files.some(({ name }) => name === src);
  const reached = reach.from([reach.root]);
  return reach.nodes.flatMap((node) => {
    const name = node.keys.join('.');
    if (!reached.has(node)) return [lintFinding('StateUnreachable', node.at, name)];
    if (!isResting(node, reach) || isDeclaredUnbounded(node)) return [];
    if (!isLeft(node, reach)) return [lintFinding('StateNeverLeft', node.at, name)];
    if (isPassed(node)) return [];
    return isBounded(node, isSeen) || isBoundedBeside(node, reach, isSeen)
      ? []
      : [lintFinding('WaitUnbounded', node.at, name)];
  });
}

/** Whether a process can wait in this state: it has no states within it, and it is not final. */
function isResting(node: Node, reach: Reach): boolean {
  const { type } = node.state;
  return type !== 'final' && type !== 'history' && reach.childrenOf(node).length === 0;
}

const isDeclaredUnbounded = (node: Node): boolean =>
  lineOf(node).some(({ state }) => typeof state.meta?.unbounded === 'string');

/** A state around this one may lead out too. Its `onDone` does not count: it comes only after this state is left. */
function isLeft(node: Node, reach: Reach): boolean {
  return lineOf(node).some((around) =>
    transitionsOf(around)
      .filter(({ trigger }) => trigger.kind !== 'onDone')
      .flatMap(({ transition }) => listOf(transition.target))
      .some((target) => targetOf(target, around, reach.nodes) !== node),
  );
}

/** It is left as soon as it is entered: if no guard before holds, by a transition without one. */
const isPassed = (node: Node): boolean =>
  lineOf(node).some(({ state }) =>
    listOf(state.always as string | TransitionData | undefined).some(
      (each) => typeof each === 'string' || each.guard === undefined,
    ),
  );

const isBounded = (node: Node, isSeen: IsSeen): boolean =>
  lineOf(node).some((around) => boundsOf(around, isSeen).length > 0);

/** What happens in a state after a time that is bounded: transitions, and events that it raises later. */
function boundsOf(node: Node, isSeen: IsSeen): readonly (TransitionData | null)[] {
  const ended = invokesOf(node).filter((each) => isBoundedInvoke(workOf(each).invoke, isSeen));
  const due = invokesOf(node).filter(({ invoke }) => isDue(invoke));
  const bounded = transitionsOf(node).filter(
    ({ trigger }) =>
      trigger.kind === 'after' ||
      (trigger.kind === 'on' && due.some(({ id }) => trigger.event === `${id}.overdue`)) ||
      ((trigger.kind === 'invokeDone' || trigger.kind === 'invokeError') &&
        ended.some(({ id }) => id === trigger.id)),
  );
  const raisesLater = actionsOf(node).some(
    ({ action, at }) =>
      rowOf(action)?.tells === 'itself' && action.params?.delay !== undefined && at.includes('entry'),
  );
  const found = bounded.map(({ transition }) => transition);
  return raisesLater || (ended.length > 0 && found.length === 0) ? [...found, null] : found;
}

/** Another region of a parallel state around it leads out of that state in time. */
function isBoundedBeside(node: Node, reach: Reach, isSeen: IsSeen): boolean {
  return lineOf(node).some((around) => {
    if (around.state.type !== 'parallel') return false;
    const beside = reach.nodes.filter(
      (each) => isWithin(each, around) && each !== around && !isWithin(node, each) && !isWithin(each, node),
    );
    return beside.some((each) =>
      boundsOf(each, isSeen).some(
        (transition) =>
          transition !== null &&
          targetsOf(transition, each, reach.nodes).some((target) => !isWithin(target, around)),
      ),
    );
  });
}

/** A question that says by an event when its time is over. */
const isDue = ({ src, input }: InvokeData): boolean =>
  src === 'ask' && (input as JsonObject).due !== undefined;

/**
 * An operation, a call and an undoing always end. A question, a booking and a built-in flow surely end only if the file gives
 * them a time limit; a booking that is the whole process gets it from whoever starts that.
 */
function isBoundedInvoke({ src, input }: InvokeData, isSeen: IsSeen): boolean {
  const kind = kindOfActor(src);
  if (kind === 'operation' || kind === 'call' || kind === 'undo' || isSeen(src)) return true;
  if (typeof input !== 'object' || input === null) return false;
  const { within, deadlines, isWhole } = input as JsonObject;
  return kind === 'ask' ? within !== undefined : deadlines !== undefined || isWhole === true;
}

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
    for (const child of this.#enteredWith(node)) this.#enter(child, reached);
  }

  /** The states right within a state that are entered with it. */
  #enteredWith(node: Node): Node[] {
    const { type, initial } = node.state;
    return this.childrenOf(node).filter(({ keys, state }) =>
      type === 'parallel' ? state.type !== 'history' : keys.at(-1) === initial,
    );
  }
}

/** Whether both states can be active at the same time. */
export const areTogether = (one: Node, other: Node): boolean =>
  isWithin(one, other) || isWithin(other, one) || areApart(one, other);
