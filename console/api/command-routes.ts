// What is done to one process: a route for each command, and the answer to a question.
import { z } from 'zod';
import { answer, requiredQuestion } from '../../processes/commands/answer.ts';
import {
  commands,
  type DescribedName,
  describedNames,
  isOfQuestion,
} from '../../processes/commands/commands.ts';
import { questionId } from '../../processes/commands/read-values.ts';
import { formatConsequence } from '../../processes/format-consequence.ts';
import { orThrow } from '../../processes/outcome.ts';
import { why } from '../../processes/views/process-fields.ts';
import type { ProcessReader } from '../../processes/views/shown-process.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { commandContextOf, type IdempotentAnswers } from './command-context.ts';
import { bodySchema, commandBody, commandOutcome, doCommand, previewCommand } from './commands.ts';
import { eventRoutes } from './event-routes.ts';
import { flag, json, ofProcess } from './fields.ts';
import { type ApiRoute, apiRoute } from './route.ts';

interface CommandRouteParts {
  readonly parts: ConsoleParts;
  readonly shown: ProcessReader;
  readonly answers: IdempotentAnswers;
}

export const commandRoutes = (given: CommandRouteParts): ApiRoute[] => [
  ...describedNames.map((name) => commandRoute(given, name)),
  ...eventRoutes(given),
  answerRoute(given),
];

const dryRun = z.strictObject({ dryRun: flag('false', 'true: only say what would follow') });

const outcome = commandOutcome
  .extend({ key: z.string(), command: z.string() })
  .meta({ title: 'CommandOutcome' });

const commandRoute = ({ parts, shown, answers }: CommandRouteParts, name: DescribedName): ApiRoute => {
  const { meaning, example, right } = commands[name];
  return apiRoute({
    name,
    method: 'POST',
    path: `/v1/processes/{key}/commands/${name}`,
    summary: meaning,
    example,
    right,
    ...(isOfQuestion(name) ? { tag: 'Inbox', description: REFUSED_BY_INBOX } : { tag: 'Processes' }),
    params: ofProcess,
    query: dryRun,
    body: commandBody,
    bodySchema: bodySchema(name),
    headers: ['IdempotencyKey', 'OnBehalfOf'],
    answers: { 200: { description: 'It is done, or for a dry run what would follow', schema: outcome } },
    problems: [409, 422],
    handle: async ({ params: { key }, query, body: fields, caller, request }) => {
      const by = { caller, request };
      await (isOfQuestion(name) ? shown.requireFlowFile(key) : shown.flowOf(key));
      const given = { name, key, fields };
      if (query.dryRun)
        return { key, command: name, ...(await previewCommand(commandContextOf(parts, by), given)) };
      return await answers.once(by, given, async (updateId) => {
        const done = await doCommand(commandContextOf(parts, by, updateId), given);
        request.log.info({ by: caller.by, key, command: name }, 'a command was given over HTTP');
        return { key, command: name, ...done };
      });
    },
  });
};

const REFUSED_BY_INBOX =
  'Refused with `HeldByAnother`, `NotHeld`, `NotCandidate` or `FourEyes`: the message says who holds it, or who may.';

const answerBody = z.strictObject({
  question: questionId,
  values: z.record(z.string(), json).default({}).meta({ description: 'By the fields of the question' }),
  why: why.optional(),
});

const answerRoute = ({ parts, shown, answers }: CommandRouteParts): ApiRoute =>
  apiRoute({
    name: 'answerQuestion',
    method: 'POST',
    path: '/v1/processes/{key}/answers',
    right: answer.right,
    tag: 'Inbox',
    summary: 'Answers a question of a process',
    description: 'The process keeps the name of who answers, and goes on.',
    params: ofProcess,
    query: dryRun,
    body: answerBody,
    example: { question: 'quote', values: { cost: 80 } },
    headers: ['IdempotencyKey', 'OnBehalfOf'],
    answers: {
      200: {
        description: 'The process has the answer, or for a dry run would take it',
        schema: z.object({
          question: z.string(),
          values: z.record(z.string(), z.unknown()),
          words: z
            .string()
            .exactOptional()
            .meta({ description: 'Of a dry run: what would follow, for people' }),
          isFinal: z
            .boolean()
            .exactOptional()
            .meta({ description: 'Of a dry run: whether the process would end, or does not say' }),
        }),
      },
    },
    problems: [409, 422],
    handle: async ({ params: { key }, query, body: { why: reason, ...body }, caller, request }) => {
      const by = { caller, request, why: reason };
      await shown.requireFlowFile(key);
      if (query.dryRun) {
        const commandContext = commandContextOf(parts, by);
        const { id: question } = await requiredQuestion(commandContext, key, body.question);
        const preview = orThrow(await answer.preview(commandContext, key, { ...body, question }));
        const isFinal = preview === null || preview.after.ends !== null;
        return { question, values: body.values, words: formatConsequence(preview), isFinal };
      }
      return await answers.once(by, ['answer', key, body], async (updateId) => {
        const { question, values } = orThrow(
          await answer.do(commandContextOf(parts, by, updateId), key, body),
        );
        request.log.info({ by: caller.by, key, question }, 'a question was answered over HTTP');
        return { question, values };
      });
    },
  });
