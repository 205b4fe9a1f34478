// Every call in every state that a chain of up to three open shipments can reach, walked by the charts.

import { describe, expect, it } from 'vitest';
import type { Chain } from '../../machines/chain-shipments.ts';
import { expectSoundAnswer, expectSoundChain } from '../support/chain-invariants.ts';
import { afterMove, expected, movesOn } from '../support/chain-moves.ts';
import { keyOf, reachablePairs, walks } from '../support/chain-paths.ts';

const pairs = reachablePairs(3);

describe('the walks over chains', () => {
  const all = walks(pairs, 60);

  it('make every call in every reachable state, whatever ended before, and keep every chain sound', () => {
    const made = new Set<string>();
    for (const walk of all) {
      let chain: Chain = [];
      for (const move of walk) {
        const pair = JSON.stringify([keyOf(chain), move]);
        const answer = expected(chain, move);
        expectSoundAnswer(chain, answer);
        chain = afterMove(chain, move);
        made.add(JSON.stringify([pair, keyOf(chain)]));
      }
      expectSoundChain(chain);
    }
    const wanted = pairs.map(({ from, move, to }) => JSON.stringify([JSON.stringify([from, move]), to]));
    expect(wanted.filter((pair) => !made.has(pair))).toEqual([]);
    // More than was wanted would be a state that answers differently by what ended before it.
    expect(made.size).toBe(new Set(wanted).size);
  });

  it('reach each kind of chain and can end each', () => {
    const states = new Set(pairs.map(({ from }) => from));
    expect(states.size).toBeGreaterThan(300);
    const canEnd = new Set(['ended']);
    for (let size = 0; size !== canEnd.size; ) {
      size = canEnd.size;
      for (const { from, to } of pairs) if (canEnd.has(to)) canEnd.add(from);
    }
    expect([...states].filter((state) => !canEnd.has(state))).toEqual([]);
  });
});

it('a chain answers alike when what has ended is left out', () => {
  for (const walk of walks(reachablePairs(2), 60)) {
    let chain: Chain = [];
    for (const move of walk) {
      chain = afterMove(chain, move);
      expectAlikeWithoutEnded(chain);
    }
  }
});

function expectAlikeWithoutEnded(chain: Chain): void {
  const open = chain.filter(({ stateCode }) => stateCode !== 'Completed' && stateCode !== 'Cancelled');
  if (open.length === 0) return;
  for (const move of movesOn(open)) {
    const [whole, part] = [expected(chain, move), expected(open, move)];
    expect(part.applied).toBe(whole.applied);
    if (!whole.applied || !part.applied) continue;
    expect(part.outcome.locker).toBe(whole.outcome.locker);
    expect(part.outcome.changes.map(({ from, to }) => [from, to])).toEqual(
      whole.outcome.changes.map(({ from, to }) => [from, to]),
    );
  }
}
