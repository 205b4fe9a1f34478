// When states were entered and timers armed, and events that wait for a state that takes them: a process knows it of itself, and
// still knows it as a new run. What is due comes in the order of time and of its adding.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assign, type EventObject, emit, sendTo, setup } from 'xstate';
import { Agenda } from '../../engine/host.ts';
import { atSizes } from '../support/suite.ts';
import { childWorkflow, outbox } from './fixtures/machine.ts';
import { PlayedMachine } from './played-machine.ts';

const lamp = setup({ delays: { soon: () => 700 } }).createMachine({
  id: 'lamp',
  type: 'parallel',
  states: {
    light: {
      initial: 'off',
      on: { reset: '.off' },
      states: {
        off: { on: { press: 'on' } },
        on: { after: { soon: 'off' }, on: { press: { target: 'on', reenter: true } } },
      },
    },
    bulb: { initial: 'dull', states: { dull: { after: { 500: 'bright' } }, bright: {} } },
  },
});

const enteredOf = ({ process }: PlayedMachine) => process.carried.entered;
const armedOf = ({ process }: PlayedMachine) =>
  process.timers.open.map(({ armedAt, delay, dueAt }) => ({ armedAt, delay, dueAt }));

test('each active state has the moment at which it was entered, also one that a step has left and entered again', () => {
  const played = new PlayedMachine(lamp);
  const bulb = { bulb: 0, 'bulb.dull': 0 };
  expect(enteredOf(played)).toEqual({ '': 0, light: 0, 'light.off': 0, ...bulb });
  played.pass(100);
  played.send({ type: 'press' });
  expect(enteredOf(played)).toEqual({ '': 0, light: 0, 'light.on': 100, ...bulb });
  played.pass(100);
  played.send({ type: 'press' });
  expect(enteredOf(played)).toMatchObject({ light: 0, 'light.on': 200 });
  played.pass(100);
  played.send({ type: 'reset' });
  expect(enteredOf(played)).toEqual({ '': 0, light: 0, 'light.off': 300, ...bulb });
  played.pass(300);
  expect(enteredOf(played)).toMatchObject({ bulb: 0, 'bulb.bright': 500 });
});

test('each timer has the moment at which it was armed, and its delay by name and length', () => {
  const played = new PlayedMachine(lamp);
  played.pass(100);
  played.send({ type: 'press' });
  expect(armedOf(played)).toEqual([
    { armedAt: 0, delay: { name: '500', ms: 500 }, dueAt: 500 },
    { armedAt: 100, delay: { name: 'soon', ms: 700 }, dueAt: 800 },
  ]);
});

test('a new run knows both as the former run knew them, and its timers ring at their time', () => {
  const played = new PlayedMachine(lamp);
  played.pass(100);
  played.send({ type: 'press' });
  const [entered, armed] = [enteredOf(played), armedOf(played)];
  for (let run = 0; run < 3; run++) {
    played.pass(50);
    played.continueAsNew();
    expect(enteredOf(played)).toEqual(entered);
    expect(armedOf(played)).toEqual(armed);
  }
  played.pass(549);
  expect(played.snapshot.value).toMatchObject({ light: 'on' });
  played.pass(1);
  expect(played.snapshot.value).toMatchObject({ light: 'off' });
  expect(enteredOf(played)['light.off']).toBe(800);
});

test('what leaves a process has the version of the definition that made it', () => {
  const machine = setup({}).createMachine({ on: { go: { actions: emit({ type: 'gone' }) } } });
  const played = new PlayedMachine(machine, undefined, { outgoing: { outbox: outbox('gone') } });
  played.host.takeSent();
  played.send({ type: 'go' });
  expect(played.host.takeSent()).toEqual([{ to: 'outside', event: { type: 'gone' }, version: 1 }]);
});

test('what another version of the engine has left is left to that, and nothing of it is lost', () => {
  const played = new PlayedMachine(lamp);
  expect(() => played.continueAsNew({ format: 6 })).toThrow(
    'the former run has left data of format 6, expected 5; deploy a worker',
  );
});

const fails = () => {
  throw new RangeError('no answer');
};

test.each([
  ['a guard', { always: { guard: fails, target: 'on' } }],
  ['an action', { entry: assign(fails) as never }],
])('a step of which %s fails leaves the process and its moments as they were', (_, off) => {
  const machine = setup({}).createMachine({ initial: 'on', states: { on: { on: { go: 'off' } }, off } });
  const played = new PlayedMachine(machine, undefined, {
    halting: { ofError: (error) => ({ code: 'Failed', message: String(error) }) },
  });
  played.pass(10);
  played.send({ type: 'go' });
  expect(played.process.halt?.event).toBe('go');
  expect(played.snapshot.value).toBe('on');
  expect(enteredOf(played)).toEqual({ '': 0, on: 0 });
});

