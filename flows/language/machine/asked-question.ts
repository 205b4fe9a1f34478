// One question of a process, from when it is asked until it is over: what is kept of it, what happens to it by itself, and what a
// migration makes of it.

import type { Attribution } from '../../../contract/flows/attribution.ts';
import type { ProcedureHost } from '../../../engine/actor-kinds.ts';
import { instantMs, instantText, lengthMs } from '../duration.ts';
import type { Json, JsonObject } from '../flow-file.ts';
import type { Invocation } from './machine-runtime.ts';
import { isWidened, NOT_ANSWERED, type QuestionFields, remindersIn } from './question.ts';
import {
  DEFAULT_PRIORITY,
  eventOfAction,
  type Holder,
  type TaskAction,
  type TaskChange,
  type TaskEvent,
  type TaskState,
  taskRulesOf,
} from './tasks.ts';

/** As `ask` stands in the file, evaluated. */
interface AskInput {
  readonly of?: Json;
  readonly question?: Json;
  readonly fields?: QuestionFields;
  /** ISO 8601, a duration or an instant. */
  readonly within?: Json;
  readonly due?: Json;
  /** One, or a list. */
  readonly remind?: Json;
}

/** As `progress` and the inbox show it. */
export interface OpenQuestion {
  /** Its invoke's id, by which it is answered. */
  readonly id: string;
  readonly of: string;
  readonly question: string;
  readonly fields: QuestionFields;
  readonly askedAt: string;
  readonly until: string | null;
  /** From 0 to 100; 50 if absent. */
  readonly priority?: number;
  /** When it should be answered; nothing happens by itself then. */
  readonly due?: string;
  /** Who alone may answer it now. */
  readonly holder?: string;
  readonly heldSince?: string;
  /** Who may claim and answer it; everybody if absent. */
  readonly candidates?: readonly string[];
  /** Who may not. */
  readonly not?: readonly string[];
  /** What people call the item of an `each` that it is about. */
  readonly itemTitle?: string;
  /** Why it is not asked as it was at first. */
  readonly note?: string;
  /** Where the process goes on without an answer: one of these; absent: nobody has looked. */
  readonly unanswered?: readonly { readonly state: string; readonly title?: string }[];
}

/** Update `answer`. `question` may be left out where only one is open. Who may answer is judged by `by`. */
export interface Answer extends Attribution {
  readonly question?: string;
  /** Where the sender may answer, and has seen it: in another one it is not answered. */
  readonly inbox?: string;
  readonly values?: JsonObject;
}

/** What became of a task. */
export interface ChangedTask {
  readonly question: string;
  /** As `OpenQuestion` has it. */
  readonly itemTitle?: string;
  readonly of: string;
  /** Null: nobody. */
  readonly holder: string | null;
}

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

/** Something that happens to a question by itself. */
interface Moment {
  readonly at: number;
  readonly kind: 'reminder' | 'overdue' | 'end';
  /** The number of the reminder, from 1. */
  readonly number?: number;
}

const summaries: Readonly<Record<Moment['kind'], (id: string) => string>> = {
  reminder: (id) => `reminder of ${id}`,
  overdue: (id) => `${id} is due`,
  end: (id) => `answer to ${id}`,
};

/** One question, from when it is asked until it is over. */
export class Question {
  readonly #all: Map<string, Question>;
  readonly #host: ProcedureHost;
  #asked: Invocation;
  /** Another one is armed after a migration. */
  #armed: Moment | undefined;
  kept: SavedQuestion;

  constructor(all: Map<string, Question>, host: ProcedureHost, asked: Invocation, kept: SavedQuestion) {
    this.#all = all;
    this.#host = host;
    this.#asked = asked;
    this.kept = kept;
    all.set(asked.id, this);
    this.#alarm();
  }

  answer(values: JsonObject): void {
    this.#host.done(values);
  }

