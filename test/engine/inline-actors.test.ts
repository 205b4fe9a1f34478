// Inline actors: functions of their state and an event, beside the chart. What they tell, and when it is taken.
import { expect, test } from 'vitest';
import { assign, type EventObject, sendTo, setup } from 'xstate';
import {
  type InlineActorLogic,
  type InvokeContext,
  inlineActorLogic,
  type StepResult,
} from '../../engine/inline-actor.ts';
import { activity } from './fixtures/machine.ts';
import { PlayedMachine } from './played-machine.ts';

type Count = { readonly taken: number };

/** A part that makes one call, and then does what the test says. */
const calling = (
  then: (state: Count, event: EventObject, around: InvokeContext) => StepResult<Count>,
): InlineActorLogic =>
  inlineActorLogic<Count>({
    name: 'calling',
    logicOf: () => activity('work'),
    begin: (input) => ({ state: { taken: 0 }, calls: [{ id: 'one', input }] }),
    take: then,
  });

const noting = (part: InlineActorLogic) =>
  setup({
    types: { context: {} as { readonly noted: readonly string[] } },
    actors: { part },
    actions: { note: assign({ noted: ({ context, event }) => [...context.noted, event.type] }) },
  });

const notedBy = (played: PlayedMachine) => (played.snapshot.context as { noted: readonly string[] }).noted;

test('what a part tells is taken before what already waits in the inbox', () => {
  const part = calling((state) => ({ state, events: [{ type: 'part.done' }] }));
  const machine = noting(part).createMachine({
    context: { noted: [] },
    on: { '*': { actions: 'note' } },
    invoke: { id: 'part', src: 'part' },
  });
  const played = new PlayedMachine(machine);
  played.call.done('an answer');
  played.process.signal('later', {});
  played.process.drain();
  expect(notedBy(played)).toEqual(['part.done', 'later']);
});

test('a part that ends as its state is left does not end its successor', () => {
  const part = calling((state) => ({ state, events: [{ type: 'again' }], end: { output: 1 } }));
  const machine = noting(part).createMachine({
    context: { noted: [] },
    initial: 'on',
    states: {
      on: {
        invoke: { id: 'part', src: 'part', onDone: { actions: 'note' } },
        on: { again: { target: 'on', reenter: true, actions: 'note' } },
      },
    },
  });
  const played = new PlayedMachine(machine);
  played.answer('an answer');
  expect(notedBy(played)).toEqual(['again']);
  expect(played.process.pending.actors).toMatchObject([{ id: 'part', state: { taken: 0 } }]);
  expect(played.call).toBeDefined();
});

test('a part sees the context as it is after the step that tells it something', () => {
  const seen: unknown[] = [];
  const part = calling((state, _, { context }) => {
    seen.push(context);
    return { state: { taken: state.taken + 1 } };
  });
  const machine = setup({ types: { context: {} as { colour: string } }, actors: { part } }).createMachine({
    context: { colour: 'red' },
    on: { paint: { actions: [assign({ colour: 'blue' }), sendTo('part', { type: 'look' })] } },
    invoke: { id: 'part', src: 'part' },
  });
  new PlayedMachine(machine).send({ type: 'paint' });
  expect(seen).toEqual([{ colour: 'blue' }]);
});

test('a new run goes on with the state of a part and with its calls', () => {
  const part = calling((state, event) => ({
    state: { taken: state.taken + 1 },
    events: [{ type: 'part.had', was: state.taken, output: (event as { output?: unknown }).output } as never],
  }));
  const machine = setup({ types: { context: {} as { had: unknown } }, actors: { part } }).createMachine({
    context: { had: null },
    invoke: { id: 'part', src: 'part', input: 'given' as never },
    on: { 'part.had': { actions: assign({ had: ({ event }) => event }) } },
  });
  const played = new PlayedMachine(machine);
  const { actors, calls, snapshot } = JSON.parse(JSON.stringify(played.process.carried));
  // Its input may be a long list, and is in its state.
  expect(snapshot.children.part.snapshot).not.toHaveProperty('input');
  expect(actors).toEqual({ active: { part: { taken: 0 } } });
  expect(calls).toMatchObject([{ id: 'one', of: 'part', input: 'given' }]);
  played.continueAsNew();
  played.answer('an answer');
  expect(played.snapshot.context).toEqual({ had: { type: 'part.had', was: 0, output: 'an answer' } });
});
