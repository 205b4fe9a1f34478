// Plays calls on a chain by the rules of contract/machines/ alone, and keeps what came of them.

import type { Change, LockerEffect } from '../../../contract/machines/chain.ts';
import type { Chain } from '../../../contract/machines/chain-shipments.ts';
import type { StateCode } from '../../../contract/wire/states.ts';
import { expected, type Move } from './chain-moves.ts';

export interface Played {
  chain: Chain;
  /** Of the last call. */
  changes: Change[];
  locker: LockerEffect;
  /** Of all calls: uid and state code of each callback that is due. */
  callbacks: [shipmentUid: string, stateCode: StateCode][];
}

export function play(...moves: Move[]): Played {
  return playOn([], ...moves);
}

export function playOn(chain: Chain, ...moves: Move[]): Played {
  const played: Played = { chain, changes: [], locker: 'Kept', callbacks: [] };
  for (const move of moves) {
    const answer = expected(played.chain, move);
    if (!answer.applied) throw new TypeError(`${JSON.stringify(move)} is refused with ${answer.error}`);
    Object.assign(played, answer.outcome);
    for (const { shipmentUid, to, stateCodeChanged } of played.changes) {
      if (stateCodeChanged) played.callbacks.push([shipmentUid, to]);
    }
  }
  return played;
}

/** State code of every shipment that the chain ever had, in chain order. */
export function states({ chain }: Played): StateCode[] {
  return chain.map(({ stateCode }) => stateCode);
}
