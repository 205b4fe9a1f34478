// The statechart of every shipment flow, as JSON built from its declaration: booking, one region for each leg while the
// shipments are followed, undoing, the end. vocabulary.ts says what its names mean.
import { type Declaration, rolesOf } from '../../flows/built-in/declaration.ts';
import type { ChartData, StateData } from '../chart-data.ts';
import { legRegion } from './leg.ts';

/** More microsteps than any event can need; an endless loop is a defect that must be seen at once. */
const MAXIMUM_MICROSTEPS = 200;

export function shipmentChart(flow: Declaration): ChartData {
  return {
    id: flow.name,
    context: { function: 'nothingKnown' },
    output: { function: 'ending' },
    options: { maxIterations: MAXIMUM_MICROSTEPS },
    initial: 'booking',
    on: {
      shipmentStatus: { actions: 'observe' },
      superseded: { actions: 'supersede' },
      cancelRequested: { actions: 'noteCancellation' },
    },
    states: {
      booking,
      bookingUnknown,
      booked: { always: [{ guard: 'isToBeUndone', target: 'undoing' }, { target: 'following' }] },
      following: following(flow),
      undoing,
      ended: { type: 'final', entry: 'handOverPostponed' },
    },
  };
}

/** The flow does not know its shipments yet: messages about shipments wait. */
const postponed: StateData['on'] = {
  shipmentStatus: { actions: 'postpone' },
  superseded: { actions: 'postpone' },
};

const booking: StateData = {
  on: postponed,
  invoke: {
    src: 'book',
    input: { function: 'bookInput' },
    onDone: { target: 'booked', actions: 'noteBooking' },
    onError: [
      { guard: 'isWorthAnotherTry', target: 'booking', reenter: true, actions: 'noteUnknownBooking' },
      { guard: 'isOutcomeUnknown', target: 'bookingUnknown', actions: 'noteUnknownBooking' },
      { guard: 'isCancelled', target: 'ended' },
      { target: 'ended', actions: 'noteRefusal' },
    ],
  },
};

const bookingUnknown: StateData = {
  on: {
    ...postponed,
    resolve: [
      {
        guard: { type: 'canResolve', params: ['retry'] },
        target: 'booking',
        actions: ['resolve', 'answer'],
      },
      { guard: { type: 'canResolve', params: ['adopt'] }, target: 'booked', actions: ['resolve', 'answer'] },
      {
        guard: { type: 'canResolve', params: ['giveUp'] },
        target: 'ended',
        actions: ['resolve', 'noteGivenUp', 'answer'],
      },
    ],
  },
};

/** Done when every region is in a final state. */
function following(flow: Declaration): StateData {
  return {
    type: 'parallel',
    always: { guard: 'isToBeUndone', target: 'undoing' },
    onDone: 'ended',
    on: {
      extendDeadline: { guard: 'canExtend', actions: ['extend', 'answer'] },
      resolve: {
        guard: { type: 'canResolve', params: ['adopt', 'setState'] },
        actions: ['resolve', 'answer'],
      },
    },
    states: {
      ...Object.fromEntries(rolesOf(flow).map((role) => [role, legRegion(flow, role)])),
      others,
      receiver,
    },
  };
}

/** Shipments that a person has declared not to be a leg: the flow ends after them too. */
const others: StateData = {
  initial: 'over',
  on: { 'others.awaited': '.awaited', 'others.over': '.over' },
  states: { awaited: {}, over: { type: 'final' } },
};

/** One change at a time: each waits for the service, and its sender gets the answer. */
const receiver: StateData = {
  initial: 'unchanged',
  on: {
    setReceiver: { guard: 'canChangeReceiver', target: '.changing', actions: 'beginReceiverChange' },
    removeReceiver: { guard: 'canChangeReceiver', target: '.changing', actions: 'beginReceiverChange' },
  },
  states: {
    unchanged: { type: 'final' },
    changing: {
      invoke: {
        src: 'changeReceiver',
        input: { function: 'changeReceiverInput' },
        onDone: { target: 'unchanged', actions: ['answerReceiverChange', 'endReceiverChange'] },
        onError: { target: 'unchanged', actions: ['refuseReceiverChange', 'endReceiverChange'] },
      },
    },
  },
};

const stuck: StateData = {
  always: { guard: 'isUndone', target: 'awaitingReports' },
  after: { nextTryOfUndoing: { target: 'calling' } },
  on: {
    resolve: [
      {
        guard: { type: 'canResolve', params: ['retry'] },
        target: 'calling',
        actions: ['resolve', 'answer'],
      },
      { guard: { type: 'canResolve', params: ['adopt', 'setState'] }, actions: ['resolve', 'answer'] },
      { guard: { type: 'canResolve', params: ['giveUp'] }, target: 'over', actions: ['resolve', 'answer'] },
    ],
  },
};

const undoing: StateData = {
  initial: 'calling',
  onDone: 'ended',
  states: {
    calling: {
      invoke: {
        src: 'undo',
        input: { function: 'undoInput' },
        onDone: { target: 'awaitingReports', actions: 'noteUndone' },
      },
    },
    awaitingReports: {
      always: [
        { guard: 'hasFailures', target: 'stuck' },
        { guard: 'isUndoneAndReported', target: 'over' },
      ],
      after: { callbacksOfUndoing: [{ guard: 'isUndone', target: 'over' }, { target: 'stuck' }] },
    },
    stuck,
    over: { type: 'final' },
  },
};
