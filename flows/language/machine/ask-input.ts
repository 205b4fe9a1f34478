// What `ask` has in a file, as it was evaluated when the question was asked.
import { instantMs, lengthMs } from '../duration.ts';
import type { Json, JsonObject } from '../flow-file.ts';
import type { Invocation } from './machine-runtime.ts';
import type { QuestionFields } from './question.ts';
import { type TaskRules, taskRulesOf } from './tasks.ts';

interface AskInput {
  readonly of: Json | undefined;
  readonly question: Json | undefined;
  readonly fields: QuestionFields;
  /** ISO 8601, a duration or an instant. */
  readonly within: Json;
  readonly due: Json;
  /** One, or a list. */
  readonly remind: Json;
}

export function askInputOf({ input }: Invocation): AskInput {
  const { of, question, fields, within, due, remind } = (input ?? {}) as Partial<AskInput>;
  return {
    of,
    question,
    fields: fields ?? {},
    within: within ?? null,
    due: due ?? null,
    remind: remind ?? null,
  };
}

export const rulesOf = ({ input }: Invocation): TaskRules => taskRulesOf((input ?? {}) as JsonObject);

/** Until when it may be answered; null: without end. */
export function untilOf(asked: Invocation, askedAt: number): number | null {
  const { within } = askInputOf(asked);
  return within === null ? null : timeOf(within, askedAt);
}

/** The file's check and its expression have made sure that it is a duration or an instant. */
export const timeOf = (moment: Json, askedAt: number): number =>
  askedAt + (lengthMs(moment) ?? Math.max(1, (instantMs(moment) ?? askedAt) - askedAt));
