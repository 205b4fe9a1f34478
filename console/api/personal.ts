// What an answer holds of a process, by who reads it. What the processes of a flow file give back may be what an operation has told
// of a person (GetAccount, GetShipment), and so may be the keys by which events find them: they are for those who may act on
// processes, and for who has started the process. What a file writes into texts for people is read by all who may read processes.

import type { FlowFileProgress } from '../../client/flow-files/flow-file-handle.ts';
import { isBuiltIn } from '../../contract/flows/flow-types.ts';
import type { FlowMemo } from '../../contract/flows/search-attributes.ts';
import { formsFor, type Person } from '../../processes/action-forms/for-person.ts';
import type { WorkView } from '../../processes/inbox/inbox-entry.ts';
import type { ProcessPage } from '../../processes/views/process-list.ts';
import type { ShownProcess } from '../../processes/views/shown-process.ts';
import type { Caller } from '../access/rights.ts';
import type { ProcessDetails } from '../process/process-view.ts';

/** The answer of a route, as this caller may read it. */
type Reader = Pick<Caller, 'may' | 'by'>;

export const shownTo = (caller: Reader, answer: unknown): unknown =>
  offeredTo(caller, caller.may('decide') ? answer : withoutPersonal(answer));

/** What can be done, by who may do it: to the flows that a process has started, and to its questions. */
function offeredTo(caller: Reader, answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  if ('actionForms' in answer) return detailsFor(caller, answer as ProcessDetails);
  if ('entries' in answer && 'unread' in answer) return workFor(caller, answer as WorkView);
  return answer;
}

const personOf = ({ by, may }: Reader): Person => ({ by, mayAnswer: (inbox) => may('answer', inbox) });

function detailsFor(caller: Reader, answer: ProcessDetails): ProcessDetails {
  const { actionForms, overview } = answer;
  const theirs = actionForms.filter(({ of }) => of === undefined || caller.may('decide', of.flow));
  const { forms, refusals, permission } = formsFor(personOf(caller), theirs);
  const { primary, remedies, todo } = overview;
  const isHidden = primary !== null && !forms.some(({ id }) => id === primary);
  return {
    ...answer,
    actionForms: forms,
    refusals,
    overview: {
      ...overview,
      todo: todo === null || permission === null ? todo : `${todo} ${permission}`,
      primary: isHidden ? null : primary,
      remedies: remedies.filter(({ kind, id }) => kind !== 'act' || forms.some((form) => form.id === id)),
    },
  };
}

function workFor(caller: Reader, answer: WorkView): WorkView {
  const entries = answer.entries.map((entry) => {
    if (entry.kind !== 'question') return aboutFor(caller, entry);
    const { forms, refusals, permission } = formsFor(personOf(caller), entry.actions);
    const [mayNotAnswer] = refusals;
    const toDo = permission === null ? entry.toDo : `${entry.toDo} ${permission}`;
    return { ...aboutFor(caller, entry), toDo, actions: forms, ...(mayNotAnswer && { mayNotAnswer }) };
  });
  return { ...answer, entries };
}

const aboutFor = (caller: Reader, entry: WorkView['entries'][number]) =>
  caller.may('decide') ? entry : withoutAbout(entry);

const withoutAbout = ({ many, ...entry }: WorkView['entries'][number]) => ({
  ...entry,
  about: null,
  ...(many && {
    many: {
      keys: many.keys,
      remedy: many.remedy,
      ...(many.members && { members: many.members.map((each) => ({ ...each, about: null })) }),
    },
  }),
});

function withoutPersonal(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  if ('items' in answer && 'count' in answer) return withoutSubjects(answer as ProcessPage);
  const { flow, progress, result } = answer as Partial<ShownProcess>;
  // The contract keeps data of people out of what a built-in flow says.
  if (flow !== undefined && isBuiltIn(flow)) return answer;
  const { output: _, keys: __, ...told } = (progress ?? {}) as Partial<FlowFileProgress>;
  return {
    ...answer,
    ...(progress !== undefined && { progress: progress && told }),
    ...(result !== undefined && { result: null }),
  };
}

const withoutSubjects = (page: ProcessPage): ProcessPage => ({
  ...page,
  items: page.items.map((row) => ({ ...row, about: null })),
});

/**
 * By its memo, and not by a name: a person may have the name of a program in hers. A process that goes on as a new run keeps it.
 */
export const isStartedBy = (
  { id }: Pick<Caller, 'id'>,
  { memo }: { readonly memo?: Readonly<Record<string, unknown>> | undefined },
): boolean => (memo as FlowMemo | undefined)?.startedBy === id;

/** For who may start it, and read nothing: what says whether it runs. */
export const barely = ({ key, runId, flow, status }: ShownProcess): ShownProcess => ({
  key,
  runId,
  flow,
  status,
  startedAt: null,
  closedAt: null,
  progress: null,
  unanswered: null,
  actions: null,
  trying: [],
  result: null,
  failure: null,
});
