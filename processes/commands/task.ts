// Who is to answer a question of a process of a flow file: somebody claims it, releases it, or assigns it to a person or to another
// inbox. Only whoever holds a question answers it. The process keeps who has done what, and refuses with a code that says why.
import { z } from 'zod';
import type { ChangedTask } from '../../client/flow-files/flow-file-handle.ts';
import { nameOf } from '../../contract/flows/attribution.ts';
import { LONGEST_INBOX, LONGEST_NAME, type TaskAction } from '../../flows/language/machine/tasks.ts';
import { type Acting, answered, attributionOf } from '../at-temporal.ts';
import { requiredQuestion } from './answer.ts';
import { processCommand } from './command.ts';
import { questionId, text } from './read-values.ts';

export interface Changed extends ChangedTask {
  readonly by: string;
}

interface TaskInput {
  readonly question?: string | undefined;
  readonly to?: string | undefined;
  readonly of?: string | undefined;
  /** The one that the question is in: nobody says it, it is read with the question. */
  readonly inbox?: string;
}

/** Throws Refusal where they may do nothing to it. */
async function meant(acting: Acting, key: string, given: TaskInput): Promise<TaskInput> {
  const { id, of } = await requiredQuestion(acting, key, given.question);
  return { ...given, question: id, inbox: of };
}

async function changed(acting: Acting, key: string, action: TaskAction, given: TaskInput): Promise<Changed> {
  const { question: id = '', inbox = '', to, of } = given;
  const change = { question: id, inbox, ...(to !== undefined && { to }), ...(of !== undefined && { of }) };
  const handle = acting.flows.fileHandle(key);
  const task = await answered(acting, () => handle[action]({ ...change, ...attributionOf(acting) }));
  return { ...task, by: nameOf(acting) };
}

const fieldsOf = (acting: Acting, { question: id, to, of }: TaskInput) => ({
  ...attributionOf(acting),
  ...(id !== undefined && { question: id }),
  ...(to !== undefined && { to }),
  ...(of !== undefined && { of }),
});

const words = ({ question: id, of, holder }: Changed): string =>
  holder === null ? `${id} is open to everybody of ${of}` : `${id} is held by ${holder}, for ${of}`;

const EITHER = 'is missing: expected to (a person) or of (an inbox)';

export const claim = processCommand({
  name: 'claim',
  why: 'optional',
  isOfInbox: true,
  input: z.strictObject({ question: questionId }),
  meaning: 'Claims a question: from then on nobody else may answer it',
  example: { question: 'quote' },
  forms: {},
  asked: () => ['claim'],
  meant,
  fields: fieldsOf,
  did: words,
  act: (acting, key, given) => changed(acting, key, 'claim', given),
});

export const release = processCommand({
  name: 'release',
  why: 'optional',
  isOfInbox: true,
  input: z.strictObject({ question: questionId }),
  meaning: 'Releases a question that the caller holds: everybody of the inbox may answer it again',
  example: { question: 'quote' },
  forms: {},
  asked: () => ['release'],
  meant,
  fields: fieldsOf,
  did: words,
  act: (acting, key, given) => changed(acting, key, 'release', given),
});

export const assign = processCommand({
  name: 'assign',
  why: 'optional',
  isOfInbox: true,
  meaning: 'Gives a question to a person, or to another inbox, whoever holds it now',
  input: z
    .strictObject({
      question: questionId,
      to: text.max(LONGEST_NAME).optional().meta({ description: 'The person who is to hold it' }),
      of: text
        .max(LONGEST_INBOX)
        .optional()
        .meta({ description: 'The inbox that it goes to; nobody holds it then' }),
    })
    .refine(({ to, of }) => to !== undefined || of !== undefined, { path: ['to'], message: EITHER }),
  example: { question: 'quote', to: 'anna', why: 'she knows the device' },
  forms: {},
  asked: () => ['assign'],
  meant,
  fields: fieldsOf,
  did: words,
  act: (acting, key, given) => changed(acting, key, 'assign', given),
});
