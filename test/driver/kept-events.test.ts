// Events that wait for a state that takes them, and messages to actors that begin in the same step.
import { expect, test } from 'vitest';
import { type EventObject, sendTo, setup } from 'xstate';
import { childWorkflow } from '../../driver/actor-kinds.ts';
import { PlayedMachine } from './played-machine.ts';

const door = setup({
  guards: {
    mayOpen: ({ event }) => {
      if ((event as { by?: string }).by === 'nobody') throw new Error('nobody cannot open it');
      return (event as { by?: string }).by === 'anna';
    },
  },
}).createMachine({
  id: 'door',
  initial: 'locked',
  states: {
    locked: { on: { unlock: 'closed' } },
    closed: { on: { open: { guard: 'mayOpen', target: 'open' }, bolt: 'locked' } },
    open: { on: { close: 'closed' } },
  },
});

/** Every event that has `keepFor` waits so many milliseconds. */
const keepsFor = ({ payload }: { readonly payload: unknown }) =>
  (payload as { readonly keepFor?: number }).keepFor;
const played = () => new PlayedMachine(door, undefined, { keepsFor });
const open: EventObject & { readonly by: string; readonly keepFor: number } = {
  type: 'open',
  by: 'anna',
  keepFor: 1_000,
};

test('an event waits for the first state that takes it, and is taken there once', () => {
  const process = played();
  process.send(open);
  expect(process.snapshot.value).toBe('locked');
  expect(process.process.awaited.kept).toEqual([{ type: 'open', until: '1970-01-01T00:00:01.000Z' }]);
  process.send({ type: 'unlock' });
  expect(process.snapshot.value).toBe('open');
  process.send({ type: 'close' });
  expect(process.snapshot.value).toBe('closed');
});

test('one that waits too long, one whose guard does not hold, and one that need not wait are not taken', () => {
  const process = played();
  process.send(open);
  process.send({ ...open, by: 'ben', keepFor: 9_000 } as EventObject);
  process.send({ type: 'open', by: 'anna' } as EventObject);
  process.pass(1_001);
  process.send({ type: 'unlock' });
  expect(process.snapshot.value).toBe('closed');
  expect(process.process.awaited.kept).toMatchObject([{ type: 'open' }]);
});

test('what waits goes along into a new run, and into one of a worker that knows of it', () => {
  const process = played();
  process.send(open);
  process.continueAsNew();
  process.send({ type: 'unlock' });
  expect(process.snapshot.value).toBe('open');
  const other = played();
  expect(other.process.carried.format).toBe(1);
  other.send(open);
  expect(other.process.carried.format).toBe(3);
});

test('an event whose guard fails is taken, and halts the process as it would without having waited', () => {
  const process = new PlayedMachine(door, undefined, {
    keepsFor,
    halts: (error) => ({ code: 'Failed', message: String(error) }),
  });
  process.send({ ...open, by: 'nobody' } as EventObject);
  expect(process.process.halt).toBeUndefined();
  process.send({ type: 'unlock' });
  expect(process.process.halt).toMatchObject({ code: 'Failed', event: 'open' });
});

test('an actor that begins in the state whose entry sends it an event gets that event', () => {
  const machine = setup({ actors: { child: childWorkflow('Child') } }).createMachine({
    id: 'parent',
    initial: 'going',
    states: { going: { entry: sendTo('child', { type: 'hello' }), invoke: { id: 'child', src: 'child' } } },
  });
  const process = new PlayedMachine(machine);
  expect(process.world.takeSent()).toEqual([{ to: 'child', id: 'child', event: { type: 'hello' } }]);
});
