// What people say to the questions of a process, as updates: the answer, and who is to give it.
import type { Rejection } from '../../engine/commands.ts';
import { throwRefused, type Updates } from '../../engine/temporal/updates.ts';
import type { Answer } from '../../flows/language/machine/asked-question.ts';
import type { Questions } from '../../flows/language/machine/questions.ts';
import { type TaskAction, type TaskChange, taskActions } from '../../flows/language/machine/tasks.ts';

/** The updates by which people change a question, with their descriptions. */
const taskUpdates: Readonly<Record<TaskAction, string>> = {
  claim: 'Says who is to answer a question, and nobody else: question, by',
  release: 'Lets others answer a question that one holds: question, by',
  assign: 'Gives a question to a person (to) or to another inbox (of): question, by, why',
};

export function listenToPeople(questions: Questions, updates: Updates): void {
  const listen = <Given>(name: string, description: string, { refusal, take }: Listener<Given>) =>
    updates.set(name, description, {
      refusal: (given) => refusal(given as Given),
      take: (given, _, reply) => {
        throwRefused(refusal(given as Given));
        reply.answer(take(given as Given));
      },
    });
  listen<Answer>(
    'answer',
    'Answers a question: question (its id, where several are open), inbox, values, by',
    {
      refusal: (given) => questions.refusal(given),
      take: (given) => questions.answer(given),
    },
  );
  for (const action of taskActions)
    listen<TaskChange>(action, taskUpdates[action], {
      refusal: (given) => questions.changeRefusal(action, given),
      take: (given) => questions.change(action, given),
    });
}

interface Listener<Given> {
  refusal(given: Given): Rejection | undefined;
  /** What becomes of the task: the answer to the update. */
  take(given: Given): unknown;
}
