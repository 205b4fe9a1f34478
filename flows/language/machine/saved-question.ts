// What is kept of an open question: what it begins with, and what a migration makes of it.
import { askInputOf, rulesOf, untilOf } from './ask-input.ts';
import type { Invocation } from './machine-runtime.ts';
import { isWidened, type QuestionFields } from './question.ts';
import type { Holder } from './tasks.ts';

/** An open question, for a run that goes on with it; times in milliseconds since 1970. */
export interface SavedQuestion {
  readonly askedAt: number;
  readonly until: number | null;
  readonly note?: string;
  readonly holder?: Holder;
  /** The inbox that somebody has given it to. */
  readonly of?: string;
  /** The last of its reminders, and of its due date, that is past. */
  readonly notifiedUntil?: number;
  /** As it was asked before a migration changed its fields: a migration back asks it so again, in the time that it had. */
  readonly before?: AskedBefore;
}

interface AskedBefore extends Pick<SavedQuestion, 'askedAt' | 'note' | 'notifiedUntil'> {
  readonly fields: QuestionFields;
}

export function beganWith(invocation: Invocation, askedAt: number): SavedQuestion {
  const { assignee } = rulesOf(invocation);
  return {
    askedAt,
    until: untilOf(invocation, askedAt),
    ...(assignee !== null && { holder: { name: assignee, since: askedAt } }),
  };
}

/** It is asked as the new file has it. An answer that was possible before stays possible, or it is asked anew. */
export function migrated(
  kept: SavedQuestion,
  { before, asked, now }: { readonly before: Invocation; readonly asked: Invocation; readonly now: number },
): SavedQuestion {
  const [was, is] = [askInputOf(before), askInputOf(asked)];
  const { askedAt, note, notifiedUntil, former } = timesAfter(kept, was.fields, is.fields, now);
  const isInSameInbox = was.of === is.of;
  const notes = [note, ...(isInSameInbox ? [] : [`was asked of ${String(was.of)} before`])];
  const isInTime = askedAt === kept.askedAt && was.within === is.within;
  const { assignee } = rulesOf(asked);
  const isAssigned = assignee !== null && assignee !== rulesOf(before).assignee;
  const holder = isAssigned ? { name: assignee, since: now } : kept.holder;
  return defined({
    askedAt,
    until: isInTime ? kept.until : untilOf(asked, askedAt),
    note: notes.filter((each) => each !== undefined).join('; ') || undefined,
    holder,
    of: isInSameInbox ? kept.of : undefined,
    notifiedUntil,
    before: former,
  });
}

/** A question that gets its former fields back also gets back its former times. */
function timesAfter(
  kept: SavedQuestion,
  was: QuestionFields,
  is: QuestionFields,
  now: number,
): Partial<AskedBefore> & Pick<SavedQuestion, 'askedAt'> & { readonly former: AskedBefore | undefined } {
  const { askedAt, notifiedUntil, before } = kept;
  if (isSame(was, is)) return defined({ askedAt, notifiedUntil, former: before });
  const former: AskedBefore = defined({ fields: was, askedAt, note: kept.note, notifiedUntil });
  if (before && isSame(before.fields, is)) return { ...before, former };
  if (isWidened(was, is)) return defined({ askedAt, notifiedUntil, former });
  return { askedAt: now, note: 'asked anew: its fields have changed', former };
}

const isSame = (one: QuestionFields, other: QuestionFields): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Drops undefined fields: JSON has none. */
const defined = <Given extends object>(
  given: Given,
): { [Key in keyof Given]: Exclude<Given[Key], undefined> } =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never;
