// Every row of assumptions: States on one shipment, against the chart; what is not in the table is refused.

import { describe, expect, it } from 'vitest';
import { initialTransition } from 'xstate';
import { hasEnded, type StateCode, stateCodes } from '../../contract/wire/states.ts';
import { chartStateCodes, edges, initialStateCode, isActive, isReachable } from '../../machines/chart.ts';
import { explain } from '../../machines/rules.ts';
import { apply, type ShipmentEvent, type ShipmentFacts, shipmentMachine } from '../../machines/shipment.ts';

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

describe('a refusal', () => {
  it('says in which states the event is possible', () => {
    const outcome = apply({ ...received, shipmentUid: 's-1', stateCode: 'Completed' }, { type: 'Cancelled' });
    if (outcome.applied) throw new Error('expected a refusal');
    expect(explain(outcome.refusal)).toBe(
      'Shipment s-1 is Completed; it can be cancelled only in Registered, ReadyForDropoff, WaitForReceiver, ReadyForPickup.',
    );
  });

  it('says that a receiver is in the way', () => {
    const outcome = apply(
      { ...received, shipmentUid: 's-1', stateCode: 'Registered' },
      { type: 'ReceiverSet' },
    );
    if (outcome.applied) throw new Error('expected a refusal');
    expect(explain(outcome.refusal)).toBe(
      'Shipment s-1 has a receiver already; remove that one first, or choose a shipment without one.',
    );
  });
});
