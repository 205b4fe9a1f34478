// Actions, and actors that run within the process.
import {
  assign,
  cancel,
  createMachine,
  emit,
  enqueueActions,
  forwardTo,
  fromTransition,
  log,
  raise,
  sendParent,
  sendTo,
  setup,
  spawnChild,
  stopChild,
} from 'xstate';
import type { Features } from './feature.ts';

interface Heard {
  readonly heard: readonly string[];
}
type Said = { type: string; word?: string };

const saying = (word: string): Said => ({ type: 'say', word });

const hearing = setup({ types: { context: {} as Heard, events: {} as Said } });
const hear = hearing.assign({
  heard: ({ context, event }) => [...context.heard, `${event.type} ${event.word ?? ''}`.trim()],
});

/** Says to its parent what it is told, and ends when it is told to. */
const echo = setup({
  types: { events: {} as Said, input: {} as { first?: string } | undefined },
}).createMachine({
  id: 'echo',
  context: ({ input }) => ({ first: input?.first ?? 'nothing' }),
  initial: 'on',
  states: {
    on: {
      entry: sendParent(({ context }) => ({ type: 'echo', word: context.first })),
      on: {
        say: { actions: sendParent(({ event }) => ({ type: 'echo', word: event.word })) },
        sayLater: {
          actions: sendParent(({ event }) => ({ type: 'echo', word: event.word }), {
            delay: 50,
            id: 'later',
          }),
        },
        end: 'over',
      },
      after: { 1000: 'over' },
    },
    over: { type: 'final' },
  },
  output: ({ context }) => context.first,
});

const withEcho = setup({
  types: { context: {} as Heard, events: {} as Said },
  actors: { echo },
});

const add = fromTransition(
  (count: number, { by }: { type: 'add'; by: number }) => count + by,
  ({ input }: { input: number }) => input,
);

