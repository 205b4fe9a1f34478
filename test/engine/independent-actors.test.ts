// An inline actor with a life of its own, as a booking has: it waits for moments and messages, cleans up when the state that made
// it is left, and goes on while its chart is halted.
import { expect, test } from 'vitest';
import { type AnyStateMachine, assign, type EventObject, setup } from 'xstate';
import { CANCEL_CALL } from '../../engine/actor-kinds.ts';
import type { Rejection } from '../../engine/commands.ts';
import { ProcessCopy } from '../../engine/copy.ts';
import type { MessageEvent } from '../../engine/definition/message-rules.ts';
import { noReply } from '../../engine/inbox.ts';
import {
  ACTOR_MIGRATED,
  ACTOR_TIMER,
  type ActorTimerEvent,
  type InlineActor,
  inlineActorLogic,
  type StepResult,
} from '../../engine/inline-actor.ts';
import { activity, type Options, outbox } from './fixtures/machine.ts';
import { Migrating } from './migration/machines.ts';
import { PlayedMachine } from './played-machine.ts';

interface Locker {
  /** Until it is emptied. */
  readonly isBooked: boolean;
  readonly dueAt: number | null;
  readonly had: readonly string[];
}

const timersOf = ({ dueAt }: Locker) => (dueAt === null ? [] : [{ id: 'due', dueAt, summary: 'due' }]);
const heldBy = (payload: unknown) => (payload as { readonly by?: string }).by;

/** Keeps a locker for 100 ms from each message `keep`; it must be emptied, by a call, before it ends. */
const locker: InlineActor<Locker> = {
  name: 'locker',
  isIndependent: true,
  logicOf: () => activity('empty'),
  hasToCleanUp: ({ isBooked }) => isBooked,
  begin: (_, { now }) => {
    const state: Locker = { isBooked: true, dueAt: now + 100, had: [] };
    return { state, timers: timersOf(state) };
  },
  accepts: (_, { type, payload }, { id }) => {
    if (heldBy(payload) !== undefined && heldBy(payload) !== id) return undefined;
    return type === 'refused' ? { refusal: { code: 'Never', message: 'never taken' } } : 'accepted';
  },
  take: (before, event, { now }) => {
    const state = { ...before, had: [...before.had, event.type] };
    return stepped(state, event, now);
  },
};

function stepped(state: Locker, event: EventObject, now: number): StepResult<Locker> {
  switch (event.type) {
    case 'keep': {
      const kept = { ...state, dueAt: now + 100 };
      const { updateId } = event as MessageEvent;
      const emitted =
        updateId === undefined ? [] : [{ type: 'answer' as const, updateId, value: kept.dueAt }];
      return { state: kept, timers: timersOf(kept), emitted };
    }
    case ACTOR_TIMER: {
      const { timer } = event as ActorTimerEvent;
      const late = { ...state, dueAt: null };
      return { state: late, timers: [], events: [{ type: `locker.${timer}` }] };
    }
    case 'swap':
      return { state, messages: [{ type: 'keep', payload: {} }] };
    case CANCEL_CALL:
      return { state: { ...state, dueAt: null }, timers: [], calls: [{ id: 'empty', input: null }] };
    case ACTOR_MIGRATED:
      return { state, events: [{ type: 'locker.migrated' }] };
    default: {
      if (!event.type.startsWith('xstate.done.actor.')) return { state };
      const empty = { ...state, isBooked: false };
      return { state: empty, end: { output: 'emptied' } };
    }
  }
}

const failing = () => {
  throw new Error('broken');
};
const invoke = (id: string) => ({ id, src: 'locker', onDone: { actions: 'note' } }) as const;
const machineOf = (config: object): AnyStateMachine =>
  setup({
    types: { context: {} as { readonly noted: readonly string[] } },
    actors: { locker: inlineActorLogic(locker) },
    actions: { note: assign({ noted: ({ context, event }) => [...context.noted, event.type] }) },
  }).createMachine({ context: { noted: [] }, ...config } as never) as unknown as AnyStateMachine;

