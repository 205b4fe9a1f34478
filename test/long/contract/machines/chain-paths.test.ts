// Every call in every state that a chain of up to three open shipments can reach, walked by the charts.

import { describe, expect, it } from 'vitest';
import type { Chain } from '../../../../contract/machines/chain-shipments.ts';
import { wrongInAnswer, wrongInChain } from '../../../support/chains/chain-invariants.ts';
import {
  afterMove,
  expected,
  type Move,
  movesOn,
  openShipments,
} from '../../../support/chains/chain-moves.ts';
import { keyOf, nameOf, reachablePairs, walks } from '../../../support/chains/chain-paths.ts';

/** Open shipments of a chain at a time. */
const LONGEST = 3;
const pairs = reachablePairs(LONGEST);

describe('the walks over chains', () => {
  const all = walks(pairs, 60);

  it('make every call in every reachable state, and keep every chain valid', () => {
    const made = new Set<string>();
    const wrong: string[] = [];
    for (const walk of all) {
      let chain: Chain = [];
      for (const move of walk) {
        const pair = JSON.stringify([keyOf(chain), move]);
        const answer = expected(chain, move);
        wrong.push(...wrongInAnswer(chain, answer));
        chain = answer.applied ? answer.outcome.chain : chain;
        wrong.push(...wrongInChain(chain));
        made.add(JSON.stringify([pair, keyOf(chain)]));
      }
    }
    expect(wrong).toEqual([]);
    const wanted = pairs.map(({ from, move, to }) => JSON.stringify([JSON.stringify([from, move]), to]));
    expect(wanted.filter((pair) => !made.has(pair))).toEqual([]);
    // More than was wanted would be a state that answers differently by what ended before it.
    expect(made.size).toBe(new Set(wanted).size);
  });

  it('reach each kind of chain and can end each', () => {
    const states = new Set(pairs.map(({ from }) => from));
    expect(states.size).toBeGreaterThan(300);
    const canEnd = new Set(['ended', 'ended, an item left']);
    for (let size = 0; size !== canEnd.size; ) {
      size = canEnd.size;
      for (const { from, to } of pairs) if (canEnd.has(to)) canEnd.add(from);
    }
    expect([...states].filter((state) => !canEnd.has(state))).toEqual([]);
  });
});

describe('a chain without its ended shipments', () => {
  it('answers every call like the whole chain, so that the service need not load ended shipments', () => {
    const unlike: string[] = [];
    const seen = new Set<string>();
    for (const walk of walks(reachablePairs(2), 60)) {
      let chain: Chain = [];
      for (const move of walk) {
        chain = afterMove(chain, move);
        const open = openShipments(chain);
        const state = `${keyOf(chain)} after ${chain.length - open.length}`;
        if (open.length === 0 || seen.has(state)) continue;
        seen.add(state);
        const moves = movesOn(open);
        unlike.push(...moves.filter((each) => told(chain, each) !== told(open, each)).map(nameOf));
      }
    }
    expect(unlike).toEqual([]);
  });
});

/** What an answer says, without the uids: a model's new uid depends on those that are there. */
function told(chain: Chain, move: Move): string {
  const answer = expected(chain, move);
  if (!answer.applied) return answer.error;
  const { changes, locker } = answer.outcome;
  return JSON.stringify([locker, changes.map((change) => ({ ...change, shipmentUid: null }))]);
}
