// What the driver takes for granted of xstate beyond its documented interface, one test for each assumption. If one fails
// after an update of xstate, driver/xstate-internals.ts is where it is used.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  and,
  assign,
  cancel,
  type EventObject,
  emit,
  fromTransition,
  initialTransition,
  log,
  not,
  raise,
  sendTo,
  setup,
  spawnChild,
  stateIn,
  stopChild,
} from 'xstate';
import { childWorkflow } from '../../driver/actor-kinds.ts';
import {
  type Action,
  type AnyActor,
  activeNodes,
  type BuiltIn,
  bounded,
  childrenOf,
  completeNodes,
  delayOf,
  doneEvent,
  enclosed,
  entriesMarked,
  errorEvent,
  inertActor,
  inputOf,
  isAdded,
  isComplete,
  logicOf,
  nodeById,
  rootActor,
  Scope,
  sendsSnapshots,
  setInput,
  setLogic,
  setSnapshot,
  srcOf,
  takes,
  unregister,
} from '../../driver/xstate-internals.ts';

const counter = fromTransition((count: number) => count + 1, 0);
const base = setup({ actors: { counter } });

interface Stepped {
  readonly root: AnyActor;
  readonly scope: Scope;
  readonly sent: EventObject[];
  readonly watched: string[];
  snapshot: AnyMachineSnapshot;
  actions: readonly Action[];
  send(event: EventObject): void;
}

/** A machine after its first step; `send` takes the next ones. */
function begun(machine: AnyStateMachine, input?: unknown): Stepped {
  let number = 0;
  const sent: EventObject[] = [];
  const watched: string[] = [];
  const root = rootActor(machine, {
    nextNumber: () => ++number,
    send: (_, event) => void sent.push(event),
    watch: (taken) => watched.push(...taken.map(({ eventType }) => eventType)),
  });
  const scope = new Scope(root);
  const stepped: Stepped = {
    ...{ root, scope, sent, watched },
    ...scope.first(input),
    send: (event) => {
      Object.assign(stepped, scope.next(stepped.snapshot, event));
      setSnapshot(root, stepped.snapshot);
    },
  };
  setSnapshot(root, stepped.snapshot);
  return stepped;
}

const typesOf = (actions: readonly Action[]) => actions.map(({ type }) => type);

test('an actor that is never started has its logic, and does not begin it', () => {
  const getInitialSnapshot = vi.fn();
  const logic = { ...counter, getInitialSnapshot };
  expect(logicOf(inertActor(logic))).toBe(logic);
  expect(getInitialSnapshot).not.toHaveBeenCalled();
});

test('an actor shows the snapshot that it is given', () => {
  const machine = base.createMachine({});
  const { root, snapshot } = begun(machine);
  expect(root.getSnapshot()).toBe(snapshot);
});

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

test('what an action sends with `self.send` goes through its system', () => {
  const { actions, sent } = begun(base.createMachine({ entry: ({ self }) => self.send({ type: 'HELLO' }) }));
  expect(sent).toEqual([]);
  for (const { exec, info, params } of actions) exec?.(info, params);
  expect(sent).toEqual([{ type: 'HELLO' }]);
});

test('a step collects its actions in order, and carries out none', () => {
  const acted = vi.fn();
  const machine = base.createMachine({
    initial: 'on',
    states: {
      on: { exit: acted, on: { OFF: { target: 'off', actions: emit({ type: 'LEFT' }) } } },
      off: {
        entry: raise({ type: 'LATER' }, { delay: 5, id: 'later' }),
        invoke: { src: 'counter', id: 'c' },
      },
    },
  });
  const stepped = begun(machine);
  stepped.send({ type: 'OFF' });
  expect(typesOf(stepped.actions).slice(1)).toEqual(['xstate.emit', 'xstate.raise', 'xstate.spawnChild']);
  expect(stepped.actions[0]?.exec).toBe(acted);
  expect(acted).not.toHaveBeenCalled();
});