  close(): void {
    const { id } = this.#asked;
    // Another one may have been asked under the id since.
    if (this.#all.get(id) === this) this.#all.delete(id);
  }

  /** It is asked as the new file has it. An answer that was possible before stays possible, or it is asked anew. */
  migrate(asked: Invocation): void {
    const before = this.#asked;
    if (JSON.stringify(before) === JSON.stringify(asked)) return;
    this.close();
    this.#asked = asked;
    this.kept = migrated(this.kept, { before, asked, now: this.#host.now() });
    this.#all.set(asked.id, this);
    this.#alarm();
  }

  /** Whoever has claimed it once need not do so again. */
  change(action: TaskAction, { by, onBehalfOf, to, of }: TaskChange): ChangedTask {
    const { holder: current, ...kept } = this.kept;
    const claimed = action === 'claim' ? (current?.name ?? by) : to;
    const holder =
      claimed === current?.name ? current : claimed && { name: claimed, since: this.#host.now() };
    const isSame = holder === current && (of === undefined || of === this.shown.of);
    this.kept = { ...kept, ...(of !== undefined && { of }), ...(holder && { holder }) };
    if (!isSame) this.#notify(eventOfAction[action], { by, ...(onBehalfOf !== undefined && { onBehalfOf }) });
    const { id: question, of: inbox, itemTitle } = this.shown;
    const named = itemTitle === undefined ? {} : { itemTitle };
    return { question, of: inbox, holder: holder ? holder.name : null, ...named };
  }

  /** Also where the file does not listen for it: people see the change with the step. */
  #notify(type: TaskEvent, beside: object): void {
    const { of, holder = null } = this.shown;
    const event = { type, by: null, of, holder, ...beside };
    this.#host.event(event);
  }

  get state(): TaskState {
    const rules = rulesOf(this.#asked);
    return { id: this.#asked.id, rules, holder: this.kept.holder, isPassedOn: this.#isPassedOn };
  }

  get #isPassedOn(): boolean {
    const { of } = this.kept;
    return of !== undefined && of !== (this.#asked.input as AskInput).of;
  }

  get shown(): OpenQuestion {
    const { id, input, itemTitle } = this.#asked;
    const { of, question, fields = {}, due = null } = (input ?? {}) as AskInput;
    const { askedAt, until, note, holder, of: passedOnTo } = this.kept;
    const { priority, candidates, not } = rulesOf(this.#asked);
    return {
      id,
      of: passedOnTo ?? String(of),
      question: String(question),
      fields,
      askedAt: instantText(askedAt),
      until: until === null ? null : instantText(until),
      ...(priority !== DEFAULT_PRIORITY && { priority }),
      ...(due !== null && { due: instantText(askedAt + lengthOf(due, askedAt)) }),
      ...(holder && { holder: holder.name, heldSince: instantText(holder.since) }),
      ...(candidates && !this.#isPassedOn && { candidates }),
      ...(not.length > 0 && { not }),
      ...(itemTitle !== undefined && { itemTitle }),
      ...(note !== undefined && { note }),
    };
  }

  /** The next one alone: a question that is answered in time has armed one timer. */
  #alarm(): void {
    const { notifiedUntil = 0 } = this.kept;
    const next = momentsOf(this.#asked, this.kept).find(
      ({ at, kind }) => kind === 'end' || at > notifiedUntil,
    );
    if (!next || (next.at === this.#armed?.at && next.kind === this.#armed.kind)) return;
    this.#armed = next;
    this.#host.alarm(next.at, summaries[next.kind](this.#asked.id), () => {
      if (this.#armed === next) this.#ring(next);
    });
  }

  #ring({ at: now }: Moment): void {
    const { notifiedUntil = 0 } = this.kept;
    const due = momentsOf(this.#asked, this.kept).filter(({ at }) => at <= now);
    for (const { kind, at, number } of due)
      if (kind !== 'end' && at > notifiedUntil) this.#notify(kind, number === undefined ? {} : { number });
    if (due.some(({ kind }) => kind === 'end')) {
      this.close();
      const { id } = this.#asked;
      this.#host.failed(Object.assign(new Error(`nobody answered ${id} in time`), { code: NOT_ANSWERED }));
      return;
    }
    this.kept = { ...this.kept, notifiedUntil: now };
    this.#armed = undefined;
    this.#alarm();
  }
}

function migrated(
  kept: SavedQuestion,
  { before, asked, now }: { readonly before: Invocation; readonly asked: Invocation; readonly now: number },
): SavedQuestion {
  const { askedAt, note, notifiedUntil, former } = timesAfter(kept, fieldsOf(before), fieldsOf(asked), now);
  const [inbox, inboxNow] = [before, asked].map(({ input }) => (input as AskInput).of);
  const notes = [note, ...(inbox === inboxNow ? [] : [`was asked of ${String(inbox)} before`])];
  const isInTime = askedAt === kept.askedAt && withinOf(before) === withinOf(asked);
  const { assignee } = rulesOf(asked);
  const isAssigned = assignee !== null && assignee !== rulesOf(before).assignee;
  const holder = isAssigned ? { name: assignee, since: now } : kept.holder;
  return defined({
    askedAt,
    until: isInTime ? kept.until : untilOf(asked, askedAt),
    note: notes.filter((each) => each !== undefined).join('; ') || undefined,
    holder,
    of: inbox === inboxNow ? kept.of : undefined,
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

/** In the order of time. A reminder that nobody listens for costs nothing. */
function momentsOf({ input, subscriptions }: Invocation, { askedAt, until }: SavedQuestion): Moment[] {
  const { due = null, remind = null } = (input ?? {}) as AskInput;
  const isHeard = (type: TaskEvent) => subscriptions.some((each) => each === '*' || each === type);
  const at = (moment: Json) => askedAt + lengthOf(moment, askedAt);
  const reminders = isHeard('reminder')
    ? remindersIn(remind)
        .map(at)
        .sort((one, other) => one - other)
    : [];
  const moments: Moment[] = [
    ...reminders.map((each, index): Moment => ({ at: each, kind: 'reminder', number: index + 1 })),
    ...(due !== null && isHeard('overdue') ? [{ at: at(due), kind: 'overdue' } as const] : []),
    ...(until === null ? [] : [{ at: until, kind: 'end' } as const]),
  ];
  return moments.sort((one, other) => one.at - other.at);
}

const rulesOf = ({ input }: Invocation) => taskRulesOf((input ?? {}) as JsonObject);

const fieldsOf = ({ input }: Invocation): QuestionFields => ((input ?? {}) as AskInput).fields ?? {};

const withinOf = ({ input }: Invocation): Json => ((input ?? {}) as AskInput).within ?? null;

function untilOf(asked: Invocation, askedAt: number): number | null {
  const within = withinOf(asked);
  return within === null ? null : askedAt + lengthOf(within, askedAt);
}

/** The file's check and its expression have made sure that it is one of the two. */
function lengthOf(within: Json, now: number): number {
  return lengthMs(within) ?? Math.max(1, (instantMs(within) ?? now) - now);
}
