// The open questions of a process (`ask`), who holds them, and their answers.

import { type ProcedureLogic, procedure } from '../../../engine/actor-kinds.ts';
import type { Rejection } from '../../../engine/commands.ts';
import type { Json, JsonObject } from '../flow-file.ts';
import { type Answer, type ChangedTask, type OpenQuestion, Question } from './asked-question.ts';
import type { Invocation } from './machine-runtime.ts';
import { answerProblems, INVALID_ANSWER, withDefaultsOf } from './question.ts';
import { beganWith, type SavedQuestion } from './saved-question.ts';
import { ANOTHER_INBOX, changeRefusal, decidingRefusal, type TaskAction, type TaskChange } from './tasks.ts';

export class Questions {
  readonly #open = new Map<string, Question>();

  get open(): OpenQuestion[] {
    return [...this.#open.values()].map(({ shown }) => shown);
  }

  /** Why it cannot be the answer to an open question; undefined: it can. */
  refusal(given: Answer): Rejection | undefined {
    const asked = this.#asked(given);
    if ('code' in asked) return asked;
    const message = answerProblems(asked.shown.fields, given.values ?? {}).join('; ');
    return (
      decidingRefusal(asked.state, given.by) ?? (message ? { code: INVALID_ANSWER, message } : undefined)
    );
  }

  /** Takes an answer that is not refused. */
  answer(given: Answer): Pick<ChangedTask, 'question' | 'itemTitle'> {
    const asked = this.#asked(given);
    if ('code' in asked) throw new TypeError(asked.message);
    const { id, fields, itemTitle } = asked.shown;
    this.#open.delete(id);
    const { by, onBehalfOf } = given;
    // A field of that name is the answer's own.
    const person: JsonObject = onBehalfOf === undefined ? {} : { onBehalfOf };
    asked.answer({ ...person, ...withDefaultsOf(fields, given.values ?? {}), by });
    return { question: id, ...(itemTitle !== undefined && { itemTitle }) };
  }

  /** Why a task cannot be claimed, released or assigned so. */
  changeRefusal(action: TaskAction, given: TaskChange): Rejection | undefined {
    const asked = this.#asked(given);
    return 'code' in asked ? asked : changeRefusal(action, asked.state, given);
  }

  /** Makes a change that is not refused. */
  change(action: TaskAction, given: TaskChange): ChangedTask {
    const asked = this.#asked(given);
    if ('code' in asked) throw new TypeError(asked.message);
    return asked.change(action, given);
  }

  logic(): ProcedureLogic<Json, Invocation> {
    return procedure<Json, Invocation>('ask', (invocation, host, kept) => {
      const saved = (kept as SavedQuestion | undefined) ?? beganWith(invocation, host.now());
      const question = new Question(this.#open, host, invocation, saved);
      return {
        end: () => question.close(),
        kept: () => question.kept,
        changed: (input) => question.migrate(input as Invocation),
      };
    });
  }

  /** The open question that is meant, or why there is none. */
  #asked(given: Answer | TaskChange): Question | Rejection {
    const refused = (message: string): Rejection => ({ code: INVALID_ANSWER, message });
    if (typeof given !== 'object' || given === null || typeof given.by !== 'string' || given.by === '')
      return refused('expected by, the name of the person who does it');
    const named = given.question === undefined ? [...this.#open.values()] : [this.#open.get(given.question)];
    const [question, another] = named;
    const { inbox } = given;
    if (question && !another) return isIn(question, inbox) ? question : inAnother(question, inbox);
    // Who acts in one inbox does not learn what is asked in another.
    const ids = [...this.#open.values()].filter((each) => isIn(each, inbox)).map(({ shown }) => shown.id);
    return refused(
      ids.length === 0
        ? 'no question is open now'
        : `expected question, one of those that are open: ${ids.join(', ')}`,
    );
  }
}

/** Absent `inbox`: whoever sends it may act in all. */
const isIn = ({ shown }: Question, inbox: string | undefined): boolean =>
  inbox === undefined || shown.of === inbox;

const inAnother = ({ shown }: Question, inbox: string | undefined): Rejection => ({
  code: ANOTHER_INBOX,
  message: `${shown.id} is not in the inbox ${JSON.stringify(inbox)} now: somebody has given it to another one, or it is asked anew`,
});
