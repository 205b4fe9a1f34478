// What can be done to many processes at once, and what is said of it: in the bar below the list, and in its dialog.

import { t } from '../../../shared/texts/text.ts';
import type { BulkAction } from '../../processes/processes-view.ts';

export const verbs = {
  extend: {
    bar: t`Extend…`,
    forAll: (count: number) => t`Extend all ${count}…`,
    title: t`Extend the next deadline of`,
    now: t`Extend`,
    can: t`be extended`,
    note: t`A deadline that has passed is open again. None becomes shorter.`,
  },
  shorten: {
    bar: t`Shorten…`,
    forAll: (count: number) => t`Shorten all ${count}…`,
    title: t`Shorten the next deadline of`,
    now: t`Shorten`,
    can: t`be shortened`,
    note: t`People get less time than they were promised: tell them.`,
  },
  retry: {
    bar: t`Try again…`,
    forAll: (count: number) => t`Try again all ${count}…`,
    title: t`Try again for`,
    now: t`Try again for`,
    can: t`try again`,
    note: t`Each case that waits for a decision does again what it could not do.`,
  },
  startAgain: {
    bar: t`Start again…`,
    forAll: (count: number) => t`Start again all ${count}…`,
    title: t`Start again`,
    now: t`Start again`,
    can: t`be started again`,
    note: t`Each starts anew with its own key and what it was started with. What is left empty here stays as it was.`,
  },
  message: {
    bar: t`Tell them…`,
    forAll: (count: number) => t`Tell all ${count}…`,
    title: t`Send a message for`,
    now: t`Send for`,
    can: t`be told`,
    note: t`Each person gets a message about their own item, at once: it cannot be taken back. A text of yours goes to all.`,
  },
  cancel: {
    bar: t`Cancel…`,
    forAll: (count: number) => t`Cancel all ${count}…`,
    title: t`Cancel`,
    now: t`Cancel`,
    can: t`be cancelled`,
    note: t`A cancelled case undoes what it has booked, and ends. What lies in a locker stays there until a person takes it out; Work lists it.`,
  },
} as const satisfies Partial<Record<BulkAction['command'], object>>;

export type Verb = keyof typeof verbs;

export const isHarmful = (verb: Verb): boolean => verb === 'cancel' || verb === 'shorten';

/** What has no button below the list: programs and the command line do it to many. */
const otherTitles: Readonly<Record<string, string>> = {
  migrate: t`Migrate`,
  setReceiver: t`Set the receiver of`,
  removeReceiver: t`Remove the receiver of`,
  setState: t`Say the state of`,
  giveUp: t`Give up`,
  dropEvent: t`Go on without the event for`,
  undoExtension: t`Put the end back for`,
};

/** What a batch of the command does, before the number of its cases. */
export const titleOfCommand = (command: string): string =>
  verbs[command as Verb]?.title ?? otherTitles[command] ?? command;
