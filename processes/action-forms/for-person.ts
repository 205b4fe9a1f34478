// What a person is offered of the actions of questions: what the process would refuse them is left out, and said in one sentence.
// The answers that hold the forms are shared by all who ask, so this is done for each reader.
import { z } from 'zod';
import { decidingRefusal, HELD_BY_ANOTHER } from '../../flows/language/machine/tasks.ts';
import { t } from '../../shared/texts/text.ts';
import type { ActionForm } from './question-forms.ts';

export const answerRefusal = z
  .object({ question: z.string(), code: z.string(), words: z.string() })
  .meta({ description: 'Why the reader may not answer a question' });
export type AnswerRefusal = Readonly<z.infer<typeof answerRefusal>>;

export interface Person {
  readonly by: string;
  mayAnswer(inbox: string): boolean;
}

type Task = NonNullable<ActionForm['task']>;

interface ForPerson {
  readonly forms: ActionForm[];
  readonly refusals: AnswerRefusal[];
  /** That the reader may answer, where another one may not; null: that goes without saying. */
  readonly permission: string | null;
}

export function formsFor(person: Person, forms: readonly ActionForm[]): ForPerson {
  const refusals = forms.flatMap(({ command, task }) => {
    const refusal = command === 'answer' && task ? refusalOf(person, task) : undefined;
    return refusal ?? [];
  });
  const theirs = forms.filter((form) => isFor(person, form));
  return { forms: theirs, refusals, permission: permissionIn(theirs) };
}

function permissionIn(forms: readonly ActionForm[]): string | null {
  const guarded = forms.find(({ command, task }) => command === 'answer' && (task?.not ?? []).length > 0);
  return guarded?.task
    ? t`You may answer it; ${guarded.task.not.join(', ')}, who has judged before, may not (four eyes).`
    : null;
}

function isFor(person: Person, { command, task }: ActionForm): boolean {
  if (!task) return true;
  if (!person.mayAnswer(task.inbox)) return false;
  const code = refusalOf(person, task)?.code;
  // Whoever may not answer it may still give it to somebody who may.
  if (command === 'assign') return true;
  return command === 'release' ? code !== HELD_BY_ANOTHER : code === undefined;
}

function refusalOf({ by, mayAnswer }: Person, task: Task): AnswerRefusal | undefined {
  const { question, inbox, holder, heldSince, candidates, not } = task;
  if (!mayAnswer(inbox)) return { question, code: 'NotAllowed', words: texts.NotAllowed(task) };
  const held = holder === null ? undefined : { name: holder, since: Date.parse(heldSince ?? '') || 0 };
  const rules = { assignee: null, candidates, not, priority: 0 };
  // What was given to another inbox says no candidates any more.
  const refusal = decidingRefusal({ id: question, rules, holder: held, isPassedOn: false }, by);
  return refusal && { question, code: refusal.code, words: texts[refusal.code]?.(task) ?? refusal.message };
}

const texts: Readonly<Record<string, (task: Task) => string>> & {
  readonly NotAllowed: (task: Task) => string;
} = {
  NotAllowed: ({ inbox }) =>
    t`You may not answer in the inbox ${inbox}: this needs the right to act on cases, or a right to the inbox.`,
  FourEyes: () => t`You may not answer it: another person must, who has not judged before (four eyes).`,
  NotCandidate: ({ candidates }) => t`You may not answer it: only ${(candidates ?? []).join(', ')} may.`,
  HeldByAnother: ({ holder }) =>
    t`${holder ?? t`Somebody`} holds it, and alone may answer it: ${holder ?? t`they`} can give it back, or it can be assigned to you.`,
};