export const actions: Features = {
  'actions as functions of your own, with params': [
    (() => {
      const said: string[] = [];
      return setup({
        types: { context: {} as Heard, events: {} as Said },
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
  '`self.send` in an action': [
    hearing.createMachine({
      context: { heard: [] },
      on: {
        begin: { actions: [({ self }) => self.send({ type: 'after' }), hear] },
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
      types: { context: {} as Heard, events: {} as Said },
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
  'a machine as an invoked child': [
    withEcho.createMachine({
      context: { heard: [] },
      initial: 'on',
      on: { echo: { actions: hear } },
      states: {
        on: {
          invoke: { id: 'child', src: 'echo', input: { first: 'hello' }, onDone: 'off' },
          on: {
            ask: { actions: sendTo('child', saying('asked')) },
            end: { actions: sendTo('child', { type: 'end' }) },
          },
        },
        off: {},
      },
    }),
    ...['ask', 'ask', 'end', 'ask'],
  ],
  'a machine that is invoked without a name': [
    createMachine({
      types: {} as { context: Heard; events: Said },
      context: { heard: [] },
      initial: 'on',
      on: {
        echo: { actions: assign({ heard: ({ context, event }) => [...context.heard, event.word ?? ''] }) },
      },
      states: { on: { invoke: { src: echo, onDone: 'off' } }, off: {} },
    }),
    1000,
  ],
  'delays of a child, and leaving the state that invoked it': [
    withEcho.createMachine({
      context: { heard: [] },
      initial: 'on',
      on: { echo: { actions: hear } },
      states: {
        on: {
          invoke: { id: 'child', src: 'echo', onDone: 'off' },
          on: { leave: 'left', later: { actions: sendTo('child', { type: 'sayLater', word: 'late' }) } },
        },
        left: { on: { again: 'on' } },
        off: { on: { pass: 'passed' } },
        // Left in the step that enters it: its child never begins.
        passed: { invoke: { id: 'never', src: 'echo', input: { first: 'never' } }, always: 'left' },
      },
    }),
    ...['later', 60, 'later', 'leave', 2000, 'again', 999, 1, 'pass', 2000],
  ],
  '`sendTo` with a delay': [
    withEcho.createMachine({
      context: { heard: [] },
      invoke: { id: 'child', src: 'echo' },
      on: {
        echo: { actions: hear },
        ask: { actions: sendTo('child', { type: 'say', word: 'later' }, { delay: 30, id: 'ask' }) },
        stop: { actions: cancel('ask') },
      },
    }),
    ...['ask', 30, 'ask', 'stop', 60],
  ],
  '`forwardTo`': [
    withEcho.createMachine({
      context: { heard: [] },
      invoke: { id: 'child', src: 'echo' },
      on: { echo: { actions: hear }, say: { actions: forwardTo('child') } },
    }),
    { type: 'say', word: 'forwarded' },
  ],
  '`sendParent`, from a child': [
    setup({
      types: { context: {} as Heard, events: {} as Said },
      actors: { messenger: createMachine({ entry: sendParent({ type: 'news' }) }) },
    }).createMachine({
      context: { heard: [] },
      invoke: { src: 'messenger' },
      on: { news: { actions: hear } },
    }),
  ],
  '`spawnChild` and `stopChild`': [
    withEcho.createMachine({
      context: { heard: [] },
      on: {
        begin: { actions: spawnChild('echo', { id: 'child', input: { first: 'spawned' } }) },
        ask: {
          actions: enqueueActions(({ enqueue, self }) => {
            if (self.getSnapshot().children.child) enqueue.sendTo('child', saying('asked'));
          }),
        },
        end: { actions: stopChild('child') },
        echo: { actions: hear },
      },
    }),
    ...['begin', 'ask', 'end', 'ask', 2000],
  ],
  '`spawn` in an `assign`': [
    setup({
      types: { context: {} as Heard & { child?: unknown }, events: {} as Said },
      actors: { echo },
    }).createMachine({
      context: ({ spawn }) => ({
        heard: [],
        child: spawn('echo', { id: 'early', input: { first: 'early' } }) && undefined,
      }),
      on: {
        begin: {
          actions: assign(({ spawn }) => {
            spawn('echo', { id: 'late', input: { first: 'late' } });
            return {};
          }),
        },
        ask: { actions: sendTo('late', saying('asked')) },
        echo: { actions: assign({ heard: ({ context, event }) => [...context.heard, event.word ?? ''] }) },
      },
    }),
    ...['begin', 'ask', 1000],
  ],
  '`onSnapshot` of a child machine': [
    withEcho.createMachine({
      context: { heard: [] },
      on: { echo: { actions: hear } },
      invoke: {
        id: 'child',
        src: 'echo',
        onSnapshot: {
          actions: assign({ heard: ({ context, event }) => [...context.heard, `${event.snapshot.status}`] }),
        },
      },
    }),
    1000,
  ],
  '`onError` of a child machine': [
    setup({
      types: { context: {} as Heard, events: {} as Said },
      actors: {
        parent: createMachine({
          invoke: {
            id: 'inner',
            src: createMachine({
              initial: 'on',
              states: { on: { on: { end: 'over' } }, over: { type: 'final' } },
            }),
          },
        }),
      },
    }).createMachine({
      context: { heard: [] },
      initial: 'on',
      states: {
        on: {
          invoke: { id: 'child', src: 'parent', onError: 'failed' },
          on: {
            fail: {
              actions: sendTo('child', { type: 'xstate.error.actor.inner', error: 'it broke' } as never),
            },
          },
        },
        failed: { entry: assign({ heard: ({ event }) => [String((event as { error?: unknown }).error)] }) },
      },
    }),
    'fail',
  ],
  '`fromTransition`': [
    setup({ types: { context: {} as { count: number } }, actors: { add } }).createMachine({
      context: { count: 0 },
      invoke: {
        id: 'sum',
        src: 'add',
        input: 10,
        onSnapshot: { actions: assign({ count: ({ event }) => event.snapshot.context }) },
      },
      on: { add: { actions: sendTo('sum', { type: 'add', by: 5 }) } },
    }),
    ...['add', 'add'],
  ],
  '`systemId` and `system.get`': [
    withEcho.createMachine({
      context: { heard: [] },
      initial: 'on',
      on: { echo: { actions: hear } },
      states: {
        on: {
          invoke: { id: 'child', src: 'echo', systemId: 'the echo' },
          on: {
            ask: { actions: sendTo(({ system }) => system.get('the echo'), saying('asked')) },
            again: { target: 'on', reenter: true },
          },
        },
      },
    }),
    ...['ask', 'again', 'ask'],
  ],
  'children of children': [
    setup({
      types: { context: {} as Heard, events: {} as Said },
      actors: {
        middle: setup({ types: { events: {} as Said }, actors: { echo } }).createMachine({
          invoke: { id: 'echo', systemId: 'the deep echo', src: 'echo', input: { first: 'deep' } },
          on: {
            echo: { actions: sendParent(({ event }) => event) },
            say: { actions: sendTo('echo', ({ event }) => event) },
          },
        }),
      },
    }).createMachine({
      context: { heard: [] },
      initial: 'on',
      on: { echo: { actions: hear } },
      states: {
        on: {
          invoke: { id: 'middle', src: 'middle' },
          on: { say: { actions: sendTo('middle', ({ event }) => event) }, leave: 'off' },
        },
        off: {},
      },
    }),
    ...[{ type: 'say', word: 'down and up' }, 'leave', 2000],
  ],
};
