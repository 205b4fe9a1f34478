// Who is to answer a question of a process of a flow file: somebody claims it, releases it, or assigns it to a person or to another
// inbox. Only whoever holds a question answers it. The process keeps who has done what, and refuses with a code that says why.
import { z } from 'zod';
import type { ChangedTask } from '../../client/flow-files/flow-file-handle.ts';
import { formatAttribution } from '../../contract/flows/attribution.ts';
import { LONGEST_INBOX, LONGEST_NAME, type TaskAction } from '../../flows/language/machine/tasks.ts';
import { t } from '../../shared/texts/text.ts';
import { attributionOf, withDeadline } from '../temporal-context.ts';
import { requiredQuestion } from './answer.ts';
import { type ProcessCommand, processCommand } from './command.ts';
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

/** The process knows each by the command's name. */
const taskCommand = <Input extends TaskInput>(
  name: TaskAction,
  told: Pick<ProcessCommand<Input, Changed>, 'input' | 'meaning' | 'example'>,
): ProcessCommand<Input, Changed> =>
  processCommand<Input, Changed>({
    ...told,
    name,
    why: 'optional',
    right: 'answer',
    forms: {},
    asked: () => [name],
    // Throws CommandError where they may do nothing to it.
    async resolveInput(commandContext, key, given) {
      const { id, of } = await requiredQuestion(commandContext, key, given.question);
      return { ...given, question: id, inbox: of };
    },
    fields: (commandContext, { question: id, to, of }) => ({
      ...attributionOf(commandContext),
      ...(id !== undefined && { question: id }),
      ...(to !== undefined && { to }),
      ...(of !== undefined && { of }),
    }),
    async act(commandContext, key, { question: id = '', inbox = '', to, of }) {
      const change = {
        question: id,
        inbox,
        ...(to !== undefined && { to }),
        ...(of !== undefined && { of }),
      };
      const handle = commandContext.flows.fileHandle(key);
      const task = await withDeadline(commandContext, () =>
        handle[name]({ ...change, ...attributionOf(commandContext) }),
      );
      return { ...task, by: formatAttribution(commandContext) };
    },
    formatResult: ({ question: id, of, holder }) =>
      holder === null ? t`${id} is open to everybody of ${of}` : t`${id} is held by ${holder}, for ${of}`,
  });

export const claim = taskCommand('claim', {
  input: z.strictObject({ question: questionId }),
  meaning: 'Claims a question: from then on nobody else may answer it',
  example: { question: 'quote' },
});

export const release = taskCommand('release', {
  input: z.strictObject({ question: questionId }),
  meaning: 'Releases a question that the caller holds: everybody of the inbox may answer it again',
  example: { question: 'quote' },
});

const EITHER = 'is missing: expected to (a person) or of (an inbox)';

export const assign = taskCommand('assign', {
  meaning: 'Gives a question to a person, or to another inbox, whoever holds it now',
  input: z
    .strictObject({
      question: questionId,
      to: text.max(LONGEST_NAME).optional().meta({ description: 'The person who is to hold it' }),
      of: text
        .max(LONGEST_INBOX)
        .optional()
        .meta({ description: 'The inbox that it goes to; nobody holds it then, unless `to` is given too' }),
    })
    .refine(({ to, of }) => to !== undefined || of !== undefined, { path: ['to'], message: EITHER })
    .meta({ allOf: [{ anyOf: [{ required: ['to'] }, { required: ['of'] }] }] }),
  example: { question: 'quote', to: 'anna', why: 'she knows the device' },
});
