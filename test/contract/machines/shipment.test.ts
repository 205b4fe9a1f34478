// What each event does to one shipment (assumptions: States), against the chart; any other event is refused. And the judgement
// of an observed state, for every pair of states, with and without stamps.

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { initialTransition } from 'xstate';
import {
  chartStateCodes,
  edges,
  initialStateCode,
  isActive,
  isReachable,
} from '../../../contract/machines/chart.ts';
import { isAdvance, type Judgement, judge } from '../../../contract/machines/observed.ts';
import {
  apply,
  type ShipmentEvent,
  type ShipmentFacts,
  shipmentMachine,
} from '../../../contract/machines/shipment.ts';
import { instantOf } from '../../../contract/machines/state-start.ts';
import { hasEnded, type StateCode, stateCodes } from '../../../contract/wire/states.ts';

const plain: ShipmentFacts = {
  hasReceiver: false,
  keepBookedAfterPickUp: false,
  circularStockPending: false,
  followsPredecessor: false,
  isCollectOnly: false,
};
const received = { ...plain, hasReceiver: true };

type Row = [
  event: ShipmentEvent['type'],
  from: StateCode,
  facts: ShipmentFacts,
  to: StateCode,
  receiver?: boolean,
];

const table: Row[] = [
  ['ItemDroppedOff', 'ReadyForDropoff', received, 'ReadyForPickup'],
  ['ItemDroppedOff', 'ReadyForDropoff', plain, 'WaitForReceiver'],
  ['ItemDroppedOff', 'ReadyForDropoff', { ...received, circularStockPending: true }, 'Completed'],
  ['ItemDroppedOff', 'ReadyForDropoff', { ...plain, circularStockPending: true }, 'Completed'],
  ['ItemPickedUp', 'ReadyForPickup', received, 'Completed'],
  ['ItemPickedUp', 'ReadyForPickup', plain, 'Completed'],
  ['ItemPickedUp', 'ReadyForPickup', { ...received, keepBookedAfterPickUp: true }, 'ReadyForPickup'],
  ['SwapBegun', 'Registered', received, 'ReadyForPickup'],
  ['SwapBegun', 'Registered', plain, 'WaitForReceiver'],
  ['SubsequentIntakeBegun', 'Registered', received, 'ReadyForDropoff'],
  ['SubsequentIntakeBegun', 'Registered', plain, 'ReadyForDropoff'],
  ['CircularStockBegun', 'Registered', plain, 'ReadyForPickup'],
  ['CircularStockBegun', 'Registered', received, 'ReadyForPickup'],
  ['ReceiverSet', 'Registered', plain, 'Registered', true],
  ['ReceiverSet', 'ReadyForDropoff', plain, 'ReadyForDropoff', true],
  ['ReceiverSet', 'WaitForReceiver', plain, 'ReadyForPickup', true],
  ['IssuedFromStock', 'Registered', plain, 'Registered', true],
  ['IssuedFromStock', 'ReadyForDropoff', plain, 'ReadyForDropoff', true],
  ['IssuedFromStock', 'WaitForReceiver', plain, 'ReadyForPickup', true],
  ['IssuedFromStock', 'ReadyForPickup', plain, 'ReadyForPickup', true],
  ['ReceiverRemoved', 'Registered', received, 'Registered', false],
  ['ReceiverRemoved', 'ReadyForDropoff', received, 'ReadyForDropoff', false],
  ['Cancelled', 'Registered', plain, 'Cancelled'],
  ['Cancelled', 'Registered', received, 'Cancelled'],
  ['Cancelled', 'ReadyForDropoff', plain, 'Cancelled'],
  ['Cancelled', 'ReadyForDropoff', received, 'Cancelled'],
  ['Cancelled', 'WaitForReceiver', plain, 'Cancelled'],
  ['Cancelled', 'ReadyForPickup', plain, 'Cancelled'],
  ['Cancelled', 'ReadyForPickup', received, 'Cancelled'],
];

const events = [...new Set(table.map(([event]) => event))];

