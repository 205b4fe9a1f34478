// A process whose step has failed: the decisions about it, and the procedure whose answer that step was to take. What a person
// asks for is refused, and never half done, where it has become impossible by the time that it is taken.

import { describe, expect, test } from 'vitest';
import { assign, emit, sendTo, setup } from 'xstate';
import { procedure } from '../../engine/actor-kinds.ts';
import { notPossible, type Rejection } from '../../engine/commands.ts';
import type { HaltRules } from '../../engine/definition/halt-rules.ts';
import { definitionOf } from './fixtures/machine.ts';
import { PlayedMachine } from './played-machine.ts';

const halting: HaltRules = { ofError: (error) => ({ code: 'Failed', message: String(error) }) };

/** Fails at the first event of this type. */
function failingAt(failing: string) {
  let isFirst = true;
  const ask = procedure<string>('ask', () => ({}));
  const machine = setup({
    actors: { ask },
    actions: {
      check: assign(({ event }) => {
        const fails = isFirst && event.type === failing;
        if (fails) isFirst = false;
        if (fails) throw new Error(`no ${failing}`);
        return {};
      }),
    },
  }).createMachine({
    initial: 'asking',
    states: {
      asking: {
        invoke: {
          id: 'ask',
          src: 'ask',
          onDone: { actions: ['check', sendTo(({ self }) => self, { type: 'next' })] },
        },
        on: { next: { actions: 'check' }, later: { actions: 'check' } },
      },
    },
  });
  return new PlayedMachine(machine, undefined, { halting });
}

/** Collects how updates end. */
function replies() {
  const ends: string[] = [];
  const reply = {
    answer: () => void ends.push('answered'),
    refuse: ({ code }: Rejection) => void ends.push(code),
  };
  return { ends, reply };
}

function dropped({ process }: PlayedMachine): void {
  process.decide('dropEvent', 'update', replies().reply);
  process.drain();
}

const asked = ({ host }: PlayedMachine) => host.calls.map(({ id }) => id);

test('a procedure begins again if the step that was to take its answer is dropped', () => {
  const played = failingAt('xstate.done.actor.ask');
  played.answer('an answer');
  expect(played.process.halt).toMatchObject({ code: 'Failed', event: 'xstate.done.actor.ask' });
  expect(asked(played)).toEqual([]);
  dropped(played);
  expect(played.process.halt).toBeUndefined();
  expect(asked(played)).toEqual(['ask']);
});

test('a procedure does not begin again if its answer was taken, and what followed from it is dropped', () => {
  const played = failingAt('next');
  played.answer('an answer');
  expect(played.process.halt).toMatchObject({ event: 'next' });
  dropped(played);
  expect(played.process.halt).toBeUndefined();
  expect(asked(played)).toEqual([]);
});

function no(): never {
  throw new Error('no');
}
const fails = assign(no) as never;

test('a decision is about the halt that its person has seen', () => {
  const machine = setup({ actions: { fails } }).createMachine({ on: { '*': { actions: 'fails' } } });
  const played = new PlayedMachine(machine, undefined, { halting });
  played.send({ type: 'first' });
  played.send({ type: 'second' });
  const { ends, reply } = replies();
  played.process.decide('dropEvent', 'of anna', reply);
  played.process.decide('dropEvent', 'of ben', reply);
  played.process.drain();
  expect(played.process.halt).toMatchObject({ event: 'second' });
  expect(ends).toEqual(['answered', 'NotPossibleNow']);
});

test('a cancellation whose guard fails halts the process at it, and waits there', () => {
  const machine = setup({ guards: { no } }).createMachine({
    initial: 'working',
    states: { working: { on: { cancelRequested: { target: 'undone', guard: 'no' } } }, undone: {} },
  });
  const played = new PlayedMachine(machine, undefined, { halting });
  played.process.cancel('a cancellation');
  played.process.drain();
  expect(played.process.halt).toMatchObject({ event: 'cancelRequested' });
  expect(played.process.chart.waiting).toEqual([{ type: 'cancelRequested' }]);
});

