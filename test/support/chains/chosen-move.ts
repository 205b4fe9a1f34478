// Turns a random number into a call on a chain as it is by then, so that random numbers make random walks.

import type { Chain } from '../../../machines/chain-shipments.ts';
import { expected, type Move, movesOn } from './chain-moves.ts';

/** Primes beyond the number of calls on any chain, so that steps of either come by every call. */
const strides = [7_919, 15_485_863, 104_729] as const;

/** Most are such that go on with the chain: a cancelling or refused one each time would leave only short ones. */
export function chosenMove(chain: Chain, number: number): Move {
  const all = movesOn(chain);
  const start = Math.floor(number / 4) % all.length;
  const stride = strides[Math.floor(number / 4 / all.length) % strides.length] ?? 1;
  const inTurn = all.map((_, step) => all[(start + step * stride) % all.length]);
  const isGoingOn = (move?: Move) =>
    move !== undefined && move.name !== 'CancelShipment' && expected(chain, move).applied;
  const move = (number % 4 === 0 ? undefined : inTurn.find(isGoingOn)) ?? inTurn[0];
  if (!move) throw new TypeError('expected a call on every chain');
  return move;
}