describe('the chart of one shipment', () => {
  it.each(table)(
    'takes %s in %s with %j to %s',
    (type, stateCode, facts, to, hasReceiver = facts.hasReceiver) => {
      expect(apply({ ...facts, shipmentUid: 's', stateCode }, { type })).toEqual({
        applied: true,
        stateCode: to,
        hasReceiver,
        stateCodeChanged: to !== stateCode,
      });
    },
  );

  it('refuses every event that is not in the table, naming the rule', () => {
    const taken = new Set(table.map(([event, from, { hasReceiver }]) => `${event} ${from} ${hasReceiver}`));
    const refusals: Record<string, string> = {};
    for (const type of events) {
      for (const stateCode of stateCodes) {
        for (const facts of [plain, received]) {
          if (taken.has(`${type} ${stateCode} ${facts.hasReceiver}`)) continue;
          if (stateCode === 'WaitForReceiver' && facts.hasReceiver) continue; // no shipment waits with a receiver
          const outcome = apply({ ...facts, shipmentUid: 's', stateCode }, { type });
          const rule = outcome.applied ? 'applied' : outcome.refusal.rule;
          if (rule !== 'stateTakesEvent') refusals[`${type} ${stateCode} ${facts.hasReceiver}`] = rule;
        }
      }
    }
    expect(refusals).toEqual({
      'ReceiverSet Registered true': 'hasNoReceiver',
      'ReceiverSet ReadyForDropoff true': 'hasNoReceiver',
      'IssuedFromStock Registered true': 'hasNoReceiver',
      'IssuedFromStock ReadyForDropoff true': 'hasNoReceiver',
      'IssuedFromStock ReadyForPickup true': 'hasNoReceiver',
      'ReceiverRemoved Registered false': 'hasReceiver',
      'ReceiverRemoved ReadyForDropoff false': 'hasReceiver',
    });
  });

  it('begins a successor as Registered, a collect-only booking as ReadyForPickup, any other as ReadyForDropoff', () => {
    expect(initialStateCode({ ...plain, followsPredecessor: true })).toBe('Registered');
    expect(initialStateCode({ ...received, isCollectOnly: true })).toBe('ReadyForPickup');
    expect(initialStateCode(received)).toBe('ReadyForDropoff');
    expect(initialStateCode(plain)).toBe('ReadyForDropoff');
  });

  it('begins every kind of shipment where the machine, run, begins it', () => {
    const names = Object.keys(plain) as (keyof ShipmentFacts)[];
    for (let kind = 0; kind < 2 ** names.length; kind++) {
      const isSet = (index: number) => Math.floor(kind / 2 ** index) % 2 === 1;
      const facts: ShipmentFacts = { ...plain };
      for (const [index, name] of names.entries()) facts[name] = isSet(index);
      const [snapshot] = initialTransition(shipmentMachine, facts);
      expect(initialStateCode(facts), JSON.stringify(facts)).toBe(snapshot.value);
    }
  });

  it('has exactly the state codes of the contract, active but for Completed and Cancelled', () => {
    expect([...chartStateCodes].sort()).toEqual([...stateCodes].sort());
    expect(stateCodes.filter((code) => !isActive(code))).toEqual(['Completed', 'Cancelled']);
    expect(stateCodes.filter(hasEnded)).toEqual(['Completed', 'Cancelled']);
  });

  it('never leads back to a state that was left, so two states have one order', () => {
    const cycles = chartStateCodes.filter((state) => isReachable(state, state));
    expect(cycles).toEqual([]);
    expect(edges.filter(({ from, to }) => from === to).map(({ event }) => event)).toContain('ItemPickedUp');
  });

  it('leads from every active state to an end, and from the booking to every state', () => {
    for (const state of chartStateCodes.filter(isActive)) expect(isReachable(state, 'Cancelled')).toBe(true);
    for (const state of chartStateCodes) expect(isReachable('Booked', state)).toBe(true);
  });
});

const short: Record<string, Judgement> = {
  n: 'next',
  a: 'skippedAhead',
  s: 'stale',
  r: 'repeated',
  '!': 'contradictory',
};

/** Rows: what is known; columns: what is reported, in the contract's order of the states. Written by hand, once. */
const judgements = {
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
  judgements[known].split(' ').map((letter, column) => {
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

  it('forgives clocks of one service that differ by up to a minute', () => {
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
