// Random calls on chains of any length: what holds after each, whatever came before. Failing runs print their seed.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Chain } from '../../../contract/machines/chain-shipments.ts';
import {
  isAdvance,
  judge,
  type KnownObservation,
  type Observation,
} from '../../../contract/machines/observed.ts';
import type { StateCode } from '../../../contract/wire/states.ts';
import { wrongInAnswer, wrongInChain } from '../../support/chains/chain-invariants.ts';
import { expected, type Move, movesOn } from '../../support/chains/chain-moves.ts';
import { atSizes } from '../../support/suite.ts';

/** Calls as numbers: each picks one of the calls that there are on the chain as it is by then. */
const calls = fc.array(fc.nat(), { minLength: 1, maxLength: 80, size: 'max' });

/** Primes beyond the number of calls on any chain, so that steps of either come by every call. */
const strides = [7_919, 15_485_863, 104_729] as const;

/**
 * A call on the chain as it is by then. Most are such that go on with it: a cancelling or refused one each time would leave only
 * short ones.
 */
function chosenMove(chain: Chain, number: number): Move {
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

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}

/** Every state that each shipment was told to be in, in order, its first one included. */
function histories(numbers: readonly number[]): Map<string, StateCode[]> {
  const told = new Map<string, StateCode[]>();
  let chain: Chain = [];
  for (const call of numbers) {
    const answer = expected(chain, chosenMove(chain, call));
    if (!answer.applied) continue;
    chain = answer.outcome.chain;
    for (const { shipmentUid, from, to, stateCodeChanged } of answer.outcome.changes) {
      if (from === null) told.set(shipmentUid, [to]);
      else if (stateCodeChanged) told.get(shipmentUid)?.push(to);
    }
  }
  return told;
}

describe('random calls on a chain', () => {
  atSizes({ short: 30, long: 200 }, (numRuns, seed) =>
    it('keep it valid, and report what they did', () => {
      fc.assert(
        fc.property(calls, (numbers) => {
          let chain: Chain = [];
          for (const call of numbers) {
            const answer = expected(deepFreeze(chain), chosenMove(chain, call));
            expect(wrongInAnswer(chain, answer)).toEqual([]);
            if (answer.applied) chain = answer.outcome.chain;
            expect(wrongInChain(chain)).toEqual([]);
          }
        }),
        { seed, numRuns },
      );
    }),
  );

  atSizes({ short: 15, long: 100 }, (numRuns, seed) =>
    it('use plain data only: nothing is lost in JSON, and the same call gives the same answer', () => {
      fc.assert(
        fc.property(calls, (numbers) => {
          let chain: Chain = [];
          for (const call of numbers) {
            const move = chosenMove(chain, call);
            const answer = expected(chain, move);
            expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
            expect(expected(JSON.parse(JSON.stringify(chain)), move)).toEqual(answer);
            if (answer.applied) chain = answer.outcome.chain;
          }
        }),
        { seed, numRuns },
      );
    }),
  );
});

describe('who only observes', () => {
  /** The order of delivery: each number picks a report, so that some come late, some twice. */
  const deliveries = fc.array(fc.nat(), { maxLength: 20 });

  atSizes({ short: 30, long: 200 }, (numRuns, seed) =>
    it('ends at the true state when reports come late, twice and in any order, and never finds them contradictory', () => {
      fc.assert(
        fc.property(calls, deliveries, fc.boolean(), (numbers, order, isStamped) => {
          for (const states of histories(numbers).values()) {
            const reports = states.map((stateCode, second): Observation & { stateCode: StateCode } => ({
              stateCode,
              stateStart: isStamped ? new Date(second * 90_000).toISOString().slice(0, -1) : null,
            }));
            const early = order.map((number) => reports[number % reports.length] ?? reports[0]);
            let known: KnownObservation | null = null;
            for (const report of [...early, ...reports]) {
              if (!report) continue;
              const judgement = judge(known, report);
              expect(['unknown', 'contradictory']).not.toContain(judgement);
              if (isAdvance(judgement)) known = report;
            }
            expect(known?.stateCode).toBe(states.at(-1));
          }
        }),
        { seed, numRuns },
      );
    }),
  );
});
