// A run of chaos can be had again by its seed.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planOf } from './plan.ts';
import { oneMachine } from './processes.ts';

const size = { flows: 200, kills: 60, faults: 80 };

test('the same seed makes the same plan, another seed another', () => {
  expect(planOf(7, size, oneMachine)).toEqual(planOf(7, size, oneMachine));
  expect(planOf(8, size, oneMachine)).not.toEqual(planOf(7, size, oneMachine));
});

test('every plan kills every part and disturbs every way about as often, while there is still progress to come', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (seed) => {
      const { flows, kills, faults, steps } = planOf(seed, size, oneMachine);
      expect(flows).toHaveLength(size.flows);
      for (const part of oneMachine.parts)
        expect(kills.filter((kill) => kill.part === part)).toHaveLength(12);
      for (const way of oneMachine.ways) expect(faults.filter((fault) => fault.way === way)).toHaveLength(16);
      for (const { step } of [...kills, ...faults]) {
        expect(step).toBeGreaterThan(0);
        expect(step).toBeLessThan(steps);
      }
    }),
  );
});
