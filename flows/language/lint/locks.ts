// Checks locks: what needs one waits for its turn, and nobody waits for a turn without end.
import { invokesOf, type Node, transitionsOf } from '../reading/walk.ts';
import { lintFinding, type PlacedFinding } from './lint-finding.ts';
import { isWithin, lineOf, type Reach } from './reach.ts';

export function lockFindings({ nodes }: Reach): PlacedFinding[] {
  return nodes.flatMap((node) =>
    invokesOf(node).flatMap((each, index) => {
      if (each.invoke.src !== 'lock') return [];
      const waiting = nodes.filter((other) => isWithin(other, node) && takes(other, `${each.id}.acquired`));
      if (waiting.length === 0) return [lintFinding('LockUnheard', each.at, each.id)];
      const around = [
        ...invokesOf(node).slice(0, index),
        ...lineOf(node)
          .filter((other) => other !== node)
          .flatMap(invokesOf),
      ].find(({ invoke }) => invoke.src === 'lock');
      return around && !waiting.every((other) => isBounded(other, node))
        ? [lintFinding('LocksWithinEachOther', each.at, each.id, `it waits while it holds ${around.id}`)]
        : [];
    }),
  );
}

/** It may take all events of the lock, or all there are. */
const takes = (node: Node, event: string): boolean =>
  transitionsOf(node).some(
    ({ trigger }) =>
      trigger.kind === 'on' &&
      (trigger.event === event ||
        (trigger.event.endsWith('*') && event.startsWith(trigger.event.slice(0, -1)))),
  );

/** A time ends the wait, in the state that waits or in one around it that the lock is for. */
const isBounded = (waiting: Node, owner: Node): boolean =>
  lineOf(waiting).some(
    (node) => isWithin(node, owner) && transitionsOf(node).some(({ trigger }) => trigger.kind === 'after'),
  );
