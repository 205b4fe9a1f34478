// What is due comes in the order of time and of its adding, whatever was dropped in between.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Agenda } from '../../driver/agenda.ts';
import { freshSeed } from '../support/suite.ts';

const entries = fc.array(fc.record({ dueAt: fc.integer({ min: 0, max: 20 }), isDropped: fc.boolean() }), {
  maxLength: 60,
});

test('each that was not dropped comes once, by its time and then by its turn', () => {
  fc.assert(
    fc.property(entries, (given) => {
      const agenda = new Agenda();
      const added = given.map(({ dueAt }, turn) => ({ dueAt, summary: String(turn), ring: () => undefined }));
      for (const due of added) agenda.add(due);
      for (const [turn, due] of added.entries()) if (given[turn]?.isDropped) agenda.drop(due);
      const expected = given
        .map(({ dueAt, isDropped }, turn) => ({ dueAt, isDropped, turn }))
        .filter(({ isDropped }) => !isDropped)
        .sort((one, other) => one.dueAt - other.dueAt || one.turn - other.turn)
        .map(({ turn }) => String(turn));
      const taken: string[] = [];
      for (let next = agenda.next; next; next = agenda.next) {
        expect(agenda.take()).toBe(next);
        taken.push(next.summary);
      }
      expect(taken).toEqual(expected);
    }),
    { seed: freshSeed },
  );
});
