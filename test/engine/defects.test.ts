// What a machine does that no step can take: a defect, which stops the process and ends nothing.
import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import { type AnyStateMachine, assign, setup } from 'xstate';
import { PlayedMachine } from './played-machine.ts';

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
