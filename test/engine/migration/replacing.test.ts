// A process goes over to another machine in one step: what a plan says of states and timers, and what is refused. In which order
// states are left and entered, and what becomes of their calls, timers and histories, is in random.test.ts.

import { describe, expect, test } from 'vitest';
import { assign, raise, sendTo } from 'xstate';
import { noReply } from '../../../engine/inbox.ts';
import { planIn } from '../../../processes/migration-plan.ts';
import { Migrating, machine, note } from './machines.ts';

const fails = () => {
  throw new Error('broken');
};

const noted = (name: string, more: object = {}) => ({
  entry: note(`enter ${name}`),
  exit: note(`exit ${name}`),
  ...more,
});

describe('states', () => {
  test('what is entered begins its calls after its own actions, and then gets what these have sent to them', () => {
    const old = machine({ initial: 'a', states: { a: { on: { go: 'z' } }, z: {} } });
    const now = machine({
      initial: 'n',
      context: { colour: 'red' },
      states: {
        n: {
          entry: [sendTo('order', { type: 'hello' }), assign({ colour: 'blue' } as never)],
          invoke: {
            id: 'order',
            src: 'Order',
            input: ({ context }: { context: object }) => context,
            onDone: 'z',
          },
          on: { go: 'z' },
        },
        z: {},
      },
    });
    const one = new Migrating([old, now], { context: () => ({ colour: 'red' }) });
    one.migrate(2, { plan: { leave: ['a'] } });
    expect(one.played.call.input).toEqual({ colour: 'blue' });
    expect(one.played.host.takeSent()).toMatchObject([{ to: 'child', event: { type: 'hello' } }]);
  });

  test('no wildcard of the new machine takes the event of the migration', () => {
    const states = (on: object) => ({ a: { on: { go: 'z', ...on } }, z: {} });
    const old = machine({ initial: 'a', states: states({}) });
    const now = machine({ initial: 'a', states: states({ '*': 'z' }) });
    const one = new Migrating([old, now]);
    one.migrate();
    expect(one.value).toBe('a');
    one.played.send({ type: 'anything' });
    expect(one.value).toBe('z');
  });

  test('a state is found by the plan, by its key within a state that was moved, and else it is a gap', () => {
    const old = machine({
      initial: 'a',
      states: { a: { initial: 'b', states: { b: { on: { go: 'c' } }, c: {} } } },
    });
    const moved = machine({
      initial: 'w',
      states: {
        w: { initial: 'n', states: { n: { initial: 'c', states: { b: { on: { go: 'c' } }, c: {} } } } },
      },
    });
    const one = new Migrating([old, moved]);
    expect(one.result(2)).toMatchObject({
      kind: 'needsPlan',
      obstacles: [{ code: 'StateRemoved', at: 'a.b' }],
    });
    one.migrate(2, { plan: { states: { a: 'w.n' } } });
    expect(one.value).toEqual({ w: { n: 'b' } });
  });

  test('a former name that the old machine has not takes no state away', () => {
    const config = { initial: 'lent', states: { lent: { on: { go: 'over' } }, over: { type: 'final' } } };
    // As a file says that goes on to name what the state was called two versions ago.
    const one = new Migrating([machine(config), machine(config)], { plan: { states: { given: 'lent' } } });
    expect(one.result()).toMatchObject({ kind: 'carried', obstacles: [] });
  });

  test('a state that becomes compound begins at its initial state, with the actions of that', () => {
    const old = machine({ initial: 'a', states: { a: { on: { go: 'z' } }, z: {} } });
    const now = machine({
      initial: 'a',
      states: {
        a: { on: { go: 'z' }, initial: { target: 'x', actions: note('initial') }, states: { x: noted('x') } },
        z: {},
      },
    });
    const one = new Migrating([old, now]);
    one.migrate();
    expect([one.value, one.notes()]).toEqual([{ a: 'x' }, ['enter x', 'initial']]);
  });

  test('states that would exclude each other are refused', () => {
    const states = { x: {}, y: {} };
    const old = machine({ type: 'parallel', states });
    expect(new Migrating([old, machine({ initial: 'x', states })]).result()).toMatchObject({
      kind: 'refused',
      obstacles: [{ code: 'StatesExclude' }],
    });
  });

  test('a final state that opens, and an occupied state that becomes final, must be meant', () => {
    const region = (type: string | undefined) => ({ initial: 'f', states: { f: { ...(type && { type }) } } });
    const open = { type: 'parallel', states: { one: region('final'), other: region(undefined) } };
    const shut = { type: 'parallel', states: { one: region(undefined), other: region(undefined) } };
    const done = {
      initial: 'p',
      states: {
        p: { ...open, states: { one: region('final'), other: region('final') }, onDone: 'q' },
        q: {},
      },
    };
    expect(new Migrating([machine(open), machine(shut)]).result().obstacles).toMatchObject([
      { code: 'FinalChanged', at: 'one.f' },
    ]);
    const one = new Migrating([
      machine({ initial: 'p', states: { p: { ...open, onDone: 'q' }, q: {} } }),
      machine(done),
    ]);
    expect(one.result().obstacles).toMatchObject([{ code: 'FinalChanged', at: 'p.other.f' }]);
    one.migrate(2, { plan: { states: { 'p.other.f': 'p.other.f' } } });
    expect(one.value).toBe('q');
  });

  test('the step goes on with `always` and with raised events, and a failure in it changes nothing', () => {
    const old = machine({
      initial: 'a',
      context: { n: 1 },
      states: { a: { on: { go: 'b' } }, b: {}, c: {} },
    });
    const now = machine({
      initial: 'a',
      context: { n: 1 },
      states: {
        a: {
          on: { go: 'b' },
          always: { guard: ({ context }: { context: { n: number } }) => context.n > 0, target: 'b' },
        },
        b: { entry: [raise({ type: 'next' }), assign({ n: 7 })], on: { next: 'c' } },
        c: {},
      },
    });
    const failing = machine({
      initial: 'a',
      states: {
        a: {
          on: { go: 'b' },
          always: {
            guard: () => {
              throw new Error('no');
            },
            target: 'b',
          },
        },
        b: {},
      },
    });
    const one = new Migrating([old, now, failing]);
    const before = one.played.process.carried;
    expect(() => one.migrate(3)).toThrow('cannot be taken');
    expect(one.played.process.carried).toEqual(before);
    one.migrate(2);
    expect([one.value, one.played.snapshot.context]).toEqual(['c', { n: 7 }]);
  });

  test('a state that is remembered and now elsewhere, or beside another, is remembered no longer', () => {
    const out = { on: { out: 'q' } };
    const [h, deep] = [{ type: 'history' }, { type: 'history', history: 'deep', target: 'x' }];
    const q = { on: { back: 'p.h' } };
    const both = { type: 'parallel', states: { one: {}, two: {} } };
    const apart = { initial: 'x', states: { x: {}, one: {}, two: {} } };
    for (const [before, after, plan, expected] of [
      [
        { p: { ...out, initial: 'y', states: { x: {}, y: {}, h: { ...h, target: 'x' } } }, q },
        { p: { ...out, initial: 'x', states: { x: {}, h: { ...h, target: 'x' } } }, q, y: {} },
        { 'p.y': 'y' },
        { p: 'x' },
      ],
      [
        { p: { ...out, initial: 'y', states: { x: {}, y: {}, h: deep } }, q },
        {
          p: { ...out, initial: 'x', states: { x: {}, h: deep } },
          q: { ...q, initial: 'y', states: { y: {} } },
        },
        { 'p.y': 'q.y' },
        { p: 'x' },
      ],
      [
        { p: { ...out, initial: 'y', states: { x: {}, y: both, h: deep } }, q },
        { p: { ...out, initial: 'x', states: { x: {}, y: apart, h: deep } }, q },
        {},
        { p: 'x' },
      ],
    ] as const) {
      const one = new Migrating([
        machine({ initial: 'p', states: before as object }),
        machine({ initial: 'q', states: after as object }),
      ]);
      one.played.send({ type: 'out' });
      const { notes } = one.migrate(2, { plan: { states: plan } });
      expect(notes).toEqual([expect.stringMatching(/^p\.h remembers p\.y.* no longer/)]);
      one.played.send({ type: 'back' });
      expect(one.value).toEqual(expected);
    }
  });
});

