// A process goes over to another machine while activities run, is halted, or would be stranded; and what it keeps of that.

import { describe, expect, test } from 'vitest';
import { noReply } from '../../../engine/inbox.ts';
import { Migrating, machine } from './machines.ts';

describe('invokes', () => {
  const calling = (invoke: object, state = 'a') =>
    machine({ initial: state, states: { [state]: { invoke }, b: {}, c: {} } });

  test('an answer that comes after the update and before its step finds the new id', () => {
    const one = new Migrating([
      calling({ src: 'charge', onDone: 'b' }),
      calling({ src: 'charge', onDone: 'c' }, 'x'),
    ]);
    const reply = noReply;
    one.played.process.migrate(one.request(2, { plan: { states: { a: 'x' } } }), 'u', reply);
    one.played.call.done('paid');
    one.played.process.drain();
    expect(one.value).toBe('c');
  });

  test('one whose src changes must be given up, and `--wait` waits for its end', () => {
    const one = new Migrating([
      calling({ id: 'pay', src: 'charge', onDone: 'b' }),
      calling({ id: 'pay', src: 'refund', onDone: 'b' }),
    ]);
    expect(one.result().obstacles).toMatchObject([{ code: 'InvokeChanged', at: 'pay' }]);
    expect(one.played.process.migrations.result(one.request(2, { wait: true })).kind).toBe('waits');
  });

  test('one begins again with `restart`', () => {
    const config = { id: 'pay', src: 'charge', onDone: 'b' };
    const one = new Migrating([calling(config), calling({ ...config, input: { fee: 2 } })]);
    one.migrate(2, { plan: { restart: ['pay'] } });
    expect(one.played.host.calls.map(({ input }) => input)).toEqual([{ fee: 2 }]);
  });
});

describe('no process is stranded', () => {
  const old = machine({ initial: 'a', states: { a: { on: { paid: 'b' } }, b: {} } });
  const now = machine({ initial: 'a', states: { a: { on: { payment: 'b' } }, b: {} } });

  test('a renamed event without its former name is refused with the remedy', () => {
    const [obstacle] = new Migrating([old, now]).result().obstacles;
    expect(obstacle).toMatchObject({ code: 'Stranded', at: 'a' });
    expect(obstacle?.remedy).toContain('was: paid');
  });

  test('with its former name it is carried, and goes on by either name', () => {
    for (const type of ['paid', 'payment']) {
      const one = new Migrating([old, now]);
      one.migrate(2, { plan: { events: { paid: 'payment' } } });
      one.played.continueAsNew();
      one.played.send({ type });
      expect(one.value).toBe('b');
    }
  });

  test('also within a state that is left once it is done, since nothing would make it done', () => {
    const around = (type: string) =>
      machine({
        initial: 'o',
        states: {
          o: { initial: 'a', states: { a: { on: { [type]: 'd' } }, d: { type: 'final' } }, onDone: 'z' },
          z: {},
        },
      });
    const { obstacles } = new Migrating([around('paid'), around('payment')]).result();
    expect(obstacles).toMatchObject([{ code: 'Stranded', at: 'o.a' }]);
  });

  test('a timer that is removed, and an answer that leads nowhere, strand it too', () => {
    const timed = machine({ initial: 'a', states: { a: { after: { 100: 'b' } }, b: {} } });
    const idle = machine({ initial: 'a', states: { a: {}, b: {} } });
    expect(new Migrating([timed, idle]).result().obstacles).toMatchObject([{ code: 'Stranded' }]);
    const calls = (more: object) =>
      machine({ initial: 'a', states: { a: { invoke: { src: 'charge', ...more } }, b: {} } });
    expect(new Migrating([calls({ onDone: 'b' }), calls({})]).result().obstacles).toMatchObject([
      { code: 'Stranded' },
    ]);
  });
});

describe('what a process keeps of it', () => {
  const versions = ['a', 'b', 'c'].map((state) =>
    machine({ initial: state, states: { [state]: { after: { 1000: 'z' } }, z: {} } }),
  );
  const plan = { states: { a: 'b', b: 'c' } };

  test('who, why, from, to and when, also as a new run; the same update is one migration', () => {
    const one = new Migrating(versions);
    one.played.pass(5);
    const migrated = one.migrate(2, { plan }, 'batch/m');
    expect(migrated).toEqual({
      id: 'batch/m',
      from: 1,
      to: 2,
      by: 'anna',
      why: 'a test',
      at: '1970-01-01T00:00:00.005Z',
    });
    one.played.continueAsNew();
    expect(one.migrate(2, { plan }, 'batch/m')).toEqual(migrated);
    expect(one.played.process.migrations.done).toEqual([migrated]);
    expect(one.played.process.progress()).toMatchObject({ migrations: [migrated] });
  });

  test('back is exactly as it was, while nothing has been taken since', () => {
    const one = new Migrating(versions);
    one.played.pass(5);
    const { format, ...before } = one.played.process.carried;
    one.migrate(2, { plan });
    one.migrate(1, { back: true });
    const { migrations, format: _, ...after } = one.played.process.carried;
    expect(after).toEqual(before);
    expect(migrations).toMatchObject([{ to: 2 }, { from: 2, to: 1, back: true }]);
  });

  test('back to another version than the one before goes over to that version', () => {
    const same = machine({ initial: 'a', states: { a: { on: { go: 'b' } }, b: {} } });
    const one = new Migrating([same, same, same]);
    one.migrate(2);
    expect(one.migrate(3, { back: true })).toMatchObject({ from: 2, to: 3, back: true });
    // Also where the one before was the same one.
    const other = new Migrating([same, same]);
    other.migrate(2);
    other.migrate(2);
    expect(other.migrate(1, { back: true })).toMatchObject({ from: 2, to: 1, back: true });
  });
});

describe('a halted process', () => {
  const no = () => {
    throw new RangeError('no such key');
  };
  const halts = (error: unknown) => ({ code: 'Failed', message: (error as Error).message });

  test('takes the kept event again, by the new definition, and is halted again if that fails too', () => {
    const failing = (guard: () => boolean) =>
      machine({ initial: 'a', states: { a: { on: { go: { guard, target: 'b' } } }, b: {} } });
    const one = new Migrating([failing(no), failing(no), failing(() => true)], {
      declared: { halting: { ofError: halts } },
    });
    one.played.send({ type: 'go' });
    expect(one.played.process.halt).toMatchObject({ event: 'go' });
    one.migrate(2);
    expect(one.played.process.halt).toMatchObject({ event: 'go' });
    one.migrate(3);
    expect([one.value, one.played.process.halt]).toEqual(['b', undefined]);
  });

  test('takes no delay or answer again of a state that is left, also where it is entered anew', () => {
    const failing = (guard: () => boolean) =>
      machine({
        initial: 'a',
        states: {
          a: {
            after: { 100: { guard, target: 'b' } },
            invoke: { src: 'charge', onDone: { guard, target: 'c' } },
          },
          b: {},
          c: {},
        },
      });
    for (const happen of [
      ({ played }: Migrating) => played.pass(100),
      ({ played }: Migrating) => played.answer('ok'),
    ]) {
      const one = new Migrating([failing(no), failing(() => true)], {
        declared: { halting: { ofError: halts } },
      });
      happen(one);
      expect(one.played.process.halt).toBeDefined();
      one.migrate(2, { plan: { leave: ['a'] } });
      expect([one.value, one.calls.length, Object.keys(one.timers).length]).toEqual(['a', 1, 1]);
      one.played.pass(100);
      expect(one.value).toBe('b');
    }
  });
});
