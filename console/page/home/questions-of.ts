// Which questions Home counts for a person: those of their own inboxes. Whoever answers in every inbox has none of their own.
import type { WorkEntry, WorkView } from '../../processes/processes-view.ts';
import type { ConsoleUser } from '../../sign-in/sign-in-view.ts';

interface OfPerson {
  readonly isOwn: boolean;
  readonly count: (work: Pick<WorkView, 'entries'>) => number;
}

export function questionsOf({ roles, inboxes = [] }: Pick<ConsoleUser, 'roles' | 'inboxes'>): OfPerson {
  const isOfSome = inboxes.length > 0;
  const isTheirs = ({ task }: WorkEntry) => !isOfSome || inboxes.includes(task?.inbox ?? '');
  return {
    isOwn: isOfSome || !roles.includes('decide'),
    count: ({ entries }) => entries.filter((each) => mayAnswer(each) && isTheirs(each)).length,
  };
}

const mayAnswer = ({ kind, group, mayNotAnswer, actions }: WorkEntry): boolean =>
  kind === 'question' &&
  group !== 'snoozed' &&
  !mayNotAnswer &&
  actions.some(({ command }) => command === 'answer');
