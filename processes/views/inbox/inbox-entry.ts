// The inbox as the command line, the API and the page have it: one entry for each thing that waits for a person.
import { z } from 'zod';
import type { LockerApi } from '../../../shared/locker-api/index.ts';
import { type Choice, choice } from '../../action-forms/question-forms.ts';
import type { AtTemporal } from '../../at-temporal.ts';
import type { ServiceClock } from '../../flow-clock.ts';

const entryKinds = ['decision', 'question', 'door', 'itemLeft', 'parked'] as const;
export type EntryKind = (typeof entryKinds)[number];

/** A question: who is to answer it. */
interface EntryTask {
  readonly inbox: string;
  /** Who alone may answer it now; null: everybody of the inbox. */
  readonly holder: string | null;
  /** ISO 8601: when the process goes on without an answer. */
  readonly until: string | null;
  /** Questions with the same one take the same answer: it names the flow, the question and its fields. */
  readonly form: string;
}

export interface InboxEntry {
  /** `<kind>:<what the source knows it by>`; the same from look to look. */
  readonly id: string;
  readonly kind: EntryKind;
  /** ISO 8601; null: not known. */
  readonly since: string | null;
  /** How far the clock of `since` is ahead of the real time: a sandbox's. */
  readonly clockAheadMs: number;
  readonly title: string;
  readonly why: string;
  readonly ifNothing: string;
  readonly toDo: string;
  /** The process. */
  readonly key: string | null;
  readonly pupUid: string | null;
  readonly lockerName: string | null;
  readonly shipmentUid: string | null;
  /** How urgent it is, from 0 to 100; 50 if absent. */
  readonly priority?: number;
  /** ISO 8601: when it should be answered. */
  readonly due?: string;
  /** ISO 8601: when it was read last, if it cannot be read now. */
  readonly asOf?: string;
  /** Only of a question. */
  readonly task?: EntryTask;
  readonly actions: readonly Choice[];
}

/** When it is to be dealt with. */
export const entryGroups = ['urgent', 'today', 'later'] as const;
export type EntryGroup = (typeof entryGroups)[number];

export interface WorkEntry extends InboxEntry {
  readonly group: EntryGroup;
}

/** A source that could not be read, or not whole: the inbox must not look empty because of it. */
export interface Unread {
  readonly what: string;
  readonly why: string;
}

export interface InboxView {
  /** By priority; of one priority what is overdue first, then the oldest. */
  readonly entries: readonly InboxEntry[];
  readonly unread: readonly Unread[];
}

/** The inbox as people work through it: the urgent entries first, then those of today. */
export interface WorkView extends Omit<InboxView, 'entries'> {
  readonly entries: readonly WorkEntry[];
}

const entry = z
  .object({
    id: z.string(),
    kind: z.enum(entryKinds),
    since: z.string().nullable(),
    clockAheadMs: z
      .number()
      .meta({ description: 'How far the clock of `since` is ahead of the real time: a sandbox’s' }),
    title: z.string(),
    why: z.string(),
    ifNothing: z.string().meta({ description: 'What follows if nobody does anything' }),
    toDo: z.string(),
    key: z.string().nullable().meta({ description: 'The process' }),
    pupUid: z.string().nullable(),
    lockerName: z.string().nullable(),
    shipmentUid: z.string().nullable(),
    priority: z.number().optional().meta({ description: 'From 0 to 100; 50 if absent' }),
    due: z.string().optional().meta({ description: 'When it should be answered' }),
    asOf: z
      .string()
      .optional()
      .meta({ description: 'It cannot be read now: it is as it was then. Absent: it is as of now' }),
    task: z
      .object({
        inbox: z.string(),
        holder: z.string().nullable().meta({ description: 'Who alone may answer it; null: everybody' }),
        until: z.string().nullable().meta({ description: 'When the process goes on without an answer' }),
        form: z.string().meta({ description: 'Questions with the same one take the same answer' }),
      })
      .optional()
      .meta({ description: 'Only of a question' }),
    group: z.enum(entryGroups).meta({
      description:
        '`urgent`: overdue, or of a high priority; `today`: due before `dueBefore`, or a process stands still until it is decided',
    }),
    actions: z.array(choice),
  })
  .meta({ title: 'InboxEntry' });

export const inboxEntries = z.object({
  entries: z.array(entry),
  unread: z
    .array(z.object({ what: z.string(), why: z.string() }))
    .meta({ description: 'What could not be read, or not whole: then something may wait that is not here' }),
});

export interface InboxParts extends AtTemporal {
  readonly service: Pick<LockerApi, 'call'>;
  readonly serviceClock: Pick<ServiceClock, 'aheadMs'>;
}

export interface SourceRead {
  readonly entries: readonly InboxEntry[];
  /** Why this is not all of it. */
  readonly incomplete?: string;
  /** The processes that did not answer: what they said before still holds, as far as anybody knows. */
  readonly unanswered?: readonly string[];
}

export const formatUnanswered = (count: number): string =>
  `${count === 1 ? '1 process did' : `${count} processes did`} not answer; check that a worker runs`;

export interface InboxSource {
  readonly kind: EntryKind;
  /** As in "decisions could not be read". */
  readonly what: string;
  read(parts: InboxParts): Promise<SourceRead>;
}
