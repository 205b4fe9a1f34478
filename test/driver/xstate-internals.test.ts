// What the driver takes for granted of xstate beyond its documented interface, and no other test of the driver shows. If one
// fails after an update of xstate, driver/xstate-internals.ts is where it is used.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  assign,
  type EventObject,
  fromTransition,
  log,
  raise,
  sendTo,
  setup,
} from 'xstate';
import { childWorkflow } from '../../driver/actor-kinds.ts';
import {
  type Action,
  type AnyActor,
  activeNodes,
  bounded,
  childrenOf,
  completeNodes,
  enclosed,
  inputOf,
  logicOf,
  nodeById,
  rootActor,
  Scope,
  setInput,
  setLogic,
  setSnapshot,
  takes,
} from '../../driver/xstate-internals.ts';

const counter = fromTransition((count: number) => count + 1, 0);
const base = setup({ actors: { counter } });

interface Stepped {
  readonly root: AnyActor;
  readonly scope: Scope;
  snapshot: AnyMachineSnapshot;
  actions: readonly Action[];
  send(event: EventObject): void;
}

/** A machine after its first step; `send` takes the next ones. */
function begun(machine: AnyStateMachine, input?: unknown): Stepped {
  let number = 0;
  const root = rootActor(machine, {
    nextNumber: () => ++number,
    send: () => undefined,
    watch: undefined,
  });
  const scope = new Scope(root);
  const stepped: Stepped = {
    ...{ root, scope },
    ...scope.first(input),
    send: (event) => {
      Object.assign(stepped, scope.next(stepped.snapshot, event));
      setSnapshot(root, stepped.snapshot);
    },
  };
  setSnapshot(root, stepped.snapshot);
  return stepped;
}

test('children are numbered by their system, and not over all systems', () => {
  const machine = base.createMachine({
    entry: assign(({ spawn }) => {
      spawn('counter');
      return {};
    }),
  });
  const names = () => childrenOf(begun(machine).root).map(({ sessionId }) => sessionId);
  expect([names(), names()]).toEqual([['x:1'], ['x:1']]);
  expect(begun(machine).root).toMatchObject({ id: 'x:0', sessionId: 'x:0' });
});

test('the active states are those of the value, each before those within it, with the events of their own', () => {
  const machine = base.createMachine({
    id: 'm',
    initial: 'a',
    on: { TOP: '.a' },
    states: {
      a: {
        initial: 'b',
        states: { b: { on: { INNER: 'c', FORBIDDEN: undefined } }, c: { on: { LATER: 'b' } } },
      },
    },
  });
  const { snapshot } = begun(machine);
  expect(activeNodes(snapshot).map(({ id }) => id)).toEqual(['m', 'm.a', 'm.a.b']);
  const taken = ['TOP', 'INNER', 'FORBIDDEN', 'LATER'].filter((type) => takes(snapshot, type));
  expect(taken).toEqual(['TOP', 'INNER']);
});

test('a bound stops an endless loop, and leaves the machine itself without one', () => {
  const machine = setup({ types: { context: {} as { count: number } } }).createMachine({
    context: { count: 0 },
    on: { GO: { actions: raise({ type: 'GO' }) } },
  });
  const stepped = begun(bounded(machine, 30));
  expect(() => stepped.send({ type: 'GO' })).toThrow(/infinite loop/i);
  expect(machine.options?.maxIterations ?? Number.POSITIVE_INFINITY).toBe(Number.POSITIVE_INFINITY);
  const own = bounded(machine, 7);
  expect(bounded(own, 30)).toBe(own);
});

test('an external actor that is restored still has its input', () => {
  const machine = setup({ actors: { asked: childWorkflow<string, object>('Asked') } }).createMachine({
    invoke: { id: 'asked', src: 'asked', input: { colour: 'red' } },
  });
  const kept = JSON.parse(JSON.stringify(machine.getPersistedSnapshot(begun(machine).snapshot)));
  const root = rootActor(machine, { nextNumber: () => 1, send: () => undefined, watch: undefined });
  setSnapshot(root, new Scope(root).restored(machine, kept));
  expect(childrenOf(root).map(inputOf)).toEqual([{ colour: 'red' }]);
});

