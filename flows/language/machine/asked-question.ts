// One question of a process, from when it is asked until it is over: what people see of it, and what happens to it by itself.
import type { Attribution } from '../../../contract/flows/attribution.ts';
import type { ProcedureHost } from '../../../engine/actor-kinds.ts';
import { instantText } from '../duration.ts';
import type { JsonObject } from '../flow-file.ts';
import { askInputOf, rulesOf, timeOf } from './ask-input.ts';
import type { Invocation } from './machine-runtime.ts';
import { NOT_ANSWERED, type QuestionFields, remindersIn } from './question.ts';
import { migrated, type SavedQuestion } from './saved-question.ts';
import {
  DEFAULT_PRIORITY,
  eventOfAction,
  type TaskAction,
  type TaskChange,
  type TaskEvent,
  type TaskState,
} from './tasks.ts';

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
    return of !== undefined && of !== askInputOf(this.#asked).of;
  }

  get shown(): OpenQuestion {
    const { id, itemTitle } = this.#asked;
    const { of, question, fields, due } = askInputOf(this.#asked);
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
      ...(due !== null && { due: instantText(timeOf(due, askedAt)) }),
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

/** In the order of time. A reminder that nobody listens for costs nothing. */
function momentsOf(asked: Invocation, { askedAt, until }: SavedQuestion): Moment[] {
  const { due, remind } = askInputOf(asked);
  const isHeard = (type: TaskEvent) => asked.subscriptions.some((each) => each === '*' || each === type);
  const reminders = isHeard('reminder')
    ? remindersIn(remind)
        .map((each) => timeOf(each, askedAt))
        .sort((one, other) => one - other)
    : [];
  const moments: Moment[] = [
    ...reminders.map((each, index): Moment => ({ at: each, kind: 'reminder', number: index + 1 })),
    ...(due !== null && isHeard('overdue') ? [{ at: timeOf(due, askedAt), kind: 'overdue' } as const] : []),
    ...(until === null ? [] : [{ at: until, kind: 'end' } as const]),
  ];
  return moments.sort((one, other) => one.at - other.at);
}