test('a second step does not repeat the actions of the first', () => {
  const stepped = begun(
    base.createMachine({ entry: emit({ type: 'IN' }), on: { GO: { actions: emit({ type: 'GONE' }) } } }),
  );
  expect(typesOf(stepped.actions)).toEqual(['xstate.emit']);
  stepped.send({ type: 'GO' });
  expect(stepped.actions.map(({ params }) => params)).toEqual([{ event: { type: 'GONE' } }]);
});

test('only `spawn` in an assign defers, and it keeps the input of the actor', () => {
  const machine = base.createMachine({
    on: {
      SPAWN: {
        actions: assign(({ spawn }) => {
          spawn('counter', { id: 'c', input: 7 });
          return {};
        }),
      },
      START: { actions: spawnChild('counter', { id: 'd' }) },
    },
  });
  const stepped = begun(machine);
  stepped.send({ type: 'START' });
  expect(stepped.scope.hasSpawned).toBe(false);
  stepped.send({ type: 'SPAWN' });
  expect(stepped.scope.hasSpawned).toBe(true);
  const spawned = childrenOf(stepped.root).find(({ id }) => id === 'c');
  expect(spawned && inputOf(spawned)).toBe(7);
});

test('an error of the first step is in the snapshot, and is not thrown', () => {
  const machine = setup({}).createMachine({
    context: () => {
      throw new RangeError('no context');
    },
  });
  expect(begun(machine).snapshot).toMatchObject({ status: 'error', error: { message: 'no context' } });
});

test('an error of a later step is thrown, but a failure that no state takes is in the snapshot', () => {
  const machine = base.createMachine({
    invoke: { src: 'counter', id: 'c' },
    on: {
      BREAK: {
        actions: assign(() => {
          throw new RangeError('no step');
        }),
      },
    },
  });
  const stepped = begun(machine);
  expect(() => stepped.send({ type: 'BREAK' })).toThrow('no step');
  stepped.send(errorEvent('c', 'it broke'));
  expect(stepped.snapshot).toMatchObject({ status: 'error', error: 'it broke' });
});

test('an actor has the name of its logic, and says whether its snapshots are taken', () => {
  const machine = base.createMachine({
    invoke: [
      { src: 'counter', id: 'shown', onSnapshot: {} },
      { src: 'counter', id: 'quiet' },
    ],
  });
  const children = childrenOf(begun(machine).root);
  expect(children.map(srcOf)).toEqual(['counter', 'counter']);
  expect(children.map(logicOf)).toEqual([counter, counter]);
  expect(children.map(sendsSnapshots)).toEqual([true, false]);
});