const kept = {
  initial: 'on',
  states: { on: { invoke: invoke('mine') }, off: {}, over: { type: 'final' } },
  on: {
    'locker.due': { actions: 'note' },
    'locker.migrated': { actions: 'note' },
    off: '.off',
    on: '.on',
    fail: { guard: failing, actions: 'note' },
    over: '.over',
  },
};
const declared = {
  messages: { forActors: ['keep', 'refused', 'swap'] },
  outgoing: { outbox: outbox('note') },
  halting: { ofError: () => ({ code: 'Broken', message: 'broken' }) },
};
const played = (config: object = kept, more: Options = {}) =>
  new PlayedMachine(machineOf(config), undefined, { ...declared, ...more });

const notedBy = ({ snapshot }: PlayedMachine) => (snapshot.context as { noted: readonly string[] }).noted;
const actorsOf = ({ process }: PlayedMachine) => process.pending.actors ?? [];
const stateOf = (one: PlayedMachine, id = 'mine') =>
  actorsOf(one).find((each) => each.id === id)?.state as Locker | undefined;
const dueOf = ({ process }: PlayedMachine) => process.timers.open.map(({ of, id, dueAt }) => [of, id, dueAt]);

function send({ process }: PlayedMachine, type: string, fields: object = {}): void {
  process.signal(type, fields);
  process.drain();
}

function updated(one: PlayedMachine, type: string, payload: unknown = {}): unknown {
  const refusal = one.process.updateRefusal(type, payload);
  if (refusal) return refusal;
  let reply: unknown;
  one.process.update(type, payload, `update of ${type}`, {
    answer: (value) => {
      reply = value;
    },
    refuse: (given: Rejection) => {
      reply = given;
    },
  });
  one.process.drain();
  return reply;
}

test('its timers are those that it has said last, and ring for it alone', () => {
  const one = played();
  expect(dueOf(one)).toEqual([['mine', 'due', 100]]);
  one.pass(50);
  one.send({ type: 'keep' });
  expect(dueOf(one)).toEqual([['mine', 'due', 150]]);
  one.pass(99);
  expect(notedBy(one)).toEqual([]);
  one.pass(1);
  expect(notedBy(one)).toEqual(['locker.due']);
  expect(dueOf(one)).toEqual([]);
});

test('an update that it accepts is answered by it, one that it refuses has its reason, and one for nobody is refused', () => {
  const one = played();
  expect(updated(one, 'keep')).toBe(100);
  expect(updated(one, 'refused')).toEqual({ code: 'Never', message: 'never taken' });
  expect(updated(one, 'keep', { by: 'another' })).toMatchObject({ code: 'NotPossibleNow' });
});

test('of two, a message goes to each that accepts it, and one tells the other', () => {
  const both = {
    type: 'parallel',
    states: { one: { invoke: invoke('one') }, two: { invoke: invoke('two') } },
  };
  const two = played(both);
  const had = (id: string) => stateOf(two, id)?.had;
  send(two, 'keep', { by: 'one' });
  expect([had('one'), had('two')]).toEqual([['keep'], []]);
  send(two, 'keep');
  expect([had('one'), had('two')]).toEqual([['keep', 'keep'], ['keep']]);
  send(two, 'swap', { by: 'two' });
  expect([had('one'), had('two')]).toEqual([
    ['keep', 'keep', 'keep'],
    ['keep', 'swap'],
  ]);
});

test('a signal that nobody accepts is handed over, if the definition makes something of it', () => {
  const one = played(kept, {
    messages: { ...declared.messages, notAccepted: ({ payload }) => payload },
    outgoing: { ...declared.outgoing, handOver: () => activity('handOver').call },
  });
  send(one, 'keep', { by: 'another' });
  expect(one.host.takeSent()).toEqual([{ to: 'others', message: { by: 'another' } }]);
});

