// Checks states: each can be entered and left again, and each wait has an end.
import {
  type FlowFile,
  type InvokeData,
  type JsonObject,
  listOf,
  type TransitionData,
} from '../flow-file.ts';
import { kindOfActor } from '../machine/actor-kinds.ts';
import {
  actionsOf,
  invokesOf,
  type Node,
  targetOf,
  targetsOf,
  transitionsOf,
  workOf,
} from '../reading/walk.ts';
import { pinOf } from '../registry.ts';
import { lintFinding, type PlacedFinding } from './lint-finding.ts';
import { isWithin, lineOf, type Reach } from './reach.ts';

/** Whether lint sees the file of a flow: it finds the waits without end there, and not in whatever invokes it. */
type IsSeen = (src: string) => boolean;

export function stateFindings(reach: Reach, files: readonly FlowFile[] = []): PlacedFinding[] {
  const isSeen: IsSeen = (src) => files.some(({ name }) => name === src || name === pinOf(src).flow);
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

/** The first transition of a list whose guard holds is taken: none after one without a guard ever is. */
export function neverTakenFindings({ nodes }: Reach): PlacedFinding[] {
  return nodes.flatMap((node) => {
    const plain = new Set<string>();
    return transitionsOf(node).flatMap(({ trigger, transition, at }) => {
      const key = JSON.stringify(trigger);
      if (plain.has(key)) return [lintFinding('TransitionNeverTaken', at, transitionWords(transition))];
      if (transition.guard === undefined) plain.add(key);
      return [];
    });
  });
}

const transitionWords = ({ target, guard }: TransitionData): string =>
  [target ?? [], guard === undefined ? [] : 'with a guard'].flat().join(' ') || 'a transition';

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
    ({ action, at }) => action.type === 'raise' && action.params?.delay !== undefined && at.includes('entry'),
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
 * An operation and a call always end. A question and a built-in flow surely end only if the file gives
 * them a time limit.
 */
function isBoundedInvoke({ src, input }: InvokeData, isSeen: IsSeen): boolean {
  const kind = kindOfActor(src);
  if (kind === 'operation' || kind === 'call' || kind === 'undo' || isSeen(src)) return true;
  if (typeof input !== 'object' || input === null) return false;
  const { within, deadlines } = input as JsonObject;
  return kind === 'ask' ? within !== undefined : deadlines !== undefined;
}
