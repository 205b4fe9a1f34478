// A process goes over to another machine in one step: what is left, carried and entered, in which order, and the timers.
import { describe, expect, test } from 'vitest';
import { assign, raise, sendTo } from 'xstate';
import { Migrating, machine, note } from './machines.ts';

const noted = (name: string, more: object = {}) => ({
  entry: note(`enter ${name}`),
  exit: note(`exit ${name}`),
  ...more,
});

describe('states', () => {
  test('a process of the same definition gets no command, and is where it was', () => {
    const config = {
      initial: 'a',
      states: {
        a: noted('a', { after: { 500: 'b' }, on: { go: 'b' }, invoke: { src: 'charge' } }),
        b: noted('b'),
      },
    };
    const one = new Migrating([machine(config), machine(config)]);
    one.notes();
    const before = one.played.process.carried;
    one.migrate();
    expect(one.notes()).toEqual([]);
    expect(one.calls).toEqual(['0.m.a: charge']);
    const { format, version, migrations, ...after } = one.played.process.carried;
    expect(before).toMatchObject(after);
  });

  test('what is left is left by the old machine, innermost first; what is new is entered by the new one, outermost first', () => {
    const old = machine({
      initial: 'a',
      states: {
        a: noted('old a', {
          initial: 'b',
          states: {
            b: noted('old b', { initial: 'c', states: { c: noted('old c', { on: { go: '#m.z' } }) } }),
          },
        }),
        z: {},
      },
    });
    const now = machine({
      initial: 'n',
      states: {
        n: noted('n', {
          initial: 'o',
          states: { o: noted('o', { initial: 'p', states: { p: noted('p', { on: { go: '#m.z' } }) } }) },
        }),
        z: {},
      },
    });
    const one = new Migrating([old, now]);
    one.notes();
    one.migrate(2, { plan: { leave: ['a'], sent: [] } });
    expect(one.notes()).toEqual(['exit old c', 'exit old b', 'exit old a', 'enter n', 'enter o', 'enter p']);
    expect(one.value).toEqual({ n: { o: 'p' } });
  });

  test('regions that are left are left in reverse, and regions that are new are entered in order', () => {
    const region = (name: string) => noted(name, { initial: 'x', states: { x: noted(`${name}.x`) } });
    const old = machine({
      type: 'parallel',
      states: { kept: region('kept'), r1: region('r1'), r2: region('r2') },
    });
    const now = machine({
      type: 'parallel',
      states: { n1: region('n1'), kept: region('kept'), n2: region('n2') },
    });
    const one = new Migrating([old, now]);
    one.notes();
    one.migrate();
    expect(one.notes()).toEqual(
      [
        ['exit r2.x', 'exit r2', 'exit r1.x', 'exit r1'],
        ['enter n1', 'enter n1.x', 'enter n2', 'enter n2.x'],
      ].flat(),
    );
  });

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
    expect(one.played.world.takeSent()).toMatchObject([{ to: 'child', event: { type: 'hello' } }]);
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
    expect(one.verdict(2)).toMatchObject({
      verdict: 'needsPlan',
      obstacles: [{ code: 'StateRemoved', at: 'a.b' }],
    });
    one.migrate(2, { plan: { states: { a: 'w.n' } } });
    expect(one.value).toEqual({ w: { n: 'b' } });
  });

  test('a former name that the old machine has not takes no state away', () => {
    const config = { initial: 'lent', states: { lent: { on: { go: 'over' } }, over: { type: 'final' } } };
    // As a file says that goes on to name what the state was called two versions ago.
    const one = new Migrating([machine(config), machine(config)], { plan: { states: { given: 'lent' } } });
    expect(one.verdict()).toMatchObject({ verdict: 'carried', obstacles: [] });
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
    expect(new Migrating([old, machine({ initial: 'x', states })]).verdict()).toMatchObject({
      verdict: 'refused',
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
    expect(new Migrating([machine(open), machine(shut)]).verdict().obstacles).toMatchObject([
      { code: 'FinalChanged', at: 'one.f' },
    ]);
    const one = new Migrating([
      machine({ initial: 'p', states: { p: { ...open, onDone: 'q' }, q: {} } }),
      machine(done),
    ]);
    expect(one.verdict().obstacles).toMatchObject([{ code: 'FinalChanged', at: 'p.other.f' }]);
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

  test('a remembered state is carried by its image, else its history begins at the default', () => {
    const states = (kept: object) => ({
      p: {
        initial: 'x',
        on: { out: 'q' },
        states: { x: { on: { next: Object.keys(kept)[0] } }, ...kept, h: { type: 'history', target: 'x' } },
      },
      q: { on: { back: 'p.h' } },
    });
    const old = machine({ initial: 'p', states: states({ y: {} }) });
    for (const [kept, plan, expected] of [
      [{ y: {} }, {}, 'y'],
      [{ z: {} }, { states: { 'p.y': 'p.z' } }, 'z'],
      [{ w: {} }, {}, 'x'],
    ] as const) {
      const one = new Migrating([old, machine({ initial: 'p', states: states(kept) })]);
      one.played.send({ type: 'next' });
      one.played.send({ type: 'out' });
      const { notes = [] } = one.migrate(2, { plan });
      expect(notes).toEqual(
        expected === 'x' ? ['p.h remembers p.y no longer: it begins at its default'] : [],
      );
      one.played.send({ type: 'back' });
      expect(one.value).toEqual({ p: expected });
    }
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
    process.extend(until, 'extend', { answer: () => undefined, refuse: () => undefined });
    process.drain();
  };

  test('one that is longer or shorter goes on from the moment at which it was armed', () => {
    const one = new Migrating([waiting({ 1000: 'b' }), waiting({ 600: 'b' }), waiting({ 5000: 'b' })]);
    one.played.pass(400);
    expect(one.verdict(2).outcome?.timers).toMatchObject([{ what: 'rebased', isOverdue: false }]);
    one.migrate(2);
    expect(one.timers).toEqual({ 'xstate.after.600.m.a': 600 });
    one.migrate(3);
    one.played.pass(4_599);
    expect(one.value).toBe('a');
    one.played.pass(1);
    expect(one.value).toBe('b');
  });

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
      const one = new Migrating([both, now], { declared: { extension } });
      extend(one, 2_500);
      const words = `the wait 900 of a, whose end somebody has moved to 1970-01-01T00:00:02.500Z, is given up${note}`;
      expect(one.verdict(2, plan)).toMatchObject({ verdict: 'carried', notes: [words] });
      expect(one.migrate(2, { plan }).notes).toEqual([words]);
    }
  });

  test('one whose end somebody has moved ends then, whatever its delay is now, and the verdict says so', () => {
    const one = new Migrating(
      [waiting({ 1000: 'b' }), waiting({ 1000: 'b' }), waiting({ 300: 'b' }), waiting({ 9000: 'b' })],
      { declared: { extension } },
    );
    extend(one, 2_500);
    one.played.pass(400);
    expect(one.verdict(2)).toMatchObject({ verdict: 'carried', notes: [] });
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
    for (const [overdue, due] of [
      ['now', 400],
      ['keep', 1_000],
      [{ grace: 50 }, 450],
    ] as const) {
      const one = new Migrating(machines);
      one.played.pass(400);
      expect(one.verdict()).toMatchObject({
        verdict: 'needsPlan',
        obstacles: [{ code: 'TimerOverdue', at: 'a' }],
      });
      one.migrate(2, { plan: { overdue } });
      expect(Object.values(one.timers)).toEqual([due]);
    }
  });

  test('one that is added counts from the moment at which the state was entered; one that is removed is cancelled', () => {
    const one = new Migrating([
      waiting({ 1000: 'b' }),
      waiting({ 700: 'c', 1000: 'b' }),
      waiting({ 700: 'c' }),
    ]);
    one.played.pass(200);
    one.migrate(2);
    expect(one.timers).toEqual({ 'xstate.after.1000.m.a': 1_000, 'xstate.after.700.m.a': 700 });
    one.migrate(3);
    one.played.pass(500);
    expect(one.value).toBe('c');
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
    expect(one.verdict(2)).toMatchObject({ obstacles: [{ code: 'TimerUnclear' }] });
    expect(one.verdict(3).verdict).toBe('carried');
    one.migrate(2, { plan: { timers: { 'a 100': '200' } } });
    expect(one.timers).toEqual({});
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
