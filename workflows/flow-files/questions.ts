// The open questions of a process (`ask`), and their answers by the update `answer`.
import { ApplicationFailure, condition, defineUpdate, setHandler } from '@temporalio/workflow';
import { type Procedure, type ProcedureLogic, procedure } from '../../driver/actors/procedure.ts';
import type { Clock } from '../../driver/clock.ts';
import { durationMs } from '../../flow-files/duration.ts';
import { instantMs } from '../../flow-files/expressions/moments.ts';
import type { Json, JsonObject } from '../../flow-files/flow-file.ts';
import { answerProblems, NOT_ANSWERED, type QuestionFields } from '../../flow-files/machine/question.ts';
import type { Invocation } from '../../flow-files/machine/start.ts';

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

interface Open extends OpenQuestion {
  take(values: JsonObject): void;
}

const answer = defineUpdate<{ readonly question: string }, [Answer]>('answer');

const INVALID_ANSWER = 'InvalidAnswer';

export class Questions {
  readonly #open = new Map<string, Open>();

  get open(): OpenQuestion[] {
    return [...this.#open.values()].map(({ take, ...question }) => question);
  }

  listen(): void {
    setHandler(
      answer,
      (given) => {
        const question = this.#asked(given);
        this.#open.delete(question.id);
        question.take({ ...given.values, by: given.by });
        return { question: question.id };
      },
      {
        description: 'Answers a question: question (its id, where several are open), values, by',
        validator: (given) => {
          const wrong = answerProblems(this.#asked(given).fields, given.values ?? {});
          if (wrong.length > 0) throw refused(wrong.join('; '));
        },
      },
    );
  }

  logic(): ProcedureLogic<Json, Invocation> {
    return procedure<Json, Invocation>('ask', (invocation, clock) => this.#ask(invocation, clock));
  }

  #ask({ id, input }: Invocation, clock: Clock): Procedure {
    const { of, question, fields = {}, within = null } = (input ?? {}) as Asked;
    const now = Date.now();
    const length = within === null ? null : lengthOf(within, now);
    let taken: JsonObject | undefined;
    this.#open.set(id, {
      ...{ id, of: String(of), question: String(question), fields },
      askedAt: new Date(now).toISOString(),
      until: length === null ? null : new Date(now + length).toISOString(),
      take: (values) => {
        taken = values;
      },
    });
    const until = () => taken !== undefined;
    const answered = length === null ? condition(until) : clock.until(until, now + length, `answer to ${id}`);
    return { result: this.#outcome(id, answered, () => taken) };
  }

  /** The answer, or a failure that says why there is none. */
  async #outcome(id: string, answered: Promise<unknown>, taken: () => JsonObject | undefined): Promise<Json> {
    try {
      await answered;
    } finally {
      this.#open.delete(id);
    }
    const values = taken();
    if (values) return values;
    throw ApplicationFailure.nonRetryable(`nobody answered ${id} in time`, NOT_ANSWERED);
  }

  #asked(given: Answer): Open {
    if (typeof given !== 'object' || given === null || typeof given.by !== 'string' || given.by === '')
      throw refused('expected by, the name of the person who answers');
    const named = given.question === undefined ? [...this.#open.values()] : [this.#open.get(given.question)];
    const [question, another] = named;
    if (question && !another) return question;
    const ids = [...this.#open.keys()];
    throw refused(
      ids.length === 0
        ? 'no question is open now'
        : `expected question, one of those that are open: ${ids.join(', ')}`,
    );
  }
}

const refused = (message: string) => ApplicationFailure.nonRetryable(message, INVALID_ANSWER);

/** The file's check and its expression have made sure that it is one of the two. */
function lengthOf(within: Json, now: number): number {
  return durationMs(within) ?? Math.max(1, (instantMs(within) ?? now) - now);
}
