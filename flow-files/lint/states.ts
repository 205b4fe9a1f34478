// Checks states: each can be entered and left again, and each wait has an end.
import { type InvokeData, type JsonObject, listOf } from '../flow-file.ts';
import { kindOfActor } from '../machine/actor-kinds.ts';
import { actionsOf, invokesOf, type Node, targetOf, transitionsOf } from '../reading/walk.ts';
import { lintFinding, type PlacedFinding } from './lint-finding.ts';
import { lineOf, type Reach } from './reach.ts';

export function stateFindings(reach: Reach): PlacedFinding[] {
  const reached = reach.from([reach.root]);
  return reach.nodes.flatMap((node) => {
    const name = node.keys.join('.');
    if (!reached.has(node)) return [lintFinding('StateUnreachable', node.at, name)];
    if (!isResting(node, reach) || isDeclaredUnbounded(node)) return [];
    if (!isLeft(node, reach)) return [lintFinding('StateNeverLeft', node.at, name)];
    return isBounded(node) ? [] : [lintFinding('WaitUnbounded', node.at, name)];
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

function isBounded(node: Node): boolean {
  return lineOf(node).some((around) => {
    const { after, always } = around.state;
    const isPassed = listOf(always as object | undefined).some(
      (each) => typeof each === 'string' || !('guard' in each),
    );
    const raisesLater = actionsOf(around).some(
      ({ action, at }) =>
        action.type === 'raise' && action.params?.delay !== undefined && at.includes('entry'),
    );
    return (
      isPassed ||
      raisesLater ||
      Object.keys(after ?? {}).length > 0 ||
      invokesOf(around).some(({ invoke }) => isBoundedInvoke(invoke))
    );
  });
}

/** An operation and a call always end. A question and a flow surely end only if the file gives them a time limit. */
function isBoundedInvoke({ src, input }: InvokeData): boolean {
  const kind = kindOfActor(src);
  if (kind === 'operation' || kind === 'call') return true;
  if (typeof input !== 'object' || input === null) return false;
  const { within, deadlines } = input as JsonObject;
  return kind === 'ask' ? within !== undefined : deadlines !== undefined;
}