test('when its state is left it cleans up under a key of its own, and does not disturb its successor', () => {
  const one = played();
  one.send({ type: 'off' });
  expect(actorsOf(one)).toMatchObject([{ id: 'mine left', state: { had: [CANCEL_CALL] } }]);
  expect(dueOf(one)).toEqual([]);
  one.send({ type: 'on' });
  one.send({ type: 'off' });
  one.send({ type: 'on' });
  expect(actorsOf(one).map(({ id }) => id)).toEqual(['mine left', 'mine left 2', 'mine']);
  one.continueAsNew();
  one.answer(null);
  one.answer(null);
  // Its result is for nobody, and its last state is there.
  expect(notedBy(one)).toEqual([]);
  expect(actorsOf(one)).toMatchObject([
    { id: 'mine left', isEnded: true, state: { isBooked: false } },
    { id: 'mine left 2', isEnded: true },
    { id: 'mine', state: { isBooked: true } },
  ]);
  expect(dueOf(one)).toEqual([['mine', 'due', 100]]);
});

test('a process whose chart has ended, or that is called off, stays open until it has cleaned up', () => {
  const ended = played();
  ended.send({ type: 'over' });
  const calledOff = played();
  calledOff.process.cancel(new Error('cancelled'));
  calledOff.process.drain();
  for (const one of [ended, calledOff]) {
    expect(one.process.isOpen).toBe(true);
    one.answer(null);
    expect(one.process.isOpen).toBe(false);
  }
  expect(calledOff.process.closing).toEqual({ kind: 'cancelled' });
});

test('a halted process that is given up cleans up before it fails, and takes no other decision', () => {
  const one = played();
  one.send({ type: 'fail' });
  one.process.decide('giveUp', 'a decision', noReply);
  one.process.drain();
  expect(one.process.isOpen).toBe(true);
  expect(one.process.halting.decisionRefusal('dropEvent')).toMatchObject({ code: 'NotPossibleNow' });
  const { process: copy } = new ProcessCopy(one.process);
  expect(copy.halting.decisionRefusal('giveUp')).toBeDefined();
  // It does not take its steps again.
  one.process.cancel(new Error('cancelled'));
  one.process.drain();
  one.answer(null);
  expect(one.process.isOpen).toBe(false);
  expect(one.process.closing).toMatchObject({ kind: 'failed', code: 'Broken' });
});

test('while its chart is halted it takes messages, timers and answers; what it tells the chart waits', () => {
  const one = played();
  one.send({ type: 'fail' });
  expect(one.process.halt).toMatchObject({ code: 'Broken', event: 'fail' });
  expect(updated(one, 'keep')).toBe(100);
  one.send({ type: 'later' });
  one.pass(100);
  expect(stateOf(one)?.had).toEqual(['keep', ACTOR_TIMER]);
  expect(notedBy(one)).toEqual([]);
  one.process.decide('dropEvent', 'a decision', noReply);
  one.process.drain();
  expect(notedBy(one)).toEqual(['locker.due']);
});

test('a copy of the process has it with its timers, and what the copy does stays in it', () => {
  const one = played();
  one.send({ type: 'off' });
  one.send({ type: 'on' });
  const { process } = new ProcessCopy(one.process);
  expect(process.pending.actors).toEqual(one.process.pending.actors);
  expect(process.timers.open).toEqual(one.process.timers.open);
  process.signal('keep', {});
  process.drain();
  expect(process.pending.actors).not.toEqual(one.process.pending.actors);
  expect(stateOf(one)?.had).toEqual([]);
});

test('a migration carries it with its timers, under its new id and with the state that the definition gives it', () => {
  const now = { ...kept, states: { ...kept.states, on: { invoke: invoke('yours') } } };
  const one = new Migrating([machineOf(kept), machineOf(now)], {
    declared,
    plan: { invokes: { mine: 'yours' } },
    actor: (id, before) => ({ ...(before as Locker), had: [`as ${id}`] }),
  });
  one.migrate();
  expect(stateOf(one.played, 'yours')?.had).toEqual(['as yours', ACTOR_MIGRATED]);
  expect(dueOf(one.played)).toEqual([['yours', 'due', 100]]);
  expect(notedBy(one.played)).toEqual(['locker.migrated']);
  one.played.pass(100);
  expect(notedBy(one.played)).toEqual(['locker.migrated', 'locker.due']);
});
