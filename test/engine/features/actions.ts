// Actions of a machine.
import { assign, cancel, emit, enqueueActions, log, raise, sendTo, setup } from 'xstate';
import type { Features } from './feature.ts';

interface WordsContext {
  readonly heard: readonly string[];
}
type WordEvent = { type: string; word?: string };

const hearing = setup({ types: { context: {} as WordsContext, events: {} as WordEvent } });
const hear = hearing.assign({
  heard: ({ context, event }) => [...context.heard, `${event.type} ${event.word ?? ''}`.trim()],
});

export const actions: Features = {
  'actions as functions of your own, with params': [
    (() => {
      const said: string[] = [];
      return setup({
        types: { context: {} as WordsContext, events: {} as WordEvent },
        actions: { say: (_, { word }: { word: string }) => void said.push(word) },
      }).createMachine({
        context: { heard: [] },
        on: {
          say: {
            actions: [
              { type: 'say', params: ({ event }) => ({ word: event.word ?? '' }) },
              { type: 'say', params: { word: 'again' } },
            ],
          },
          tell: { actions: assign({ heard: () => said.splice(0) }) },
        },
      });
    })(),
    ...[{ type: 'say', word: 'hello' }, 'tell'],
  ],
  '`entry` and `exit`': [
    hearing.createMachine({
      context: { heard: [] },
      initial: 'on',
      states: { on: { entry: hear, exit: hear, on: { next: 'off' } }, off: { entry: hear } },
    }),
    'next',
  ],
  '`raise`': [
    hearing.createMachine({
      context: { heard: [] },
      on: { first: { actions: [raise({ type: 'second' }), hear] }, second: { actions: hear } },
    }),
    'first',
  ],
  '`raise` with a delay, and `cancel`': [
    hearing.createMachine({
      context: { heard: [] },
      on: {
        begin: {
          actions: [
            raise({ type: 'soon' }, { delay: 10 }),
            raise({ type: 'soon', word: 'too' }, { delay: 10 }),
            raise({ type: 'late' }, { delay: 100, id: 'late' }),
          ],
        },
        stop: { actions: cancel('late') },
        '*': { actions: hear },
      },
    }),
    ...['begin', 20, 'stop', 200],
  ],
  '`sendTo` itself': [
    hearing.createMachine({
      context: { heard: [] },
      on: {
        begin: { actions: [sendTo(({ self }) => self, { type: 'after' }), hear] },
        after: { actions: hear },
      },
    }),
    'begin',
  ],
  '`emit`': [
    hearing.createMachine({
      context: { heard: [] },
      on: { say: { actions: emit(({ event }) => ({ type: 'said', word: event.word })) } },
    }),
    { type: 'say', word: 'hello' },
  ],
  '`log`': [
    hearing.createMachine({ context: { heard: [] }, on: { say: { actions: [log('said'), hear] } } }),
    'say',
  ],
  '`enqueueActions`': [
    setup({
      types: { context: {} as WordsContext, events: {} as WordEvent },
      guards: { isLoud: ({ event }) => event.word === 'LOUD' },
    }).createMachine({
      context: { heard: [] },
      on: {
        say: {
          actions: enqueueActions(({ enqueue, check, event }) => {
            enqueue.assign({ heard: ({ context }) => [...context.heard, event.word ?? ''] });
            if (check('isLoud')) enqueue.raise({ type: 'louder' });
            enqueue.raise({ type: 'later' }, { delay: 5 });
          }),
        },
        louder: { actions: assign({ heard: ({ context }) => [...context.heard, 'louder'] }) },
        later: { actions: assign({ heard: ({ context }) => [...context.heard, 'later'] }) },
      },
    }),
    ...[{ type: 'say', word: 'LOUD' }, 5],
  ],
};