test('an actor with a systemId may follow one that the same step stops', () => {
  const machine = base.createMachine({
    initial: 'on',
    states: {
      on: { invoke: { src: 'counter', systemId: 'counter' }, on: { AGAIN: { target: 'on', reenter: true } } },
    },
  });
  const stepped = begun(machine);
  stepped.send({ type: 'AGAIN' });
  expect(typesOf(stepped.actions)).toEqual(['xstate.stopChild', 'xstate.spawnChild']);
  const [child] = childrenOf(stepped.root);
  expect(stepped.root.system.get('counter')).toBe(child);
  unregister(child);
  expect(stepped.root.system.get('counter')).toBeUndefined();
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

test('a machine whose entries are marked tells a step which states it enters, and no action of it', () => {
  const machine = base.createMachine({
    initial: 'one',
    on: { again: { target: '.one', reenter: true } },
    states: { one: { initial: 'deep', states: { deep: { on: { on: 'on' } }, on: {} } }, two: {} },
  });
  const before = begun(machine);
  expect(before.scope.entered).toEqual([]);
  entriesMarked(machine);
  entriesMarked(machine);
  const stepped = begun(machine);
  const entered = () => stepped.scope.entered.map(({ path }) => path.join('.'));
  expect(entered()).toEqual(['', 'one', 'one.deep']);
  stepped.send({ type: 'on' });
  expect(entered()).toEqual(['one.on']);
  stepped.send({ type: 'again' });
  expect(entered()).toEqual(['', 'one', 'one.deep']);
  expect(stepped.actions).toEqual([]);
  // Another scope, as xstate's own, hears nothing of it.
  expect(initialTransition(machine)[1]).toEqual([]);
});

test('what xstate puts into a state for its `after` can be told from the actions of its author', () => {
  const { root } = base.createMachine({
    after: { 5: {} },
    entry: raise({ type: 'IN' }),
    exit: cancel('own'),
  });
  expect(root.entry.map(isAdded).sort()).toEqual([false, true]);
  expect(root.exit.map(isAdded).sort()).toEqual([false, true]);
});

test("the params of xstate's own actions have the fields that the driver reads", () => {
  const machine = base.createMachine({
    invoke: { id: 'c', src: 'counter', input: 3 },
    on: {
      GO: {
        actions: [
          raise({ type: 'A' }, { id: 'a', delay: 5 }),
          sendTo('c', { type: 'B' }, { id: 'b', delay: 6 }),
          cancel('a'),
          emit({ type: 'C' }),
          log('words', 'label'),
          stopChild('c'),
        ],
      },
    },
  });
  const stepped = begun(machine);
  const [child] = childrenOf(stepped.root);
  expect(stepped.actions).toMatchObject([
    { type: 'xstate.spawnChild', params: { actorRef: child, src: 'counter', input: 3 } },
  ]);
  stepped.send({ type: 'GO' });
  expect(stepped.actions).toMatchObject([
    { type: 'xstate.raise', params: { id: 'a', event: { type: 'A' }, delay: 5 } },
    { type: 'xstate.sendTo', params: { to: child, id: 'b', event: { type: 'B' }, delay: 6 } },
    { type: 'xstate.cancel', params: { sendId: 'a' } },
    { type: 'xstate.emit', params: { event: { type: 'C' } } },
    { type: 'xstate.log', params: { value: 'words', label: 'label' } },
    { type: 'xstate.stopChild' },
  ]);
  expect(stepped.actions.at(-1)?.params).toBe(child);
});

test("the functions that xstate's makers of actions and guards return have the fields that the check reads", () => {
  // The fields of a function are compared as those of an object.
  const fieldsOf = (made: unknown): BuiltIn => ({ ...(made as BuiltIn) });
  const assignment = () => ({});
  expect(fieldsOf(assign(assignment))).toMatchObject({ type: 'xstate.assign', assignment });
  expect(fieldsOf(raise({ type: 'A' }, { delay: 5 }))).toMatchObject({ type: 'xstate.raise', delay: 5 });
  expect(fieldsOf(sendTo('c', { type: 'A' }))).toMatchObject({ type: 'xstate.sendTo', to: 'c' });
  expect(fieldsOf(spawnChild('s' as never, { id: 'c' } as never))).toMatchObject({
    ...{ type: 'xstate.spawnChild', src: 's', id: 'c' },
  });
  for (const action of [assign({}), raise({ type: 'A' }), cancel('a')])
    expect(fieldsOf(action).resolve).toBeInstanceOf(Function);
  const inner = not('a' as never);
  expect(fieldsOf(and([inner as never]))).toMatchObject({ guards: [inner] });
  expect(fieldsOf(stateIn('#a'))).toMatchObject({ stateValue: '#a' });
});

test('a machine can be enclosed: its first step, its later ones, and the guards that are asked outside of a step', () => {
  const seen: string[] = [];
  const see = <Result>(what: string, run: () => Result): Result => {
    seen.push(what);
    return run();
  };
  const machine = enclosed(base.createMachine({ on: { GO: { actions: emit({ type: 'GONE' }) } } }), {
    first: (step) => see('first', step),
    next: (_, step) => see('next', step),
    ask: (guards) => see('ask', guards),
  });
  const stepped = begun(machine);
  expect(seen).toEqual(['first']);
  stepped.send({ type: 'GO' });
  expect(seen).toEqual(['first', 'next', 'ask']);
  expect(stepped.snapshot.can({ type: 'GO' })).toBe(true);
  expect(seen).toEqual(['first', 'next', 'ask', 'ask']);
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

test('who watches a machine gets the transitions that it takes, in order', () => {
  const machine = base.createMachine({
    initial: 'a',
    states: { a: { on: { GO: 'b' } }, b: { always: 'c' }, c: {} },
  });
  const stepped = begun(machine);
  stepped.send({ type: 'GO' });
  expect(stepped.watched).toEqual(['GO', '']);
});

test('the end of an actor is the event that `onDone` and `onError` take', () => {
  const machine = base.createMachine({
    initial: 'on',
    states: {
      on: { invoke: { src: 'counter', id: 'c', onDone: 'done', onError: 'failed' } },
      done: {},
      failed: {},
    },
  });
  for (const [event, state] of [
    [doneEvent('c', 1), 'done'],
    [errorEvent('c', 1), 'failed'],
  ] as const) {
    const stepped = begun(machine);
    stepped.send(event);
    expect(stepped.snapshot.value).toBe(state);
  }
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

test('a snapshot that was kept as JSON is restored with its children', () => {
  const machine = base.createMachine({ invoke: { src: 'counter', id: 'c' } });
  const { snapshot } = begun(machine);
  const kept = JSON.parse(JSON.stringify(machine.getPersistedSnapshot(snapshot)));
  const { root, scope } = begun(machine);
  setSnapshot(root, scope.restored(machine, kept));
  expect(childrenOf(root).map((child) => [child.id, srcOf(child)])).toEqual([['c', 'counter']]);
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

test('a snapshot of another machine takes a step with no other result than the replacement', () => {
  const [old, now] = ['a', 'b'].map((initial) =>
    base.createMachine({ id: 'm', initial, states: { [initial]: {} } }),
  );
  const { scope, snapshot } = begun(old as AnyStateMachine);
  const to = now as AnyStateMachine;
  const { snapshot: after, actions } = scope.swapped(snapshot, to, {
    ...nothing,
    nodes: withNodes(to, 'm.b'),
  });
  expect([after.value, after.machine, after.status, typesOf(actions)]).toEqual(['b', to, 'active', []]);
  expect(scope.next(after, { type: 'unknown' }).snapshot.value).toBe('b');
});

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

test('a child keeps its actor under its new id, and is neither stopped nor begun', () => {
  const make = (id: string) =>
    base.createMachine({
      id: 'm',
      initial: 'a',
      states: { a: { invoke: { id, src: 'counter' } } },
    }) as AnyStateMachine;
  const [old, now] = [make('one'), make('other')];
  const { scope, snapshot } = begun(old);
  const actor = snapshot.children.one;
  const carried = new Map([['one', 'other']]);
  const a = nodeById(now, 'm.a') as never;
  const step = scope.swapped(snapshot, now, {
    ...nothing,
    nodes: withNodes(now, 'm.a'),
    carried,
    entered: [a],
  });
  expect([typesOf(step.actions), step.snapshot.children]).toEqual([[], { other: actor }]);
  expect(actor?.id).toBe('other');
});

test('nodes are completed as xstate enters them, and a state is complete as xstate completes it', () => {
  const machine = base.createMachine({
    ...{ id: 'm', type: 'parallel' },
    states: {
      p: { initial: 'x', states: { x: { type: 'final' }, y: {} } },
      q: { initial: 'z', states: { z: {} } },
    },
  });
  const nodes = withNodes(machine, 'm.p');
  expect([...nodes].map(({ id }) => id).sort()).toEqual(['m', 'm.p', 'm.p.x', 'm.q', 'm.q.z']);
  expect(['m', 'm.p', 'm.q'].map((id) => isComplete(nodes, nodeById(machine, id) as never))).toEqual([
    false,
    true,
    false,
  ]);
});

test('a delay is a number, or what the machine has under its name', () => {
  const machine = setup({
    delays: { one: 1, later: ({ context }) => context.n * 2 },
    types: { context: {} as { n: number } },
  }).createMachine({ context: { n: 3 } });
  const given = { context: { n: 3 }, event: { type: 'e' } };
  expect(['one', 'later', 7, 'none'].map((delay) => delayOf(machine, delay, given))).toEqual([
    1,
    6,
    7,
    undefined,
  ]);
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
