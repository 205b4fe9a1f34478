// Checks steps that can be undone: something undoes them, also where the process is cancelled.
import { CANCEL_REQUESTED } from '../../../engine/chart/messages.ts';
import { invokesOf, type Node } from '../reading/walk.ts';
import { lintFinding, type PlacedFinding } from './lint-finding.ts';
import { lineOf, type Reach } from './reach.ts';

export function undoFindings({ nodes }: Reach): PlacedFinding[] {
  const all = nodes.flatMap((node) => invokesOf(node).map((each) => ({ ...each, node })));
  const steps = all.filter(({ invoke }) => invoke.undo !== undefined);
  const undoing = all.filter(({ invoke }) => invoke.src === 'undo');
  if (steps.length === 0) return undoing.map(({ at, id }) => lintFinding('NothingToUndo', at, id));
  return steps.flatMap(({ at, id, invoke, node }) => {
    const place = [...at, 'undo'];
    if (undoing.length === 0) return [lintFinding('UndoNeverRuns', place, id)];
    return takesCancellation(node) || typeof invoke.meta?.keptAtCancel === 'string'
      ? []
      : [lintFinding('CancelNotUndone', place, id)];
  });
}

const takesCancellation = (node: Node): boolean =>
  lineOf(node).some(({ state }) => Object.hasOwn(state.on ?? {}, CANCEL_REQUESTED));
