// A process whose step has failed, and the procedure whose answer that step was to take.
import { expect, test } from 'vitest';
import { sendTo, setup } from 'xstate';
import { procedure } from '../../engine/actor-kinds.ts';
import { PlayedMachine } from './played-machine.ts';

const halts = (error: unknown) => ({ code: 'Failed', message: String(error) });

/** Fails at the first event of this type. */
function failingAt(failing: string) {
  let isFirst = true;
  const ask = procedure<string>('ask', () => ({ send: () => undefined }));
  const machine = setup({
    actors: { ask },
    actions: {
      check: ({ event }) => {
        const fails = isFirst && event.type === failing;
        if (fails) isFirst = false;
        if (fails) throw new Error(`no ${failing}`);
      },
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
  return new PlayedMachine(machine, undefined, { halts });
}

function dropped({ process }: PlayedMachine): void {
  process.decide('dropEvent', 'update', { answer: () => undefined, refuse: () => undefined });
  process.drain();
}

const asked = ({ world }: PlayedMachine) => world.calls.map(({ id }) => id);

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