describe('timers', () => {
  const waiting = (after: object) => machine({ initial: 'a', states: { a: { after }, b: {}, c: {}, d: {} } });
  /** Moves the end of the first timer. */
  const extension = (until: unknown, [first]: readonly { readonly id: string }[]) => ({
    timer: first?.id ?? '',
    dueAt: until as number,
  });
  const extend = ({ played: { process } }: Migrating, until: number) => {
    process.update('extendDeadline', until, 'extend', noReply);
    process.drain();
  };

  test('a wait whose end somebody has moved is not given up without a word', () => {
    const both = waiting({ 900: 'c', 1000: 'b' });
    const elsewhere = machine({ initial: 'z', states: { z: { after: { 50: 'y' } }, y: {} } });
    for (const [now, plan, note] of [
      [
        waiting({ 700: 'd', 800: 'd' }),
        {},
        ': the new definition has not got it, and 700 ends at 1970-01-01T00:00:00.700Z, and 800 ends at 1970-01-01T00:00:00.800Z',
      ],
      [waiting({ 1000: 'b' }), {}, ': the new definition has not got it'],
      [elsewhere, { leave: ['a'] }, ' with its state'],
    ] as const) {
      const one = new Migrating([both, now], { declared: { extension: { of: extension } } });
      extend(one, 2_500);
      const words = `the wait 900 of a, whose end somebody has moved to 1970-01-01T00:00:02.500Z, is given up${note}`;
      expect(one.result(2, plan)).toMatchObject({ kind: 'carried', notes: [words] });
      expect(one.migrate(2, { plan }).notes).toEqual([words]);
    }
  });

  test('one whose end somebody has moved ends then, whatever its delay is now, and the result says so', () => {
    const one = new Migrating(
      [waiting({ 1000: 'b' }), waiting({ 1000: 'b' }), waiting({ 300: 'b' }), waiting({ 9000: 'b' })],
      { declared: { extension: { of: extension } } },
    );
    extend(one, 2_500);
    one.played.pass(400);
    expect(one.result(2)).toMatchObject({ kind: 'carried', notes: [] });
    for (const to of [2, 3, 4]) {
      const { notes = [] } = one.migrate(to);
      expect(notes).toEqual(
        to === 2
          ? []
          : ['the wait of a ends at 1970-01-01T00:00:02.500Z, to which somebody has moved its end'],
      );
      one.played.continueAsNew();
      expect(Object.values(one.timers)).toEqual([2_500]);
    }
    one.played.pass(2_099);
    expect(one.value).toBe('a');
    one.played.pass(1);
    expect(one.value).toBe('b');
  });

  test('one that would be over already must be said what with', () => {
    const machines = [waiting({ 1000: 'b' }), waiting({ 300: 'b' })];
    for (const [overdue, due, count] of [
      ['now', 400, 1],
      ['keep', 1_000, 0],
      [{ grace: 50 }, 450, 0],
    ] as const) {
      const one = new Migrating(machines);
      one.played.pass(400);
      expect(one.result()).toMatchObject({
        kind: 'needsPlan',
        obstacles: [{ code: 'TimerOverdue', at: 'a' }],
      });
      expect(one.result(2, { overdue })).toMatchObject({ kind: 'carried', overdue: count });
      one.migrate(2, { plan: { overdue } });
      expect(Object.values(one.timers)).toEqual([due]);
    }
  });

  test('a delay that is computed is computed as at the moment at which the old one was armed', () => {
    const one: Migrating = new Migrating(
      [waiting({ soon: 'b' }), waiting({ atNoon: 'b' })].map((each) =>
        each.provide({ delays: { atNoon: () => 5_000 - one.played.time.now } }),
      ),
    );
    one.played.pass(400);
    one.migrate();
    expect(one.timers).toEqual({ 'xstate.after.atNoon.m.a': 5_000 });
  });

  test('one that has fired is not armed again, and which of several replaces it must be said', () => {
    const fired = (after: object) =>
      machine({ initial: 'a', states: { a: { after, on: { go: 'b' } }, b: {}, c: {} } });
    const one = new Migrating([
      fired({ 100: { actions: note('reminder') } }),
      fired({ 200: { actions: note('reminder') } }),
      fired({ 100: { actions: note('other') } }),
    ]);
    one.played.pass(150);
    expect(one.result(2)).toMatchObject({ obstacles: [{ code: 'TimerUnclear' }] });
    expect(one.result(3).kind).toBe('carried');
    one.migrate(2, { plan: { timers: { 'a 100': '200' } } });
    expect(one.timers).toEqual({});
  });

  test('a timer with a name is the one of that name, whatever its delay is now', () => {
    const states = (after: object) =>
      machine({ initial: 'a', states: { a: { after, on: { go: 'b' } }, b: {} } });
    const [reminder, end, other] = ['reminder', 'end', 'other'].map((name) => ({
      name,
      actions: note(name),
    }));
    const versions = [
      states({ 100: reminder, 300: end }),
      states({ 200: reminder, 350: other, 400: end }),
      states({ 100: end, 500: reminder }),
    ];
    const fired = new Migrating(versions);
    fired.played.pass(150);
    fired.migrate(2);
    expect(fired.timers).toEqual({ 'xstate.after.350.m.a': 350, 'xstate.after.400.m.a': 400 });
    const open = new Migrating(versions);
    open.played.pass(50);
    open.migrate(3);
    open.played.pass(50);
    expect(open.notes()).toEqual(['end']);
    expect(open.timers).toEqual({ 'xstate.after.500.m.a': 500 });
  });

  test('the remedy of an unclear one can be copied into a plan, whatever its delays are called', () => {
    const delays = ["closes('desk')", 'opens("desk")'] as const;
    const fired = (delay: string) =>
      machine({ initial: 'a', states: { a: { after: { [delay]: { actions: note('reminder') } } } } }).provide(
        { delays: { [delay]: () => 100 } },
      );
    for (const [was, is] of [delays, [...delays].reverse()] as [string, string][]) {
      const one = new Migrating([fired(was), fired(is)]);
      one.played.pass(150);
      const { remedy = '' } = one.result(2).obstacles[0] ?? {};
      const plan = planIn(remedy.replace('say which: ', ''));
      expect(plan).toEqual({ timers: { [`a ${was}`]: is } });
      expect(one.result(2, plan).kind).toBe('carried');
    }
  });

  test('one that led to a removed state is not taken for one that leads nowhere', () => {
    const old = machine({
      initial: 'a',
      states: {
        a: { on: { go: 'z' }, after: { 100: { target: 'gone', guard: fails } } },
        gone: {},
        z: {},
      },
    });
    const now = machine({
      initial: 'a',
      states: { a: { on: { go: 'z' }, after: { 200: { actions: note('reminder') } } }, z: {} },
    });
    const one = new Migrating([old, now], {
      declared: { halting: { ofError: () => ({ code: 'Broken', message: 'broken' }) } },
    });
    one.played.pass(100);
    expect(one.played.process.halt).toBeDefined();
    expect(one.result(2)).toMatchObject({ obstacles: [{ code: 'TimerUnclear' }] });
  });

  test('the timer of a renamed state stays the same one, also where another one had its name', () => {
    const old = machine({
      type: 'parallel',
      states: {
        one: { initial: 'a', states: { a: { after: { 1000: 'b' } }, b: {} } },
        other: { initial: 'a', states: { a: { after: { 1000: 'b' } }, b: {} } },
      },
    });
    const now = machine({
      type: 'parallel',
      states: { other: { initial: 'a', states: { a: { after: { 1000: 'b' } }, b: {} } } },
    });
    const one = new Migrating([old, now]);
    one.played.pass(10);
    // The region that is left had the name of the one that is kept.
    one.migrate(2, { plan: { states: { one: 'other' }, leave: ['other'] } });
    expect(one.timers).toEqual({ 'xstate.after.1000.m.other.a': 1_000 });
    one.played.pass(990);
    expect(one.value).toEqual({ other: 'b' });
  });
});
