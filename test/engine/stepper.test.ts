// What the stepper takes for granted of xstate, and no other test of the engine shows. If one fails after an update of xstate,
// engine/stepper.ts is where it is used.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type AnyActorRef,
  type AnyStateMachine,
  assign,
  cancel,
  emit,
  log,
  raise,
  setup,
  stopChild,
} from 'xstate';
import { activeNodes, firstStep, nextStep, restored, takenEventTypes } from '../../engine/stepper.ts';
import { activity, prepared } from './fixtures/machine.ts';

const base = setup({ actors: { pay: activity('pay') } });
const plain = (machine: AnyStateMachine) => prepared(machine, 100);

test('the active states are those of the value, each before those within it, with the events of their own', () => {
  const machine = base.createMachine({
    id: 'm',
    initial: 'a',
    on: { TOP: '.a' },
    states: {
      a: {
        initial: 'b',
        states: { b: { on: { INNER: 'c', FORBIDDEN: undefined } }, c: { on: { LATER: 'b' } } },
      },
    },
  });
  const { snapshot } = firstStep(machine, undefined);
  expect(activeNodes(snapshot).map(({ id }) => id)).toEqual(['m', 'm.a', 'm.a.b']);
  expect(takenEventTypes(['TOP', 'INNER', 'FORBIDDEN', 'LATER'], snapshot)).toEqual(['TOP', 'INNER']);
});

test('the first context is made once, and by no later step', () => {
  let made = 0;
  const machine = base.createMachine({
    context: () => ({ made: ++made }),
    on: { GO: { actions: assign({}) } },
  });
  let { snapshot } = firstStep(plain(machine), undefined);
  for (let step = 0; step < 3; step++) snapshot = nextStep(plain(machine), snapshot, { type: 'GO' }).snapshot;
  restored(machine, JSON.parse(JSON.stringify(machine.getPersistedSnapshot(snapshot))));
  expect(made).toBe(1);
});

test('a bound stops an endless loop', () => {
  const machine = base.createMachine({ on: { GO: { actions: raise({ type: 'GO' }) } } });
  const bounded = prepared(machine, 30);
  const { snapshot } = firstStep(bounded, undefined);
  expect(() => nextStep(bounded, snapshot, { type: 'GO' })).toThrow(/infinite loop/i);
});

test('a step tells which states it has entered, also one that it has left and entered again', () => {
  const machine = plain(
    base.createMachine({
      initial: 'a',
      states: { a: { initial: 'b', states: { b: {} }, on: { AGAIN: { target: 'a', reenter: true } } } },
    }),
  );
  const first = firstStep(machine, undefined);
  expect(first.entered).toEqual(['', 'a', 'a.b']);
  expect(nextStep(machine, first.snapshot, { type: 'AGAIN' }).entered).toEqual(['a', 'a.b']);
});

test('what a step asks for is data: calls, timers, and what goes outside', () => {
  const machine = plain(
    base.createMachine({
      initial: 'on',
      states: {
        on: {
          invoke: { id: 'pay', src: 'pay', input: 5 },
          after: { 100: 'off' },
          on: { STOP: { actions: [stopChild('pay'), stopChild('nobody'), cancel('later'), log('said')] } },
        },
        off: { entry: emit({ type: 'over' }) },
      },
    }),
  );
  const first = firstStep(machine, undefined);
  expect(first.effects).toMatchObject([
    { do: 'arm', delay: 100 },
    { do: 'begin', id: 'pay', input: 5 },
  ]);
  const stopped = nextStep(machine, first.snapshot, { type: 'STOP' }).effects;
  expect(stopped.map((effect) => effect.do)).toEqual(['stop', 'disarm', 'log']);
  const [armed] = first.effects;
  const event = armed?.do === 'arm' ? armed.event : { type: 'none' };
  const left = nextStep(machine, first.snapshot, event).effects;
  expect(left.map((effect) => effect.do)).toEqual(['disarm', 'stop', 'emit']);
});

test('a failure of an actor that no state takes is the error of the snapshot, and is not thrown', () => {
  const machine = plain(base.createMachine({ invoke: { id: 'pay', src: 'pay' } }));
  const { snapshot } = firstStep(machine, undefined);
  const failure = { type: 'xstate.error.actor.pay', error: new Error('refused'), actorId: 'pay' };
  expect(nextStep(machine, snapshot, failure).snapshot).toMatchObject({
    status: 'error',
    error: { message: 'refused' },
  });
});

test('a persisted snapshot holds no number that xstate counts for all machines together', () => {
  const machine = plain(base.createMachine({ invoke: { id: 'pay', src: 'pay', input: 5 } }));
  const kept = () => JSON.stringify(machine.getPersistedSnapshot(firstStep(machine, undefined).snapshot));
  expect(kept()).toBe(kept());
  expect(kept()).not.toContain('sessionId');
  const { pay } = restored(machine, JSON.parse(kept())).children as Record<string, AnyActorRef | undefined>;
  expect(pay?.getSnapshot()).toMatchObject({ input: 5 });
});

test('no file of the product names what xstate keeps to itself', () => {
  const root = join(import.meta.dirname, '../..');
  const kept =
    /(?<=[.{,]\s?)_(?:nodes|snapshot|bookId|relay|unregister|syncSnapshot|parent)\b|getTransitionData|restoreSnapshot/;
  const folders = ['engine', 'flows', 'contract/machines', 'workflows', 'console', 'client', 'cli'];
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(folder, name)),
  );
  expect(files.filter((name) => kept.test(readFileSync(join(root, name), 'utf8')))).toEqual([]);
});
