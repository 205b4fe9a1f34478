// A mechanic at a wall, or at a door that no process has; and whether one was asked for.
import { z } from 'zod';
import { sentText } from '../../processes/commands/read-values.ts';
import { sendMechanicToWall } from '../../processes/commands/wall-mechanic.ts';
import { orThrow } from '../../processes/outcome.ts';
import { lastMechanic, mechanicAsked } from '../../processes/outreach/mechanic-requests.ts';
import { key as uidPart, why } from '../../processes/views/process-fields.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { commandContextOf, type IdempotentAnswers } from './command-context.ts';
import { flag } from './fields.ts';
import { type ApiRoute, apiRoute } from './route.ts';

const path = '/v1/walls/{pupUid}/mechanic';
const ofWall = z.object({
  pupUid: uidPart.meta({ description: 'pupUid of the pick up point', examples: ['pup-central'] }),
});
const lockerName = z.string().min(1).max(200).optional().meta({
  description: 'Of the locker; left out: the wall as a whole',
});

// Several people have the wall on the screen.
const SHARED_MS = 1_000;

export const wallRoutes = (parts: ConsoleParts, answers: IdempotentAnswers): ApiRoute[] => [
  apiRoute({
    name: 'sendMechanicToWall',
    method: 'POST',
    path,
    right: 'decide',
    tag: 'Inbox',
    summary: 'Asks for a mechanic at a wall, or at one of its lockers',
    description:
      'Of a locker that a process has, take the command `sendMechanic` of the process: then it stands in its timeline. Refused as `AlreadyAsked` while an earlier request for the same place is on its way, and as `NoConnector` where MECHANIC_CONNECTOR is not set.',
    params: ofWall,
    query: z.strictObject({ dryRun: flag('false', 'true: only say what would be asked for') }),
    body: z.strictObject({
      lockerName,
      problem: sentText.optional().meta({
        description: 'What is wrong; left out: why it could not be opened the last time',
      }),
      why: why.optional(),
    }),
    example: { lockerName: '5', problem: 'The door stays shut', why: 'people stand before it' },
    headers: ['IdempotencyKey', 'OnBehalfOf'],
    answers: {
      200: {
        description: 'It is on its way, or for a dry run what would be asked for',
        schema: z.object({
          isDone: z.boolean(),
          lockerName: z.string().nullable(),
          problem: z.string().nullable().meta({ description: 'Null: nothing is known to be wrong' }),
          asked: mechanicAsked.nullable().meta({
            description: 'The last request for the same place, whoever has asked; null: this is the first',
          }),
          words: z.string(),
        }),
      },
    },
    problems: [409, 422],
    handle: async ({ params: { pupUid }, query: { dryRun }, body, caller, request }) => {
      const { why: reason, ...values } = body;
      const by = { caller, request, why: reason };
      const input = orThrow(sendMechanicToWall.read(values));
      const previewed = orThrow(await sendMechanicToWall.preview(commandContextOf(parts, by), pupUid, input));
      const { lockerName: at, problem, asked } = previewed;
      const shown = { lockerName: at, problem, asked };
      if (dryRun) return { isDone: false, ...shown, words: sendMechanicToWall.formatPreview(previewed) };
      return await answers.once(by, ['mechanic', pupUid, body], async (id) => {
        const commandContext = commandContextOf(parts, by);
        const sent = await sendMechanicToWall.do(commandContext, pupUid, {
          ...input,
          ...(id && { request: id }),
        });
        const words = sendMechanicToWall.formatResult(orThrow(sent));
        request.log.info(
          { by: caller.by, pupUid, lockerName: at, problem },
          'a mechanic was asked for over HTTP',
        );
        return { isDone: true, ...shown, words };
      });
    },
  }),
  readMechanic(parts),
];

const readMechanic = (parts: ConsoleParts): ApiRoute =>
  apiRoute({
    name: 'getMechanic',
    method: 'GET',
    path,
    right: 'read',
    tag: 'Inbox',
    summary: 'Reads the last request for a mechanic at a wall, or at one of its lockers',
    description:
      'Of the last seven days, whoever has asked: at the wall, or for a process that has the locker. All of them are in the log.',
    params: ofWall,
    query: z.strictObject({ lockerName }),
    answers: {
      200: { description: 'The last one', schema: z.object({ asked: mechanicAsked.nullable() }) },
    },
    handle: async ({ params: { pupUid }, query }) => ({
      asked: await lastMechanic(parts, pupUid, query.lockerName ?? null),
    }),
    sharedMs: SHARED_MS,
  });
