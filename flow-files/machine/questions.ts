// The open questions of a process (`ask`), and their answers.
import {
  type Procedure,
  type ProcedureHost,
  type ProcedureLogic,
  procedure,
} from '../../driver/actor-kinds.ts';
import { durationMs } from '../duration.ts';
import { instantMs } from '../expressions/moments.ts';
import type { Json, JsonObject } from '../flow-file.ts';
import { answerProblems, NOT_ANSWERED, type QuestionFields, withDefaultsOf } from './question.ts';
import type { Invocation } from './start.ts';

/** As `ask` stands in the file, evaluated. */
interface Asked {
  readonly of?: Json;
  readonly question?: Json;
  readonly fields?: QuestionFields;
  /** ISO 8601, a duration or an instant. */
  readonly within?: Json;
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
  /** Why it is not asked as it was at first. */
  readonly note?: string;
}

/** Update `answer`. `question` may be left out where only one is open. */
export interface Answer {
  readonly question?: string;
  readonly values?: JsonObject;
  readonly by: string;
}

/** An open question, for a run that goes on with it; times in milliseconds since 1970. */
interface Kept {
  readonly askedAt: number;
  readonly until: number | null;
  readonly note?: string;
}

interface Open extends OpenQuestion {
  take(values: JsonObject): void;
}

export class Questions {
  readonly #open = new Map<string, Open>();

  get open(): OpenQuestion[] {
    return [...this.#open.values()].map(({ take, ...question }) => question);
  }

  /** Why it cannot be the answer to an open question; undefined: it can. */
  refusal(given: Answer): string | undefined {
    const asked = this.#asked(given);
    if (typeof asked === 'string') return asked;
    return answerProblems(asked.fields, given.values ?? {}).join('; ') || undefined;
  }

  /** Takes an answer that is not refused. */
  answer(given: Answer): { readonly question: string } {
    const asked = this.#asked(given);
    if (typeof asked === 'string') throw new TypeError(asked);
    this.#open.delete(asked.id);
    asked.take({ ...withDefaultsOf(asked.fields, given.values ?? {}), by: given.by });
    return { question: asked.id };
  }

  logic(): ProcedureLogic<Json, Invocation> {
    return procedure<Json, Invocation>('ask', (invocation, host, kept) =>
      this.#ask(invocation, host, kept as Kept | undefined),
    );
  }

  #ask(invocation: Invocation, host: ProcedureHost, kept?: Kept): Procedure {
    const askedAt = kept?.askedAt ?? host.now();
    const asked = new Asking(this.#open, host, invocation, {
      askedAt,
      until: kept === undefined ? untilOf(invocation, askedAt) : kept.until,
      ...(kept?.note !== undefined && { note: kept.note }),
    });
    return {
      end: () => asked.close(),
      kept: () => asked.kept,
      changed: (input) => asked.change(input as Invocation),
    };
  }

  /** The open question that is meant, or why there is none. */
  #asked(given: Answer): Open | string {
    if (typeof given !== 'object' || given === null || typeof given.by !== 'string' || given.by === '')
      return 'expected by, the name of the person who answers';
    const named = given.question === undefined ? [...this.#open.values()] : [this.#open.get(given.question)];
    const [question, another] = named;
    if (question && !another) return question;
    const ids = [...this.#open.keys()];
    return ids.length === 0
      ? 'no question is open now'
      : `expected question, one of those that are open: ${ids.join(', ')}`;
  }
}

/** One question, from when it is asked until it is over. */
class Asking {
  readonly #all: Map<string, Open>;
  readonly #host: ProcedureHost;
  #asked: Invocation;
  #open: Open;
  kept: Kept;

  constructor(all: Map<string, Open>, host: ProcedureHost, asked: Invocation, kept: Kept) {
    this.#all = all;
    this.#host = host;
    this.#asked = asked;
    this.kept = kept;
    this.#open = this.#shown();
    this.#alarm();
  }

  close(): void {
    const { id } = this.#asked;
    // Another one may have been asked under the id since.
    if (this.#all.get(id) === this.#open) this.#all.delete(id);
  }

  /** A migration: it is asked as the new file has it. An answer that was possible before stays possible, or it is asked anew. */
  change(asked: Invocation): void {
    const before = this.#asked;
    if (JSON.stringify(before) === JSON.stringify(asked)) return;
    this.close();
    this.#asked = asked;
    const isWider = isWidened(fieldsOf(before), fieldsOf(asked));
    const askedAt = isWider ? this.kept.askedAt : this.#host.now();
    const isOfOther = (before.input as Asked).of !== (asked.input as Asked).of;
    const note = [
      ...(isWider ? [] : ['asked anew: its fields have changed']),
      ...(isOfOther ? [`was asked of ${String((before.input as Asked).of)} before`] : []),
    ].join('; ');
    const until = withinOf(before) === withinOf(asked) && isWider ? this.kept.until : untilOf(asked, askedAt);
    const isAlarmed = until === this.kept.until;
    this.kept = { askedAt, until, ...(note !== '' && { note }) };
    this.#open = this.#shown();
    if (!isAlarmed) this.#alarm();
  }

  #shown(): Open {
    const { id, input } = this.#asked;
    const { of, question, fields = {} } = (input ?? {}) as Asked;
    const { askedAt, until, note } = this.kept;
    const open: Open = {
      ...{ id, of: String(of), question: String(question), fields },
      askedAt: new Date(askedAt).toISOString(),
      until: until === null ? null : new Date(until).toISOString(),
      ...(note !== undefined && { note }),
      take: (values) => this.#host.done(values),
    };
    this.#all.set(id, open);
    return open;
  }

  #alarm(): void {
    const { until } = this.kept;
    if (until === null) return;
    this.#host.alarm(until, `answer to ${this.#asked.id}`, () => {
      if (this.kept.until !== until) return;
      this.close();
      const { id } = this.#asked;
      this.#host.failed(Object.assign(new Error(`nobody answered ${id} in time`), { code: NOT_ANSWERED }));
    });
  }
}

const fieldsOf = ({ input }: Invocation): QuestionFields => ((input ?? {}) as Asked).fields ?? {};

const withinOf = ({ input }: Invocation): Json => ((input ?? {}) as Asked).within ?? null;

function untilOf(asked: Invocation, askedAt: number): number | null {
  const within = withinOf(asked);
  return within === null ? null : askedAt + lengthOf(within, askedAt);
}

/** Whether each answer to the one is an answer to the other. */
export function isWidened(before: QuestionFields, now: QuestionFields): boolean {
  const hasAll = Object.entries(before).every(([name, { type, choice, optional }]) => {
    const field = now[name];
    if (field === undefined || (optional === true && field.optional !== true)) return false;
    if (choice && field.choice) return choice.every((each) => field.choice?.includes(each));
    return choice === undefined && field.choice === undefined && (type ?? 'text') === (field.type ?? 'text');
  });
  const isNeeded = Object.entries(now).some(
    ([name, { optional }]) => !optional && !Object.hasOwn(before, name),
  );
  return hasAll && !isNeeded;
}

/** The file's check and its expression have made sure that it is one of the two. */
function lengthOf(within: Json, now: number): number {
  return durationMs(within) ?? Math.max(1, (instantMs(within) ?? now) - now);
}
