// The inbox as the command line, the API and the page have it: one entry for each thing that waits for a person.
import { z } from 'zod';
import type { SnoozeMemo } from '../../contract/flows/snooze.ts';
import { waitCodes } from '../../contract/flows/wait-codes.ts';
import type { LockerApi } from '../../shared/locker-api/index.ts';
import { t } from '../../shared/texts/text.ts';
import { answerRefusal } from '../action-forms/for-person.ts';
import { actionForm } from '../action-forms/question-forms.ts';
import type { ServiceClock } from '../flow-clock.ts';
import type { SharedReads } from '../kept-reads.ts';
import type { TemporalContext } from '../temporal-context.ts';
import { about } from '../views/process-list.ts';

export const entryKinds = [
  'decision',
  'question',
  'late',
  'failedStart',
  'door',
  'openDoor',
  'itemLeft',
  'itemOut',
  'unmatched',
  'eventsNotTaken',
  'outOfOrder',
] as const;
export type EntryKind = (typeof entryKinds)[number];

/** When it is to be dealt with. */
export const entryGroups = ['urgent', 'today', 'later', 'snoozed'] as const;
export type EntryGroup = (typeof entryGroups)[number];

export const remedies = ['extend', 'retry', 'startAgain', 'message'] as const;
export type Remedy = (typeof remedies)[number];

const single = z
  .object({
    id: z.string().meta({ description: 'The same from look to look' }),
    kind: z.enum(entryKinds),
    since: z.string().nullable(),
    clockAheadMs: z
      .number()
      .meta({ description: 'How far the clock of `since` and `due` is ahead of the real time: a sandbox’s' }),
    title: z.string(),
    why: z.string(),
    ifNothing: z.string().meta({ description: 'What follows if nobody does anything' }),
    toDo: z.string(),
    reasons: z
      .array(z.object({ code: z.enum(waitCodes), params: z.record(z.string(), z.unknown()) }).readonly())
      .readonly()
      .optional()
      .meta({ description: 'Only of a decision: why it is needed, by the codes of `waitingFor`' }),
    key: z.string().nullable().meta({ description: 'The process' }),
    pupUid: z.string().nullable(),
    lockerUid: z.string().nullable().optional(),
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
    about: about
      .readonly()
      .nullable()
      .optional()
      .meta({ description: 'For whom it is and which item, for who may act on processes' }),
    group: z.enum(entryGroups).meta({
      description:
        '`urgent`: overdue, or of a high priority; `today`: due before `dueBefore`, or a process stands still until it is decided; `snoozed`: until its moment',
    }),
    mayNotAnswer: answerRefusal
      .readonly()
      .optional()
      .meta({ description: 'Why the reader may not answer the question; absent: they may, or it is none' }),
    actions: z.array(actionForm.readonly()).readonly(),
  })
  .meta({ title: 'InboxMember' });

const entry = single
  .extend({
    many: z
      .object({
        keys: z.array(z.string()).readonly().meta({ description: 'The processes' }),
        abouts: z
          .record(z.string(), about)
          .optional()
          .meta({ description: 'By key, of the first of them: for whom it is and which item' }),
        remedy: z.enum(remedies).nullable().meta({ description: 'The command that helps all of them' }),
        members: z.array(single.readonly()).readonly().optional().meta({
          description:
            'The entries, the first 100 of them, each with its own actions; absent: its processes have none',
        }),
      })
      .readonly()
      .optional()
      .meta({ description: 'Several entries of one cause, as one' }),
    snoozed: z
      .object({ until: z.string(), by: z.string() })
      .readonly()
      .optional()
      .meta({ description: 'Until when nobody wants to see it; absent: somebody does' }),
  })
  .meta({ title: 'InboxEntry' });
export type WorkEntry = Readonly<z.infer<typeof entry>>;
type Many = NonNullable<WorkEntry['many']>;
export interface InboxEntry extends Omit<WorkEntry, 'group' | 'many'> {
  readonly many?: Omit<Many, 'members'>;
  /** Those of one cause that it stands for. */
  readonly members?: readonly InboxEntry[];
  /** What else has the same cause is shown together with it. */
  readonly cause?: {
    readonly id: string;
    title(count: number): string;
    /** In place of those of the first one. */
    readonly why?: string;
    readonly ifNothing?: string;
    readonly toDo?: string;
  };
  /** The command that helps all of one cause. */
  readonly remedy?: Remedy;
  /** The pupUid of a wall that the entry says is cut off. */
  readonly offlineWall?: string;
}

/** The inbox as people work through it: the urgent entries first, then those of today. */
export const inboxEntries = z.object({
  entries: z.array(entry.readonly()).readonly(),
  unread: z
    .array(
      z.object({
        kind: z
          .enum(entryKinds)
          .nullable()
          .meta({ description: 'Of its entries; null: it has none of its own' }),
        what: z.string(),
        why: z.string(),
      }),
    )
    .readonly()
    .meta({ description: 'What could not be read, or not whole: then something may wait that is not here' }),
});
export type WorkView = Readonly<z.infer<typeof inboxEntries>>;
/** A source that could not be read, or not whole: the inbox must not look empty because of it. */
export type Unread = WorkView['unread'][number];

export interface InboxView extends Pick<WorkView, 'unread'> {
  /** By priority; of one priority what is overdue first, then the oldest. */
  readonly entries: readonly InboxEntry[];
  /** By the id of the entry. */
  readonly snoozed?: ReadonlyMap<string, SnoozeMemo>;
}

export interface InboxParts extends TemporalContext {
  readonly service: Pick<LockerApi, 'call'>;
  readonly serviceClock: Pick<ServiceClock, 'aheadMs'>;
  readonly shared?: SharedReads | undefined;
}

export interface SourceRead {
  readonly entries: readonly InboxEntry[];
  /** Why this is not all of it. */
  readonly incomplete?: string;
  /** The processes that did not answer: what they said before still holds, as far as anybody knows. */
  readonly unanswered?: readonly string[];
}

export const formatUnanswered = (count: number): string =>
  t`${count === 1 ? t`1 case did` : t`${count} cases did`} not answer; check that a worker runs`;

export interface InboxSource {
  readonly kind: EntryKind;
  /** As in "decisions could not be read". */
  readonly what: () => string;
  read(parts: InboxParts): Promise<SourceRead>;
}
