// The statechart of every shipment flow, built from its declaration: booking, one region for each leg, undoing, the end.

import type { Declaration } from '../../flows/declaration.ts';
import { bookInput } from './booking.ts';
import { nothingKnown } from './knowledge.ts';
import { legRegions, receiverRegion } from './regions.ts';
import { ending } from './settlement.ts';
import { undoInput } from './undoing.ts';
import { type Vocabulary, vocabulary } from './vocabulary.ts';

/** More microsteps than any event can need; an endless loop is a defect that must be seen at once. */
const MAXIMUM_MICROSTEPS = 200;

export function shipmentChart(flow: Declaration) {
  const words = vocabulary(flow);
  return words.createMachine({
    id: flow.name,
    options: { maxIterations: MAXIMUM_MICROSTEPS },
    context: ({ input }) => nothingKnown(input),
    output: ({ context }) => ending(flow, context),
    initial: 'booking',
    on: {
      shipmentStatus: { actions: ['hear', 'tell'] },
      superseded: { actions: ['supersede', 'tell'] },
      cancelRequested: { actions: 'noteCancellation' },
    },
    states: {
      booking: booking(flow, words),
      bookingUnknown: bookingUnknown(words),
      booked: { always: [{ guard: 'isToBeUndone', target: 'undoing' }, { target: 'following' }] },
      following: following(flow, words),
      undoing: undoing(flow, words),
      ended: { id: 'ended', type: 'final', entry: ['passHeldOn', 'tell'] },
    },
  });
}

function booking(flow: Declaration, words: Vocabulary) {
  return words.createStateConfig({
    invoke: {
      src: 'book',
      input: ({ context }) => bookInput(flow, context),
      onDone: { target: 'booked', actions: { type: 'noteBooking', params: ({ event }) => event.output } },
      onError: [
        {
          guard: { type: 'isWorthAnotherLook', params: ({ event }) => event },
          target: 'booking',
          reenter: true,
          actions: { type: 'noteUnknownBooking', params: ({ event }) => event },
        },
        {
          guard: { type: 'isOutcomeUnknown', params: ({ event }) => event },
          target: 'bookingUnknown',
          actions: { type: 'noteUnknownBooking', params: ({ event }) => event },
        },
        { guard: { type: 'isCancelled', params: ({ event }) => event }, target: 'ended' },
        { target: 'ended', actions: { type: 'noteRefusal', params: ({ event }) => event } },
      ],
    },
  });
}

function bookingUnknown(words: Vocabulary) {
  return words.createStateConfig({
    on: {
      resolve: [
        {
          guard: { type: 'canResolve', params: ['retry'] },
          target: 'booking',
          actions: ['resolve', 'answer'],
        },
        {
          guard: { type: 'canResolve', params: ['adopt'] },
          target: 'booked',
          actions: ['resolve', 'answer'],
        },
        {
          guard: { type: 'canResolve', params: ['giveUp'] },
          target: 'ended',
          actions: ['resolve', 'noteGivenUp', 'answer'],
        },
      ],
    },
  });
}

function following(flow: Declaration, words: Vocabulary) {
  return words.createStateConfig({
    entry: ['forgetTold', 'tell'],
    always: [
      { guard: 'isSettled', target: 'ended' },
      { guard: 'isToBeUndone', target: 'undoing' },
    ],
    on: {
      extendDeadline: { guard: 'canExtend', actions: ['extend', 'answer', 'tell'] },
      resolve: {
        guard: { type: 'canResolve', params: ['adopt', 'setState'] },
        actions: ['resolve', 'answer', 'tell'],
      },
    },
    type: 'parallel',
    states: { ...legRegions(flow, words), receiver: receiverRegion(words) },
  });
}

function undoing(flow: Declaration, words: Vocabulary) {
  return words.createStateConfig({
    initial: 'calling',
    states: {
      calling: {
        invoke: {
          src: 'undo',
          input: ({ context }) => undoInput(flow, context),
          onDone: { target: 'telling', actions: { type: 'noteUndone', params: ({ event }) => event.output } },
        },
      },
      telling: {
        always: [
          { guard: 'hasFailures', target: 'stuck' },
          { guard: 'isUndoneAndTold', target: '#ended' },
        ],
        after: { callbacksOfUndoing: [{ guard: 'isUndone', target: '#ended' }, { target: 'stuck' }] },
      },
      stuck: stuck(words),
    },
  });
}

function stuck(words: Vocabulary) {
  return words.createStateConfig({
    always: { guard: 'isUndone', target: 'telling' },
    after: { nextTryOfUndoing: 'calling' },
    on: {
      resolve: [
        {
          guard: { type: 'canResolve', params: ['retry'] },
          target: 'calling',
          actions: ['resolve', 'answer'],
        },
        { guard: { type: 'canResolve', params: ['setState'] }, actions: ['resolve', 'answer'] },
        {
          guard: { type: 'canResolve', params: ['giveUp'] },
          target: '#ended',
          actions: ['resolve', 'answer'],
        },
      ],
    },
  });
}
