// What people say to the questions of a process, as updates: the answer, and who is to give it.
import { defineUpdate, setHandler } from '@temporalio/workflow';
import type { Rejection } from '../../engine/commands.ts';
import { throwRefused } from '../../engine/temporal/handlers.ts';
import type { Answer, ChangedTask } from '../../flows/language/machine/asked-question.ts';
import type { Questions } from '../../flows/language/machine/questions.ts';
import { type TaskAction, type TaskChange, taskActions } from '../../flows/language/machine/tasks.ts';

const answer = defineUpdate<Pick<ChangedTask, 'question' | 'itemTitle'>, [Answer]>('answer');

/** The updates by which people change a question, with their descriptions. */
const taskUpdates: Readonly<Record<TaskAction, string>> = {
  claim: 'Says who is to answer a question, and nobody else: question, by',
  release: 'Lets others answer a question that one holds: question, by',
  assign: 'Gives a question to a person (to) or to another inbox (of): question, by, why',
};

export function listenToPeople(questions: Questions): void {
  listen(answer, {
    description: 'Answers a question: question (its id, where several are open), inbox, values, by',
    refusal: (given) => questions.refusal(given),
    take: (given) => questions.answer(given),
  });
  for (const action of taskActions)
    listen(defineUpdate<ChangedTask, [TaskChange]>(action), {
      description: taskUpdates[action],
      refusal: (given) => questions.changeRefusal(action, given),
      take: (given) => questions.change(action, given),
    });
}

interface Listener<Given, Result> {
  readonly description: string;
  refusal(given: Given): Rejection | undefined;
  take(given: Given): Result;
}

function listen<Given, Result>(
  update: ReturnType<typeof defineUpdate<Result, [Given]>>,
  { description, refusal, take }: Listener<Given, Result>,
): void {
  const validator = (given: Given): void => throwRefused(refusal(given));
  const handler = (given: Given): Result => {
    validator(given);
    return take(given);
  };
  setHandler(update, handler as never, { description, validator } as never);
}
