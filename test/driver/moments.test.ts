// When states were entered and timers armed: a process knows it of itself, and still knows it as a new run.
import { expect, test } from 'vitest';
import { emit, setup } from 'xstate';
import { activity } from '../../driver/actor-kinds.ts';
import { PlayedMachine } from './played-machine.ts';

const inner = setup({}).createMachine({
  id: 'inner',
  initial: 'dull',
  states: { dull: { after: { 500: 'bright' } }, bright: {} },
});

const lamp = setup({ actors: { inner }, delays: { soon: () => 700 } }).createMachine({
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
    bulb: { invoke: { id: 'bulb', src: 'inner' } },
  },
});

const enteredOf = ({ process }: PlayedMachine) => process.carried.entered;
const armedOf = ({ process }: PlayedMachine) =>
  process.timers.open.map(({ armedAt, delay, dueAt, from = [] }) => ({ armedAt, delay, dueAt, from }));

test('each active state has the moment at which it was entered, also one that a step has left and entered again', () => {
  const played = new PlayedMachine(lamp);
  const bulb = { of: ['bulb'], at: { '': 0, dull: 0 } };
  expect(enteredOf(played)).toEqual([{ at: { '': 0, light: 0, 'light.off': 0, bulb: 0 } }, bulb]);
  played.pass(100);
  played.send({ type: 'press' });
  expect(enteredOf(played)).toEqual([{ at: { '': 0, light: 0, 'light.on': 100, bulb: 0 } }, bulb]);
  played.pass(100);
  played.send({ type: 'press' });
  expect(enteredOf(played)[0]?.at).toMatchObject({ light: 0, 'light.on': 200 });
  played.pass(100);
  played.send({ type: 'reset' });
  expect(enteredOf(played)[0]?.at).toEqual({ '': 0, light: 0, 'light.off': 300, bulb: 0 });
  played.pass(300);
  expect(enteredOf(played)[1]?.at).toEqual({ '': 0, bright: 500 });
});

test('each timer has the moment at which it was armed, and its delay by name and length', () => {
  const played = new PlayedMachine(lamp);
  played.pass(100);
  played.send({ type: 'press' });
  expect(armedOf(played)).toEqual([
    { armedAt: 0, delay: { name: '500', ms: 500 }, dueAt: 500, from: ['bulb'] },
    { armedAt: 100, delay: { name: 'soon', ms: 700 }, dueAt: 800, from: [] },
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
  expect(enteredOf(played)[0]?.at['light.off']).toBe(800);
});

test('what leaves a process has the version of the definition that made it', () => {
  const machine = setup({}).createMachine({ on: { go: { actions: emit({ type: 'gone' }) } } });
  const played = new PlayedMachine(machine, undefined, {
    outbox: { type: 'gone', call: activity('deliver').call as never },
    notifications: () => [{ type: 'noted' }],
  });
  played.world.takeSent();
  played.send({ type: 'go' });
  expect(played.world.takeSent()).toEqual([
    { to: 'outside', event: { type: 'gone' }, version: 1 },
    { to: 'outside', event: { type: 'noted' }, version: 1 },
  ]);
});

test('what a newer worker has left is left to a newer worker, and nothing of it is lost', () => {
  const played = new PlayedMachine(lamp);
  expect(() => played.continueAsNew({ format: 4 })).toThrow(
    'the former run has left data of format 4, expected at most 3; deploy a worker',
  );
});

test('a step that fails leaves the moments as they were', () => {
  const machine = setup({}).createMachine({
    initial: 'on',
    states: {
      on: { on: { go: 'off' } },
      off: {
        always: {
          guard: () => {
            throw new RangeError('no answer');
          },
          target: 'on',
        },
      },
    },
  });
  const played = new PlayedMachine(machine, undefined, {
    halts: (error) => ({ code: 'Failed', message: String(error) }),
  });
  played.pass(10);
  played.send({ type: 'go' });
  expect(played.process.halt?.event).toBe('go');
  expect(enteredOf(played)).toEqual([{ at: { '': 0, on: 0 } }]);
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
