// Walks over whole chains, generated from the charts: every call in every state that a chain can reach.
// To be walked against contract/machines/ and, call for call, against the running service.

import { fromTransition } from 'xstate';
import { adjacencyMapToArray, getAdjacencyMap } from 'xstate/graph';
import type { Chain, ChainShipment } from '../../../contract/machines/chain-shipments.ts';
import { statesTaking } from '../../../contract/machines/chart.ts';
import { afterMove, type Move, movesOn, openShipments, users } from './chain-moves.ts';

const model = fromTransition(
  ({ chain }: { chain: Chain }, { move }: { type: string; move: Move }) => ({
    chain: afterMove(chain, move),
  }),
  { chain: [] },
);

const start = 'no chain';

const receivers: Record<string, string> = { [users.dispatcher]: 'dispatcher', null: 'nobody' };

/** It has none, or the one that it has can be removed. */
const mayLackReceiver = ({ stateCode, toUserUid }: ChainShipment) =>
  toUserUid === null || statesTaking('ReceiverRemoved').includes(stateCode);

/**
 * What is open of a chain, and whether anything ended before, or an item was left. Chains that agree in it take the same calls
 * alike.
 */
export function keyOf(chain: Chain): string {
  if (chain.length === 0) return start;
  const open = openShipments(chain).map((shipment, place) => [
    place === 0 ? shipment.shipmentType : `${shipment.predecessor?.link} of it:`,
    shipment.stateCode,
    `to ${receivers[`${shipment.toUserUid}`] ?? 'a user'}`,
    ...(place > 0 && shipment.fromFollowsPredecessorReceiver ? ['from its receiver'] : []),
    ...(shipment.keepBookedAfterPickUp ? ['kept booked'] : []),
    ...(shipment.isStock && mayLackReceiver(shipment) ? ['as stock'] : []),
  ]);
  const words = open.map((each) => each.join(' '));
  const isItemLeft = chain.some((shipment) => shipment.isItemLeft);
  return [
    ...(open.length < chain.length ? [isItemLeft ? 'ended, an item left' : 'ended'] : []),
    ...words,
  ].join(', ');
}

/** One call in one state, and the state that it leads to; the same state when it is refused or changes no state. */
export interface Pair {
  from: string;
  move: Move;
  to: string;
}

/** Every pair of the chains that have at most `longest` open shipments at a time. */
export function reachablePairs(longest: number): Pair[] {
  const map = getAdjacencyMap(model, {
    events: ({ context: { chain } }) =>
      movesOn(chain)
        .filter((move) => openShipments(afterMove(chain, move)).length <= longest)
        .map((move) => ({ type: nameOf(move), move })),
    serializeState: ({ context }) => keyOf(context.chain),
  });
  return adjacencyMapToArray(map).map(({ state, event, nextState }) => ({
    from: keyOf(state.context.chain),
    move: event.move,
    to: keyOf(nextState.context.chain),
  }));
}

export function nameOf(move: Move): string {
  return 'on' in move ? `${move.name} on ${move.on}` : move.name;
}

/**
 * Walks that together make every wanted pair at least once, each from no chain on. Refused calls are made in passing, since
 * they leave the state; so the walks are few, and a refusal that does change something shows in what follows it.
 */
export function walks(pairs: readonly Pair[], maxMoves: number, isWanted = (_pair: Pair) => true): Move[][] {
  const waysFrom = Map.groupBy(pairs, ({ from }) => from);
  const left = new Set(pairs.filter(isWanted));
  const all: Move[][] = [];
  while (left.size > 0) {
    const before = left.size;
    const walk: Pair[] = [];
    while (walk.length < maxMoves) {
      const leg = nearest(waysFrom, walk.at(-1)?.to ?? start, (pair) => left.has(pair));
      if (leg.length === 0) break;
      walk.push(...leg);
      for (const pair of leg) left.delete(pair);
    }
    if (left.size === before)
      throw new TypeError(`${left.size} pairs are too far for walks of ${maxMoves} moves`);
    all.push(walk.map(({ move }) => move));
  }
  return all;
}

/** The shortest way from a state to and over a wanted pair, those first that stay in their state; empty: none. */
function nearest(waysFrom: Map<string, Pair[]>, from: string, isWanted: (pair: Pair) => boolean): Pair[] {
  const seen = new Set([from]);
  const open: { at: string; way: Pair[] }[] = [{ at: from, way: [] }];
  for (const { at, way } of open) {
    const ways = waysFrom.get(at) ?? [];
    const wanted = ways.filter(isWanted);
    const pair = wanted.find(({ to }) => to === at) ?? wanted[0];
    if (pair) return [...way, pair];
    for (const next of ways) {
      if (seen.has(next.to)) continue;
      seen.add(next.to);
      open.push({ at: next.to, way: [...way, next] });
    }
  }
  return [];
}
