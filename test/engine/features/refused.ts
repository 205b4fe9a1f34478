// Machines that the engine refuses, each with its code, which docs/statecharts.md explains.
import {
  type AnyStateMachine,
  assign,
  createMachine,
  fromCallback,
  fromEventObservable,
  fromObservable,
  fromPromise,
  raise,
  sendParent,
  setup,
  spawnChild,
} from 'xstate';
import { activity, childWorkflow } from '../../../engine/actor-kinds.ts';

export interface Refused {
  readonly code: string;
  /** What the error says of the place. */
  readonly place: string;
  readonly machine: AnyStateMachine;
}

const nothing = { subscribe: () => ({ unsubscribe: () => undefined }) };
const plain = setup({});
/** What tsc sees in `setup`, and a machine from JSON or JavaScript does not. */
const untyped = (config: object, implementations: object = {}) =>
  createMachine(config as never, implementations as never) as AnyStateMachine;
const waiting = async () => await Promise.resolve();

export const refused: Readonly<Record<string, Refused>> = {
  'a promise (`fromPromise`)': {
    code: 'ActorNotDurable',
    place: 'state "order.paying", invoke: the actor "pay"',
    machine: setup({ actors: { pay: fromPromise(waiting) } }).createMachine({
      id: 'order',
      initial: 'paying',
      states: { paying: { invoke: { src: 'pay' } } },
    }),
  },
  'a callback (`fromCallback`)': {
    code: 'ActorNotDurable',
    place: 'state "order", invoke: the actor "listener"',
    machine: untyped({
      id: 'order',
      invoke: { id: 'listener', src: fromCallback(() => undefined) },
    }),
  },
  'an observable (`fromObservable`)': {
    code: 'ActorNotDurable',
    place: 'state "order", entry: the actor "ticks"',
    machine: setup({ actors: { ticks: fromObservable(() => nothing) } }).createMachine({
      id: 'order',
      entry: spawnChild('ticks', { id: 'ticks' }),
    }),
  },
  'events of an observable (`fromEventObservable`)': {
    code: 'ActorNotDurable',
    place: 'state "order", invoke: the actor "0"',
    machine: untyped({
      id: 'order',
      invoke: { id: '0', src: fromEventObservable(() => nothing) },
    }),
  },
  'a machine within the machine': {
    code: 'ActorNotDurable',
    place: 'state "order", invoke: the actor "child"',
    machine: setup({ actors: { child: plain.createMachine({}) } }).createMachine({
      id: 'order',
      invoke: { src: 'child' },
    }),
  },
  'an actor that has no implementation': {
    code: 'ActorNotDeclared',
    place: 'state "order", invoke: the actor "pay"',
    machine: untyped({ id: 'order', invoke: { src: 'pay' } }),
  },
  'an actor that is spawned as an object': {
    code: 'ActorNotNamed',
    place: 'state "order", entry: the actor "child"',
    machine: untyped({ id: 'order', entry: spawnChild(activity('pay'), { id: 'child' }) }),
  },
  'an actor that is spawned without an id': {
    code: 'ActorWithoutId',
    place: 'state "order", entry: the actor "pay"',
    machine: setup({ actors: { pay: activity('pay') } }).createMachine({
      id: 'order',
      entry: spawnChild('pay'),
    }),
  },
  '`onSnapshot` of an activity': {
    code: 'ActorWithoutSnapshots',
    place: 'state "order", invoke: the actor "pay"',
    machine: setup({ actors: { pay: activity('pay') } }).createMachine({
      id: 'order',
      invoke: { src: 'pay', onSnapshot: {} },
    }),
  },
  '`onSnapshot` of a child workflow': {
    code: 'ActorWithoutSnapshots',
    place: 'state "order", invoke: the actor "pay"',
    machine: setup({ actors: { pay: childWorkflow('Pay') } }).createMachine({
      id: 'order',
      invoke: { src: 'pay', onSnapshot: {} },
    }),
  },
  'an action that has no implementation': {
    code: 'ActionNotDeclared',
    place: 'state "order", on "PAY": the action "thank"',
    machine: untyped({ id: 'order', on: { PAY: { actions: 'thank' } } }),
  },
  "an action that is not of xstate's making": {
    code: 'ActionNotKnown',
    place: 'state "order", exit: the action "xstate.made"',
    machine: untyped({
      id: 'order',
      exit: Object.assign(() => undefined, { type: 'xstate.made', resolve: () => [] }),
    }),
  },
  'an async function as an action': {
    code: 'FunctionIsAsync',
    place: 'state "order", entry: the action "thank"',
    machine: setup({ actions: { thank: waiting } }).createMachine({ id: 'order', entry: 'thank' }),
  },
  'an async function as a guard': {
    code: 'FunctionIsAsync',
    place: 'state "order", on "PAY": the guard "isPaid"',
    machine: untyped({ id: 'order', on: { PAY: { guard: 'isPaid' } } }, { guards: { isPaid: waiting } }),
  },
  'an async function in an `assign`': {
    code: 'FunctionIsAsync',
    place: 'state "order", always: the action "xstate.assign"',
    machine: untyped({ id: 'order', always: { actions: assign({ paid: waiting as never }) } }),
  },
  'a guard that has no implementation': {
    code: 'GuardNotDeclared',
    place: 'state "order", always: the guard "isPaid"',
    machine: untyped({ id: 'order', always: { guard: 'isPaid' } }),
  },
  'a delay that has no implementation': {
    code: 'DelayNotDeclared',
    place: 'state "order.on", after: the delay "tooLong"',
    machine: untyped({ id: 'order', initial: 'on', states: { on: { after: { tooLong: 'off' } }, off: {} } }),
  },
  'a delay that has no implementation, of `raise` or `sendTo`': {
    code: 'DelayNotDeclared',
    place: 'state "order", entry: the delay "tooLong"',
    machine: untyped({ id: 'order', entry: raise({ type: 'PAY' }, { delay: 'tooLong' } as never) }),
  },
  '`sendParent` of the machine itself': {
    code: 'NoParent',
    place: 'state "order", on "PAY": the action "xstate.sendTo"',
    machine: untyped({ id: 'order', on: { PAY: { actions: sendParent({ type: 'paid' }) } } }),
  },
  'an `initial` that is not a state': {
    code: 'StateNotFound',
    place: 'state "order", initial: "nowhere"',
    machine: untyped({ id: 'order', initial: 'nowhere', states: { on: {} } }),
  },
  'an event whose name Temporal keeps for itself': {
    code: 'ReservedName',
    place: 'machine "order": the event "__temporal_order"',
    machine: untyped({ id: 'order', on: { __temporal_order: {} } }),
  },
  'a machine of another copy of xstate': {
    code: 'OtherXstate',
    place: 'machine: it',
    machine: { ...plain.createMachine({ id: 'order' }) } as unknown as AnyStateMachine,
  },
};