test('no other file of the product names what xstate keeps to itself', () => {
  const root = join(import.meta.dirname, '../..');
  const kept =
    /(?<=[.{,]\s?)_(?:nodes|snapshot|transitions|bookId|relay|unregister|syncSnapshot)\b|getTransitionData|restoreSnapshot/;
  const folders = ['driver', 'flow-files', 'flows', 'machines', 'workflows', 'console', 'client'];
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(folder, name)),
  );
  expect(files.filter((name) => kept.test(readFileSync(join(root, name), 'utf8')))).toEqual([
    'driver/xstate-internals.ts',
  ]);
});

// The replacement of a machine.

const nothing = {
  ...{ left: [], entered: [], byDefault: new Set<never>(), completed: [], stopped: [], started: [] },
  ...{ carried: new Map<string, string>(), history: {}, context: (before: unknown) => before },
  measure: () => undefined,
};

const withNodes = (machine: AnyStateMachine, ...ids: string[]) =>
  completeNodes(machine, new Set(ids.map((id) => nodeById(machine, id) as never)));

test('an action before the replacement is found on the old machine, one that follows from it on the new one', () => {
  const [old, now] = ['old', 'new'].map((name) =>
    setup({ actions: { tell: log(name) } }).createMachine({
      ...{ id: 'm', initial: 'a' },
      states: { a: { entry: 'tell', exit: 'tell' } },
    }),
  ) as [AnyStateMachine, AnyStateMachine];
  const { scope, snapshot } = begun(old);
  const [left, entered] = [old, now].map((machine) => nodeById(machine, 'm.a') as never);
  const { actions } = scope.swapped(snapshot, now, {
    ...{ ...nothing, nodes: withNodes(now, 'm.a'), left: [left as never], entered: [entered as never] },
  });
  expect(actions.map(({ params }) => (params as { value: string }).value)).toEqual(['old', 'new']);
});

test('an entry action sends to an actor that its state invokes, although that is made after it', () => {
  const child = base.createMachine({});
  const make = (inner: object) =>
    setup({ actors: { child } }).createMachine({
      id: 'm',
      initial: 'a',
      states: { a: inner },
    }) as AnyStateMachine;
  const now = make({ entry: sendTo('c', { type: 'HELLO' }), invoke: { id: 'c', src: 'child' } });
  const { scope, snapshot } = begun(make({}));
  const a = nodeById(now, 'm.a') as never;
  const step = scope.swapped(snapshot, now, { ...nothing, nodes: withNodes(now, 'm.a'), entered: [a] });
  const sent = step.actions.find(({ type }) => type === 'xstate.sendTo')?.params as { to: unknown };
  expect(sent.to).toBe(step.snapshot.children.c);
});

test('the steps of an enclosed machine enclose the step that leaves it, too', () => {
  const within: string[] = [];
  const make = (name: string) =>
    enclosed(base.createMachine({ id: 'm', initial: 'a', states: { a: {} } }), {
      first: (step) => step(),
      next: (_, step) => {
        within.push(name);
        return step();
      },
      ask: (guards) => guards(),
    });
  const [old, now] = [make('old'), make('new')];
  const { scope, snapshot } = begun(old);
  scope.swapped(snapshot, now, { ...nothing, nodes: withNodes(now, 'm.a') });
  expect(within).toEqual(['old', 'new']);
});

test('an actor of a snapshot can be given other logic, and the input that it is continued with', () => {
  const machine = base.createMachine({ invoke: { id: 'c', src: 'counter', input: 1 } });
  const child = begun(machine).snapshot.children.c as AnyActor;
  const logic = fromTransition((count: number) => count, 5);
  setLogic(child, logic);
  setInput(child, 2);
  expect(logicOf(child)).toBe(logic);
  expect((child.getSnapshot() as unknown as { input: unknown }).input).toBe(2);
});
