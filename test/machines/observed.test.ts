// The judgement of an observed state, for every pair of states, with and without stamps.

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { stateCodes } from '../../contract/wire/states.ts';
import { isAdvance, type Judgement, judge } from '../../machines/observed.ts';
import { instantOf } from '../../machines/state-start.ts';

const short: Record<string, Judgement> = {
  n: 'next',
  a: 'skippedAhead',
  s: 'stale',
  r: 'repeated',
  '!': 'contradictory',
};

/** Rows: what is known; columns: what is reported, in the contract's order of the states. Written by hand, once. */
const table = {
  nothing: 'n n a n a a',
  Registered: 'r n n n a n',
  ReadyForDropoff: 's r n n n n',
  WaitForReceiver: 's s r n a n',
  ReadyForPickup: 's s s r n n',
  Completed: 's s s s r !',
  Cancelled: 's s s s ! r',
};

const early = '2030-01-01T10:00:00';
const late = '2030-01-01T11:00:00';
const cells = (['nothing', ...stateCodes] as const).flatMap((known) =>
  table[known].split(' ').map((letter, column) => {
    const stateCode = stateCodes[column];
    const judgement = short[letter];
    if (!stateCode || !judgement) throw new Error('the table is not square');
    return { known: known === 'nothing' ? null : known, stateCode, judgement };
  }),
);

const judged = (known: (typeof cells)[number], knownStart?: string | null, start?: string | null) =>
  judge(known.known && { stateCode: known.known, stateStart: knownStart ?? null }, {
    stateCode: known.stateCode,
    stateStart: start ?? null,
  });

describe('the judgement of an observed state', () => {
  it.each(cells)('known $known, reported $stateCode: $judgement', (cell) => {
    expect(judged(cell)).toBe(cell.judgement);
  });

  it('is the same with one stamp missing, with equal and with unreadable stamps', () => {
    for (const cell of cells) {
      for (const [knownStart, start] of [
        [early, null],
        [null, early],
        [early, early],
        [early, ''],
        ['not a date', late],
      ]) {
        expect(judged(cell, knownStart, start)).toBe(cell.judgement);
      }
    }
  });

  it('is the same for a later state of the chart with any time, so that a wrong clock stops no shipment', () => {
    for (const cell of cells.filter(({ judgement }) => isAdvance(judgement))) {
      expect(judged(cell, late, early)).toBe(cell.judgement);
      expect(judged(cell, early, late)).toBe(cell.judgement);
    }
  });

  it('calls an earlier state stale when it began earlier, and contradictory when it began clearly later', () => {
    for (const cell of cells.filter(({ judgement }) => judgement === 'stale')) {
      expect(judged(cell, late, early)).toBe('stale');
      expect(judged(cell, early, late)).toBe('contradictory');
    }
  });

  it('forgives clocks of one peer that differ by up to a minute', () => {
    const known = { stateCode: 'ReadyForPickup', stateStart: '2030-01-01T10:00:00' } as const;
    const reported = (stateStart: string) => judge(known, { stateCode: 'WaitForReceiver', stateStart });
    expect(reported('2030-01-01T10:01:00')).toBe('stale');
    expect(reported('2030-01-01T10:01:00.001')).toBe('contradictory');
  });

  it('is unknown for words that are not state codes, also for words of JavaScript and of the chart', () => {
    for (const stateCode of [
      '',
      'Booked',
      'Klaar',
      'readyforpickup',
      'toString',
      '__proto__',
      'constructor',
    ]) {
      expect(judge(null, { stateCode })).toBe('unknown');
      expect(judge({ stateCode: 'Completed' }, { stateCode })).toBe('unknown');
    }
  });
});

describe('a stateStart', () => {
  // A zone with summer time: on a machine in UTC the very mistake that this guards against would not show.
  beforeAll(() => {
    vi.stubEnv('TZ', 'America/New_York');
  });
  afterAll(() => {
    vi.unstubAllEnvs();
  });

  // assumptions: The wire, stateStart without zone
  it('without an offset is UTC, in any time zone of the machine', () => {
    expect(new Date(2030, 0, 1).getTimezoneOffset()).toBe(300);
    const noon = Date.UTC(2030, 0, 1, 12);
    expect(instantOf('2030-01-01T12:00:00')).toBe(noon);
    expect(instantOf('2030-01-01T12:00:00.0000000')).toBe(noon);
    expect(instantOf('2030-01-01T12:00:00Z')).toBe(noon);
    expect(instantOf('2030-01-01T13:00:00+01:00')).toBe(noon);
    expect(instantOf('2030-01-01T11:00:00-0100')).toBe(noon);
  });

  // assumptions: A bare vendor, A stateStart that is missing, unreadable, before 1970 or after 9999
  it('that is absent or unreadable is not known', () => {
    const nothing = [null, undefined, '', 'yesterday', '2030-13-45T99:00:00'];
    for (const none of ['0001-01-01T00:00:00', '+275760-09-13T00:00:00', ...nothing]) {
      expect(instantOf(none)).toBeNull();
    }
  });
});
