// Checks failures: whatever an invoke may fail with is taken by some state.
import type { JsonObject } from '../flow-file.ts';
import { actionsOf, type InvokeAt, invokesOf, type Node, transitionsOf } from '../reading/walk.ts';
import { lintFinding, type PlacedFinding } from './lint-finding.ts';
import { areTogether, type Reach } from './reach.ts';

export function failureFindings({ nodes }: Reach): PlacedFinding[] {
  const cancelled = nodes
    .flatMap(actionsOf)
    .flatMap(({ action }) => (action.type === 'cancel' ? [String(action.params?.invoke)] : []));
  return nodes.flatMap((node) =>
    invokesOf(node).flatMap((invoke) => {
      const mayFail = !neverFails(invoke) || cancelled.includes(invoke.id);
      return mayFail && !isTaken(invoke, node, nodes)
        ? [lintFinding('FailureUnhandled', invoke.at, invoke.id)]
        : [];
    }),
  );
}

/**
 * A question fails only at the end of its time, an `each` only if it does not tolerate all failures of its items. What cannot be
 * undone is asked of a person.
 */
function neverFails({ invoke: { src, input } }: InvokeAt): boolean {
  const { within, tolerate, enough } = (input ?? {}) as JsonObject;
  if (src === 'each') return tolerate === 'all' && typeof enough !== 'string';
  return src === 'undo' || (src === 'ask' && within === undefined);
}

/** xstate takes `*` for failures too. */
function isTaken({ invoke }: InvokeAt, node: Node, nodes: readonly Node[]): boolean {
  if (invoke.onError !== undefined || typeof invoke.meta?.unhandled === 'string') return true;
  return nodes.some(
    (each) =>
      areTogether(each, node) &&
      transitionsOf(each).some(({ trigger }) => trigger.kind === 'on' && trigger.event === '*'),
  );
}
