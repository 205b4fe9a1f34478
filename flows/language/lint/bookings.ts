// Checks bookings. What a file books by an operation must be undone on each way to the end; a built-in flow and `src: book` undo
// their own. A booking whose state is left by what it reports is undone, though it was going well.
import { listOf } from '../flow-file.ts';
import { kindOfActor } from '../machine/actor-kinds.ts';
import {
  invokesOf,
  isWithin,
  lineOf,
  type Node,
  targetOf,
  targetsOf,
  transitionsOf,
  workOf,
} from '../reading/walk.ts';
import { lintFinding, type PlacedFinding } from './lint-finding.ts';
import type { Reach } from './states.ts';

const books = (src: string): boolean =>
  kindOfActor(src) === 'operation' && /^Create(?:Local|CollectOnly)Shipment/.test(src);

const undoes = (node: Node): boolean =>
  invokesOf(node).some((each) => ['CancelShipment', 'undo'].includes(workOf(each).invoke.src)) ||
  typeof node.state.meta?.keepsBooking === 'string';

export function bookingFindings(reach: Reach): PlacedFinding[] {
  return [...reach.nodes.flatMap((node) => leftFindings(node, reach)), ...notUndone(reach)];
}

/** A state within the one that books may lead out of both. */
function leftFindings(node: Node, { nodes }: Reach): PlacedFinding[] {
  const ids = invokesOf(node).flatMap(({ invoke, id }) => (invoke.src === 'book' ? [id] : []));
  if (ids.length === 0 || typeof node.state.meta?.undoesBooking === 'string') return [];
  return nodes
    .filter((each) => isWithin(each, node))
    .flatMap((from) =>
      transitionsOf(from).flatMap(({ trigger, transition, at }) => {
        if (trigger.kind !== 'on' || !ids.some((id) => trigger.event.startsWith(`${id}.`))) return [];
        const leaves = targetsOf(transition, from, nodes).some((target) => !isWithin(target, node));
        return leaves ? [lintFinding('BookingLeft', at, trigger.event)] : [];
      }),
    );
}

function notUndone(reach: Reach): PlacedFinding[] {
  return reach.nodes.flatMap((node) =>
    invokesOf(node)
      .map(workOf)
      .filter(({ invoke }) => books(invoke.src))
      .flatMap(({ id, invoke, at }) => {
        const because = kept(node, id, reach);
        return because === undefined ? [] : [lintFinding('BookingNotUndone', at, invoke.src, because)];
      }),
  );
}

/** Why the process can end without undoing the booking; undefined if it always undoes it. */
function kept(node: Node, id: string, reach: Reach): string | undefined {
  const booked = transitionsOf(node)
    .filter(({ trigger }) => trigger.kind === 'invokeDone' && trigger.id === id)
    .flatMap(({ transition }) => listOf(transition.target))
    .flatMap((target) => targetOf(target, node, reach.nodes) ?? []);
  const after = reach.from(booked, undoes);
  const open = [...after].filter(
    (each) => each.parent && !undoes(each) && reach.childrenOf(each).length === 0,
  );
  const end = open.find(({ state, parent }) => state.type === 'final' && parent === reach.root);
  if (end) return `${end.keys.join('.')} ends the process`;
  const deaf = open.find(
    (each) => !lineOf(each).some(({ state }) => Object.hasOwn(state.on ?? {}, 'cancelRequested')),
  );
  return deaf && `${deaf.keys.join('.')} does not take cancelRequested`;
}
