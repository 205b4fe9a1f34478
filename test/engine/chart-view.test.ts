// What people see of a machine, and where a process stands in it.
import { expect, test } from 'vitest';
import { createActor, setup } from 'xstate';
import { chartView, positionOf } from '../../engine/chart/chart-view.ts';
import { activity } from './fixtures/machine.ts';

const order = setup({
  actors: { charge: activity<string, string>('charge') },
  guards: { isPaid: () => true },
}).createMachine({
  id: 'order',
  initial: 'open',
  states: {
    open: {
      initial: 'unpaid',
      states: {
        unpaid: { after: { 1000: 'late' }, on: { PAY: { guard: 'isPaid', target: '#order.charging' } } },
        late: { type: 'final' },
      },
      onDone: 'over',
    },
    charging: {
      invoke: { src: 'charge', input: () => '', onDone: 'over', onError: 'open' },
      always: [{ guard: () => false, target: 'over' }],
    },
    over: { type: 'final' },
  },
});

test('the events that xstate makes have the words of the chart', () => {
  const words = chartView(order).transitions.map(({ from, event, guard, to }) => [from, event, guard, ...to]);
  expect(words.toSorted()).toEqual(
    [
      ['open', 'done', null, 'over'],
      ['open.unpaid', 'after 1000', null, 'open.late'],
      ['open.unpaid', 'PAY', 'isPaid', 'charging'],
      ['charging', 'charge done', null, 'over'],
      ['charging', 'charge failed', null, 'open'],
      ['charging', 'always', '(function)', 'over'],
    ].toSorted(),
  );
  expect(positionOf(createActor(order).start().getSnapshot())).toMatchObject({
    active: ['', 'open', 'open.unpaid'],
  });
});

test('programs see a delay and the failure of a call without reading its words', () => {
  const marked = chartView(order).transitions.flatMap(({ event, after, isFailure }) =>
    after !== undefined || isFailure ? [{ event, after, isFailure }] : [],
  );
  expect(marked).toEqual([
    { event: 'after 1000', after: '1000' },
    { event: 'charge failed', isFailure: true },
  ]);
});

test('a timer is told with the state that it runs in, the next one first; a timer of no active state is not', () => {
  const snapshot = createActor(order).start().getSnapshot();
  const [type = ''] = order.states.open?.states.unpaid?.after.map(({ eventType }) => eventType) ?? [];
  const armed = [
    { event: { type }, dueAt: Date.UTC(2031, 4, 2) },
    { event: { type }, dueAt: Date.UTC(2031, 4, 1) },
    { event: { type: 'REMIND' }, dueAt: Date.UTC(2031, 4, 1) },
  ];
  const timer = { state: 'open.unpaid', event: 'after 1000', after: '1000' };
  expect(positionOf(snapshot, armed).timers).toEqual([
    { ...timer, until: '2031-05-01T00:00:00.000Z' },
    { ...timer, until: '2031-05-02T00:00:00.000Z' },
  ]);
  expect(positionOf({ ...snapshot, status: 'done' } as typeof snapshot, armed).timers).toEqual([]);
});

test('a function is shown by the text that it carries, and a call by the id that its author gave', () => {
  const machine = setup({
    actors: { charge: activity<string, string>('charge') },
  }).createMachine({
    initial: 'open',
    states: {
      open: {
        invoke: [
          { src: 'charge', input: () => '', onDone: 'over' },
          { src: 'charge', id: 'deposit', input: () => '', onDone: 'over' },
        ],
        on: { PAY: { guard: Object.assign(() => true, { text: 'amount > 0' }), target: 'over' } },
      },
      over: { type: 'final' },
    },
  });
  const view = chartView(machine);
  expect(view.states.find(({ path }) => path === 'open')?.invokes).toEqual(['charge', 'charge as deposit']);
  expect(view.transitions.map(({ event, guard }) => [event, guard])).toEqual(
    expect.arrayContaining([
      ['charge done', null],
      ['deposit done', null],
      ['PAY', 'amount > 0'],
    ]),
  );
});
