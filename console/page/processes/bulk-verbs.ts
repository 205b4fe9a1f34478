// What can be done to many processes at once, and what is said of it: in the bar below the list, and in its dialog.
import type { BulkAction } from '../../processes/processes-view.ts';

export const verbs = {
  extend: {
    bar: 'Extend…',
    title: 'Extend the next deadline of',
    now: 'Extend',
    can: 'be extended',
    note: 'A deadline that has passed is open again, and its process is no longer overdue. None becomes shorter.',
  },
  shorten: {
    bar: 'Shorten…',
    title: 'Shorten the next deadline of',
    now: 'Shorten',
    can: 'be shortened',
    note: 'People get less time than they were promised: tell them.',
  },
  retry: {
    bar: 'Try again…',
    title: 'Try again for',
    now: 'Try again for',
    can: 'try again',
    note: 'Each process that waits for a decision does again what it could not do.',
  },
  startAgain: {
    bar: 'Start again…',
    title: 'Start again',
    now: 'Start again',
    can: 'be started again',
    note: 'Each starts anew with its own key and what it was started with. What is left empty here stays as it was.',
  },
  message: {
    bar: 'Tell them…',
    title: 'Send a message for',
    now: 'Send for',
    can: 'be told',
    note: 'Each person gets a message about their own item, at once: it cannot be taken back. A text that you write goes to all of them.',
  },
  cancel: {
    bar: 'Cancel…',
    title: 'Cancel',
    now: 'Cancel',
    can: 'be cancelled',
    note: 'A cancelled process undoes what it has booked, and ends. What lies in a locker stays there until a person takes it out; Work lists it.',
  },
} as const satisfies Partial<Record<BulkAction['command'], object>>;

export type Verb = keyof typeof verbs;

export const isHarmful = (verb: Verb): boolean => verb === 'cancel' || verb === 'shorten';
