// What the engine cannot run it refuses when the workflow is made, with a code, the place, and the way round.

import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import { type AnyStateMachine, assign, raise, setup } from 'xstate';
import { activity } from '../../engine/actor-kinds.ts';
import { ChartError, chartErrorCodes } from '../../engine/chart/check.ts';
import { statechart } from '../../engine/temporal/workflow.ts';
import { refused } from './features/refused.ts';
import { PlayedMachine } from './played-machine.ts';

function refusalOf(make: () => unknown): ChartError {
  try {
    make();
  } catch (error) {
    if (error instanceof ChartError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

test.each(Object.entries(refused))('%s is refused', (_, { code, place, machine }) => {
  const { findings, message } = refusalOf(() => statechart(machine));
  expect(findings.map((finding) => finding.code)).toEqual([code]);
  expect(message).toContain(`${code}: ${place} `);
  // The way round.
  expect(message).toContain(';');
});

test('every code is one of some machine', () => {
  const codes = Object.values(refused).map(({ code }) => code);
  expect([...new Set(codes)].sort()).toEqual([...chartErrorCodes].sort());
});

test('what an `assign` spawns would never begin: a defect of the running machine', () => {
  const machine = setup({ actors: { pay: activity('pay') } }).createMachine({
    on: {
      begin: {
        actions: assign(({ spawn }) => {
          spawn('pay', { id: 'early' });
          return {};
        }),
      },
    },
  });
  const played = new PlayedMachine(machine);
  expect(() => played.send({ type: 'begin' })).toThrow('the chart spawns early in an assign');
});

test('an action that sends by its actor is a defect: nobody would get the event', () => {
  const machine = setup({ actions: { say: ({ self }) => self.send({ type: 'said' }) } }).createMachine({
    on: { begin: { actions: 'say' }, said: {} },
  });
  const played = new PlayedMachine(machine);
  expect(() => played.send({ type: 'begin' })).toThrow('an action sends said by self.send');
});

test('all errors of a machine are reported at once', () => {
  const machine = setup({ actions: { thank: async () => undefined } }).createMachine({
    id: 'order',
    initial: 'on',
    states: { on: { entry: 'thank', exit: raise({ type: 'x' }, { delay: 'never' } as never) } },
  });
  expect(refusalOf(() => statechart(machine)).message).toBe(
    [
      'FunctionIsAsync: state "order.on", entry: the action "thank" is async, and a step does not wait for it; ' +
        'make it an activity: activity(name)',
      'DelayNotDeclared: state "order.on", exit: the delay "never" has no implementation, and so would be no delay ' +
        'at all; give it in setup({ delays })',
    ].join('\n'),
  );
});

test('a version given as a function is refused when it is built, not before', () => {
  const { machine } = refused['a promise (`fromPromise`)'] ?? {};
  if (!machine) throw new TypeError('there is no such machine');
  const workflow = statechart({ 1: () => machine });
  expect(refusalOf(() => workflow.definitions[1]?.()).findings).toHaveLength(1);
});

const broken = (): never => {
  throw ApplicationFailure.nonRetryable('looks like a refusal', 'InvalidRequest');
};

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

const endless = setup({ types: { context: {} as { count: number } } }).createMachine({
  options: { maxIterations: 50 },
  context: { count: 0 },
  initial: 'on',
  states: { on: { always: { actions: assign({ count: ({ context }) => context.count + 1 }) } } },
});

describe('the first step of a definition that', () => {
  test.each<[string, AnyStateMachine]>([
    ['cannot make its context', setup({}).createMachine({ context: broken })],
    ['never comes to rest', endless],
  ])('%s is a defect, no refusal', (_, machine) => {
    const thrown = thrownBy(() => new PlayedMachine(machine));
    expect(thrown).toBeInstanceOf(Error);
    expect(thrown).not.toBeInstanceOf(ApplicationFailure);
  });
});

test('a delay that cannot be computed stops a later step as a defect', () => {
  const machine = setup({ delays: { soon: defective } }).createMachine({
    initial: 'on',
    states: { on: { on: { wait: 'waiting' } }, waiting: { after: { soon: 'on' } } },
  });
  const played = new PlayedMachine(machine);
  expect(thrownBy(() => played.send({ type: 'wait' }))).toBeInstanceOf(TypeError);
});

function defective(): number {
  throw new TypeError('a defect');
}

describe('a delay', () => {
  const played = (delay: number) => {
    const machine = setup({ delays: { deadline: () => delay } }).createMachine({
      initial: 'on',
      states: { on: { after: { deadline: 'off' } }, off: {} },
    });
    return new PlayedMachine(machine);
  };

  test('of Infinity is none', () => expect(played(Number.POSITIVE_INFINITY).process.timers.open).toEqual([]));

  test('that is not a number is a defect, and not "never"', () => {
    expect(() => played(Number.NaN)).toThrow('is not a number of milliseconds');
  });
});