test('a timer that ends before its extension is taken is not extended, and whoever asks is told', () => {
  const machine = setup({}).createMachine({
    initial: 'waiting',
    states: { waiting: { after: { 1000: 'late' }, on: { go: 'gone' } }, gone: {}, late: {} },
  });
  const extension = (_: unknown, [timer]: readonly { readonly id: string }[]) =>
    timer ? { timer: timer.id, dueAt: 9_000 } : notPossible('no timer is armed');
  const played = new PlayedMachine(machine, undefined, { extension: { of: extension } });
  const { ends, reply } = replies();
  played.process.update('extendDeadline', {}, 'in time', reply);
  played.process.drain();
  played.process.signal('go', {});
  played.process.update('extendDeadline', {}, 'too late', reply);
  played.process.drain();
  expect(ends).toEqual(['answered', 'NotPossibleNow']);
});

const answer = emit(({ event }: { event: { readonly type: string; readonly updateId?: string } }) => ({
  type: 'answer',
  updateId: event.updateId,
  value: null,
})) as never;

test('an update that is repeated is answered, and one that was refused may come again', () => {
  const machine = setup({}).createMachine({
    initial: 'closed',
    states: {
      closed: { on: { open: 'opened' } },
      opened: { on: { pay: { target: 'paid', actions: answer } } },
      paid: {},
    },
  });
  const keyOf = ({ payload }: { readonly payload: unknown }) => String(payload);
  const updates = { pay: 'Pays' };
  const played = new PlayedMachine(machine, undefined, { messages: { keyOf, updates } });
  const { ends, reply } = replies();
  const pay = (updateId: string) => played.process.update('pay', 'key', updateId, reply);
  pay('too early');
  played.process.drain();
  played.send({ type: 'open' });
  pay('in time');
  pay('again');
  played.process.drain();
  expect(ends).toEqual(['NotPossibleNow', 'answered', 'answered']);
  expect(played.snapshot.value).toBe('paid');
  expect(played.process.replies.areOpen).toBe(false);
});

describe('a migration of a halted process', () => {
  const changes: unknown[] = [];
  const ask = procedure('ask', () => ({ changed: (input) => void changes.push(input) }));
  const base = setup({ actors: { ask }, actions: { fails } });

  /** Asks, fails at the answer, and may be left by another event. */
  const asking = (id: string, input: string) =>
    base.createMachine({
      type: 'parallel',
      states: {
        people: {
          initial: 'asking',
          states: {
            asking: {
              invoke: { id, src: 'ask', input, onDone: { target: 'over', actions: 'fails' } },
              on: { skip: 'over' },
            },
            over: {},
          },
        },
        other: { on: { go: { actions: 'fails' } } },
      },
    });

  function begun(now: string) {
    const migrates = () => ({
      definition: definitionOf(asking(now, 'new words'), options),
      version: 2,
      plan: { invokes: { ask: now } },
      input: () => 'new words',
    });
    const options = { halting, migrates };
    return new PlayedMachine(asking('ask', 'old words'), undefined, options);
  }

  function migrate({ process }: PlayedMachine): void {
    process.migrate({ semantics: 1, to: 2, by: 'anna', why: 'a test' }, 'migration', replies().reply);
    process.drain();
  }

  test.each(['ask', 'question'])(
    'the procedure that begins again as %s is that of the new definition',
    (now) => {
      const played = begun(now);
      played.answer('an answer');
      migrate(played);
      expect(played.process.halt).toMatchObject({ event: `xstate.done.actor.${now}` });
      dropped(played);
      expect(played.host.calls).toMatchObject([{ id: now, input: 'new words' }]);
    },
  );

  test('a procedure that has answered is not changed by it', () => {
    const played = begun('ask');
    migrate(played);
    expect(changes.splice(0)).toEqual(['new words']);
    const halted = begun('ask');
    halted.send({ type: 'go' });
    halted.answer('an answer');
    migrate(halted);
    expect(changes).toEqual([]);
  });
});
