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
import { answerProblems, NOT_ANSWERED, type QuestionFields } from './question.ts';
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
    asked.take({ ...given.values, by: given.by });
    return { question: asked.id };
  }

  logic(): ProcedureLogic<Json, Invocation> {
    return procedure<Json, Invocation>('ask', (invocation, host, kept) =>
      this.#ask(invocation, host, kept as Kept | undefined),
    );
  }

  #ask({ id, input }: Invocation, host: ProcedureHost, kept?: Kept): Procedure {
    const { of, question, fields = {}, within = null } = (input ?? {}) as Asked;
    const askedAt = kept?.askedAt ?? host.now();
    const until = within === null ? null : (kept?.until ?? askedAt + lengthOf(within, askedAt));
    const open: Open = {
      ...{ id, of: String(of), question: String(question), fields },
      askedAt: new Date(askedAt).toISOString(),
      until: until === null ? null : new Date(until).toISOString(),
      take: (values) => host.done(values),
    };
    this.#open.set(id, open);
    const close = () => {
      // Another one may have been asked under the id since.
      if (this.#open.get(id) === open) this.#open.delete(id);
    };
    if (until !== null)
      host.alarm(until, `answer to ${id}`, () => {
        close();
        host.failed(Object.assign(new Error(`nobody answered ${id} in time`), { code: NOT_ANSWERED }));
      });
    return { end: close, kept: (): Kept => ({ askedAt, until }) };
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

/** The file's check and its expression have made sure that it is one of the two. */
function lengthOf(within: Json, now: number): number {
  return durationMs(within) ?? Math.max(1, (instantMs(within) ?? now) - now);
}
