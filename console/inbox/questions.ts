// The questions that processes of flow files have asked (ask), each with its fields as a form.
import { requireOpen } from '../../client/command-line/open-flow.ts';
import { answered } from '../../client/command-line/temporal.ts';
import { openQuestions, type WaitingQuestion } from '../../client/command-line/waiting/open-questions.ts';
import type { QuestionField } from '../../client/flow-files/flow-file-handle.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { ConsoleRefusal } from '../refusal.ts';
import type { InboxEntry, InboxField } from './inbox-view.ts';
import { type Deed, type InboxSource, noSuchAction, refusedField, type SourceRead } from './source.ts';

export const questions: InboxSource = { kind: 'question', what: 'questions of processes', read, act };

async function read(parts: ConsoleParts): Promise<SourceRead> {
  const { waiting, unasked } = await openQuestions(parts, { taskQueue: parts.taskQueue });
  return {
    entries: waiting.map(entryOf),
    ...(unasked > 0 && { incomplete: `${unasked} processes did not answer; check that a worker runs` }),
  };
}

const entryOf = ({
  workflowId,
  flow,
  id,
  of,
  question,
  fields,
  askedAt,
  until,
}: WaitingQuestion): InboxEntry => ({
  // A key may have any character; the question's id has none of these.
  id: `question:${id}:${workflowId}`,
  kind: 'question',
  since: askedAt,
  title: question,
  why: `A process of ${flow} asks ${of}.`,
  ifNothing: until
    ? `After ${until} the process goes on without an answer, as its flow file says.`
    : 'The process waits for the answer, for as long as it takes.',
  toDo: 'Answer it here.',
  workflowId,
  pupUid: null,
  lockerName: null,
  shipmentUid: null,
  actions: [
    {
      name: 'answer',
      label: 'Answer',
      consequence: 'The process goes on with your answer. Your name is kept with it.',
      fields: Object.entries(fields).map(fieldOf),
    },
  ],
});

const fieldOf = ([name, { type = 'text', choice, label = name, optional }]: [
  string,
  QuestionField,
]): InboxField => ({
  name,
  label,
  type: choice ? 'choice' : type,
  ...(choice && { choice }),
  ...(optional && { isOptional: true as const }),
});

async function act(parts: ConsoleParts, key: string, deed: Deed): Promise<string> {
  if (deed.action !== 'answer') throw noSuchAction(deed, ['answer']);
  const at = key.indexOf(':');
  const [question, workflowId] = [key.slice(0, at), key.slice(at + 1)];
  await requireOpen(parts.client, workflowId);
  const handle = parts.flows.fileHandle(workflowId);
  const { questions: open = [] } = await answered(parts, () => handle.progress());
  const asked = open.find(({ id }) => id === question);
  if (!asked)
    throw new ConsoleRefusal(
      409,
      'AlreadyAnswered',
      `${workflowId} does not ask this any more: somebody has answered, or its time has passed`,
    );
  const values = Object.fromEntries(
    Object.entries(asked.fields).flatMap(([name, field]) => {
      const value = answerValue(name, field, deed.values[name]);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  await answered(parts, () => handle.answer({ question, values, by: deed.by }));
  return `${workflowId}: ${question} is answered by ${deed.by}`;
}

/** As the process takes it; undefined where an optional one is left out. */
function answerValue(name: string, { type, choice, optional }: QuestionField, given: unknown) {
  if (given === undefined || given === null || given === '') {
    if (optional) return undefined;
    throw refusedField(name, 'is missing; fill it in');
  }
  if (choice) {
    if (!choice.some((each) => each === given))
      throw refusedField(name, `must be one of ${choice.join(', ')}`);
    return given as string;
  }
  if (type === 'number') {
    const value = Number(given);
    if (!Number.isFinite(value)) throw refusedField(name, 'must be a number');
    return value;
  }
  if (type === 'yesNo') {
    if (typeof given !== 'boolean') throw refusedField(name, 'must be yes or no');
    return given;
  }
  if (typeof given !== 'string') throw refusedField(name, 'must be a text');
  return given;
}