test('a timer that rings while a message waits that sets it anew counts no longer', () => {
  const machine = setup({}).createMachine({
    initial: 'waiting',
    states: {
      waiting: { after: { 100: 'late' }, on: { extend: { target: 'waiting', reenter: true } } },
      late: {},
    },
  });
  const played = new PlayedMachine(machine);
  played.process.signal('extend', {});
  // As where no worker runs meanwhile: it takes both at once.
  for (const _ of played.time.passing(100));
  played.process.drain();
  expect(played.snapshot.value).toBe('waiting');
  played.pass(99);
  expect(played.snapshot.value).toBe('waiting');
  played.pass(1);
  expect(played.snapshot.value).toBe('late');
});

const door = setup({
  guards: {
    mayOpen: ({ event }) => {
      if ((event as { by?: string }).by === 'nobody') throw new Error('nobody cannot open it');
      return (event as { by?: string }).by === 'anna';
    },
  },
}).createMachine({
  id: 'door',
  initial: 'locked',
  states: {
    locked: { on: { unlock: 'closed' } },
    closed: { on: { open: { guard: 'mayOpen', target: 'open' }, bolt: 'locked' } },
    open: { on: { close: 'closed' } },
  },
});

/** Every event that has `keepFor` waits so many milliseconds. */
const keepsFor = ({ payload }: { readonly payload: unknown }) =>
  (payload as { readonly keepFor?: number }).keepFor;
const played = () => new PlayedMachine(door, undefined, { messages: { keepsFor } });
const open: EventObject & { readonly by: string; readonly keepFor: number } = {
  type: 'open',
  by: 'anna',
  keepFor: 1_000,
};

test('an event waits for the first state that takes it, and is taken there once', () => {
  const process = played();
  process.send(open);
  expect(process.snapshot.value).toBe('locked');
  expect(process.process.pending.kept).toEqual([{ type: 'open', until: '1970-01-01T00:00:01.000Z' }]);
  process.send({ type: 'unlock' });
  expect(process.snapshot.value).toBe('open');
  process.send({ type: 'close' });
  expect(process.snapshot.value).toBe('closed');
});

test('one that waits too long, one whose guard does not hold, and one that need not wait are not taken', () => {
  const process = played();
  process.send(open);
  process.send({ ...open, by: 'ben', keepFor: 9_000 } as EventObject);
  process.send({ type: 'open', by: 'anna' } as EventObject);
  process.pass(1_001);
  process.send({ type: 'unlock' });
  expect(process.snapshot.value).toBe('closed');
  expect(process.process.pending.kept).toMatchObject([{ type: 'open' }]);
});

test('an event that had another name waits under it, and is taken under that of today', () => {
  const process = new PlayedMachine(door, undefined, { messages: { keepsFor, aliases: { unseal: 'open' } } });
  process.send({ ...open, type: 'unseal' } as EventObject);
  process.send({ type: 'unlock' });
  expect(process.snapshot.value).toBe('open');
  process.send({ type: 'close' });
  process.send({ ...open, type: 'unseal' } as EventObject);
  expect(process.snapshot.value).toBe('open');
});

test('what waits goes along into a new run', () => {
  const process = played();
  process.send(open);
  process.continueAsNew();
  process.send({ type: 'unlock' });
  expect(process.snapshot.value).toBe('open');
});

test('an event whose guard fails is taken, and halts the process as it would without having waited', () => {
  const process = new PlayedMachine(door, undefined, {
    messages: { keepsFor },
    halting: { ofError: (error) => ({ code: 'Failed', message: String(error) }) },
  });
  process.send({ ...open, by: 'nobody' } as EventObject);
  expect(process.process.halt).toBeUndefined();
  process.send({ type: 'unlock' });
  expect(process.process.halt).toMatchObject({ code: 'Failed', event: 'open' });
});

test('an actor that begins in the state whose entry sends it an event gets that event', () => {
  const machine = setup({ actors: { child: childWorkflow('Child') } }).createMachine({
    id: 'parent',
    initial: 'going',
    states: { going: { entry: sendTo('child', { type: 'hello' }), invoke: { id: 'child', src: 'child' } } },
  });
  const process = new PlayedMachine(machine);
  expect(process.host.takeSent()).toEqual([{ to: 'child', id: 'child', event: { type: 'hello' } }]);
});

const entries = fc.array(fc.record({ dueAt: fc.integer({ min: 0, max: 20 }), isDropped: fc.boolean() }), {
  maxLength: 60,
});

atSizes({ short: 100, long: 1_000 }, (numRuns, seed) =>
  test('each that was not dropped comes once, by its time and then by its turn', () => {
    fc.assert(
      fc.property(entries, (given) => {
        const agenda = new Agenda();
        const added = given.map(({ dueAt }, turn) => ({
          dueAt,
          summary: String(turn),
          ring: () => undefined,
        }));
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
      { seed, numRuns },
    );
  }),
);
