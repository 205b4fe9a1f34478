// States and transitions.
import { and, assign, not, or, raise, setup, stateIn } from 'xstate';
import type { Features } from './feature.ts';

const plain = setup({});
const counting = setup({ types: { context: {} as { count: number }, events: {} as { type: string } } });
const more = counting.assign({ count: ({ context }) => context.count + 1 });

/** Two levels below `on`, left and come back to. */
const remembering = (history: 'shallow' | 'deep') =>
  plain.createMachine({
    initial: 'on',
    states: {
      on: {
        initial: 'first',
        on: { leave: 'off' },
        states: {
          first: { on: { next: 'second' } },
          second: { initial: 'early', states: { early: { on: { next: 'late' } }, late: {} } },
          before: { type: 'history', history },
        },
      },
      off: { on: { back: 'on.before' } },
    },
  });

export const states: Features = {
  'atomic and compound states': [
    plain.createMachine({
      initial: 'on',
      states: { on: { initial: 'dim', states: { dim: { on: { more: 'bright' } }, bright: {} } } },
    }),
    'more',
  ],
  'parallel states': [
    plain.createMachine({
      type: 'parallel',
      states: {
        door: { initial: 'shut', states: { shut: { on: { open: 'open' } }, open: { on: { all: 'shut' } } } },
        lamp: { initial: 'off', states: { off: { on: { light: 'on', all: 'on' } }, on: {} } },
      },
    }),
    'open',
    'all',
  ],
  'final states and `onDone`': [
    plain.createMachine({
      initial: 'both',
      states: {
        both: {
          type: 'parallel',
          onDone: 'over',
          states: {
            one: { initial: 'open', states: { open: { on: { one: 'shut' } }, shut: { type: 'final' } } },
            two: { initial: 'open', states: { open: { on: { two: 'shut' } }, shut: { type: 'final' } } },
          },
        },
        over: { type: 'final' },
      },
    }),
    'one',
    'two',
  ],
  'shallow history': [remembering('shallow'), 'next', 'next', 'leave', 'back'],
  'deep history': [remembering('deep'), 'next', 'next', 'leave', 'back'],
  'a `target` of history': [
    plain.createMachine({
      initial: 'off',
      states: {
        off: { on: { back: 'on.before' } },
        on: {
          initial: 'first',
          states: { first: {}, second: {}, before: { type: 'history', target: 'second' } },
        },
      },
    }),
    'back',
  ],
  '`initial` with actions': [
    counting.createMachine({
      context: { count: 0 },
      initial: { target: 'on', actions: more },
      states: { on: {} },
    }),
  ],
  'transitions by guards, in order': [
    counting.createMachine({
      context: { count: 0 },
      initial: 'on',
      states: {
        on: {
          on: { next: [{ guard: ({ context }) => context.count > 1, target: 'off' }, { actions: more }] },
        },
        off: {},
      },
    }),
    ...['next', 'next', 'next'],
  ],
  'guards with params': [
    setup({ guards: { isAbove: (_, { limit }: { limit: number }) => limit < 2 } }).createMachine({
      initial: 'on',
      states: {
        on: {
          on: {
            next: [
              { guard: { type: 'isAbove', params: { limit: 5 } }, target: 'wrong' },
              { guard: { type: 'isAbove', params: { limit: 1 } }, target: 'right' },
            ],
          },
        },
        wrong: {},
        right: {},
      },
    }),
    'next',
  ],
  '`and`, `or`, `not`': [
    setup({ guards: { yes: () => true, no: () => false } }).createMachine({
      initial: 'on',
      states: {
        on: { on: { next: { guard: and(['yes', or(['no', not('no')])]), target: 'off' } } },
        off: {},
      },
    }),
    'next',
  ],
  '`stateIn`': [
    setup({ guards: { isOpen: stateIn('#open') } }).createMachine({
      type: 'parallel',
      states: {
        door: { initial: 'shut', states: { shut: { on: { open: 'open' } }, open: { id: 'open' } } },
        lamp: {
          initial: 'off',
          states: { off: { on: { light: { guard: 'isOpen', target: 'on' } } }, on: {} },
        },
      },
    }),
    ...['light', 'open', 'light'],
  ],
  '`always`': [
    counting.createMachine({
      context: { count: 0 },
      initial: 'on',
      states: {
        on: {
          on: { next: { actions: more } },
          always: { guard: ({ context }) => context.count > 1, target: 'off' },
        },
        off: {},
      },
    }),
    ...['next', 'next'],
  ],
  '`after`, by a number': [
    plain.createMachine({ initial: 'on', states: { on: { after: { 100: 'off' } }, off: {} } }),
    ...[99, 1],
  ],
  '`after`, by a named delay': [
    setup({
      types: { context: {} as { wait: number } },
      delays: { wait: ({ context }) => context.wait },
    }).createMachine({
      context: { wait: 50 },
      initial: 'on',
      states: { on: { after: { wait: 'off' }, on: { stay: { target: 'on', reenter: true } } }, off: {} },
    }),
    ...[40, 'stay', 40, 10],
  ],
  'several targets': [
    plain.createMachine({
      type: 'parallel',
      on: { both: { target: ['.door.open', '.lamp.on'] } },
      states: {
        door: { initial: 'shut', states: { shut: {}, open: {} } },
        lamp: { initial: 'off', states: { off: {}, on: {} } },
      },
    }),
    'both',
  ],
  '`reenter`, and transitions without a target': [
    counting.createMachine({
      context: { count: 0 },
      initial: 'on',
      states: { on: { entry: more, on: { stay: { target: 'on', reenter: true }, nothing: {}, same: 'on' } } },
    }),
    ...['stay', 'nothing', 'same'],
  ],
  'wildcards, whole (`*`) and partial (`order.*`)': [
    plain.createMachine({
      initial: 'on',
      states: {
        on: { on: { 'order.*': 'ordered', '*': 'other' } },
        ordered: { on: { back: 'on' } },
        other: {},
      },
    }),
    ...['order.new.big', 'back', 'whatever'],
  ],
  'events that a state forbids': [
    plain.createMachine({
      initial: 'on',
      on: { stop: '.off' },
      states: { on: { on: { stop: undefined, next: 'open' } }, open: {}, off: {} },
    }),
    ...['stop', 'next', 'stop'],
  ],
  '`route`': [
    plain.createMachine({
      initial: 'on',
      states: { on: {}, off: { id: 'off', route: {} } },
    }),
    { type: 'xstate.route', to: '#off' },
  ],
  '`tags`, `meta`, `description`': [
    plain.createMachine({
      initial: 'on',
      description: 'a lamp',
      states: {
        on: { tags: ['bright'], meta: { watts: 5 }, description: 'it gives light', on: { next: 'off' } },
        off: {},
      },
    }),
    'next',
  ],
  '`context` by a function, with `input`': [
    setup({ types: { context: {} as { count: number }, input: {} as { from: number } } }).createMachine({
      context: ({ input }) => ({ count: input?.from ?? 7 }),
    }),
  ],
  '`output`': [
    counting.createMachine({
      context: { count: 3 },
      initial: 'on',
      states: {
        on: { on: { end: 'over' } },
        over: { type: 'final', output: ({ context }) => context.count * 2 },
      },
      output: ({ event, context }) => ({
        doubled: (event as { output?: unknown }).output,
        count: context.count,
      }),
    }),
    'end',
  ],
  '`maxIterations`': [
    plain.createMachine({
      options: { maxIterations: 20 },
      initial: 'on',
      states: { on: { entry: raise({ type: 'go' }), on: { go: 'off' } }, off: {} },
    }),
  ],
  '`assign`, by properties and by a function': [
    counting.createMachine({
      context: { count: 1 },
      on: {
        more: { actions: more },
        double: { actions: assign(({ context }) => ({ count: context.count * 2 })) },
      },
    }),
    ...['more', 'double'],
  ],
};
