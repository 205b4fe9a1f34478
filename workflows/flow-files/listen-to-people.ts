// What people say to the questions of a process, as updates: the answer, and who is to give it.
import type { Rejection } from '../../engine/commands.ts';
import { throwRefused, type UpdateHandler, type Updates } from '../../engine/temporal/updates.ts';
import type { Answer } from '../../flows/language/machine/asked-question.ts';
import type { Questions } from '../../flows/language/machine/questions.ts';
import type { TaskAction, TaskChange } from '../../flows/language/machine/tasks.ts';

/** The updates by which people change a question, with their descriptions. */
const taskUpdates: Readonly<Record<TaskAction, string>> = {
  claim: 'Says who is to answer a question, and nobody else: question, by',
  release: 'Lets others answer a question that one holds: question, by',
  assign: 'Gives a question to a person (to) or to another inbox (of): question, by, why',
};

const answerUpdate = {
  answer: 'Answers a question: question (its id, where several are open), inbox, values, by',
};

export function listenToPeople(questions: Questions, updates: Updates): void {
  updates.set(
    answerUpdate,
    handlerOf<Answer>({
      refusal: (given) => questions.refusal(given),
      take: (given) => questions.answer(given),
    }),
  );
  updates.set(
    taskUpdates,
    handlerOf<TaskChange>({
      refusal: (given, action) => questions.changeRefusal(action as TaskAction, given),
      take: (given, action) => questions.change(action as TaskAction, given),
    }),
  );
}

interface Listener<Given> {
  refusal(given: Given, update: string): Rejection | undefined;
  /** What becomes of the task: the answer to the update. */
  take(given: Given, update: string): unknown;
}

const handlerOf = <Given>({ refusal, take }: Listener<Given>): UpdateHandler => ({
  refusal: (given, update) => refusal(given as Given, update),
  take: (given, { name }, reply) => {
    throwRefused(refusal(given as Given, name));
    reply.answer(take(given as Given, name));
  },
});
