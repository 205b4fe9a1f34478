// Who is to answer a question of a process: a route for each of claim, release and assign. The inbox of the question gives the
// right, as for its answer.
import { z } from 'zod';
import { assign, claim, release } from '../../processes/commands/task.ts';
import { type Outcome, orThrow } from '../../processes/outcome.ts';
import { why } from '../../processes/views/process-fields.ts';
import { actingAs } from './acting.ts';
import { type CommandRouteParts, question, tellChanged } from './command-routes.ts';
import { ofProcess } from './fields.ts';
import { type ApiRoute, apiRoute } from './route.ts';

const commands = { claim, release, assign } as const;
type Name = keyof typeof commands;

const name = z.string().trim().min(1).max(200);

const held = z.strictObject({ question, why: why.optional() });
const bodies = {
  ...{ claim: held, release: held },
  assign: z.strictObject({
    question,
    to: name.optional().meta({ description: 'The person who is to hold it' }),
    of: name.max(80).optional().meta({ description: 'The inbox that it goes to; nobody holds it then' }),
    why: why.optional(),
  }),
} as const satisfies Record<Name, object>;

const answer = z
  .object({
    question: z.string(),
    of: z.string().meta({ description: 'The inbox that it is in now' }),
    holder: z.string().nullable().meta({ description: 'Who holds it; null: nobody' }),
    by: z.string(),
  })
  .meta({ title: 'Task' });

export const taskRoutes = (given: CommandRouteParts): ApiRoute[] =>
  (Object.keys(commands) as Name[]).map((each) => taskRoute(given, each));

function taskRoute({ parts, shown, answers }: CommandRouteParts, command: Name): ApiRoute {
  const { meaning: summary, example } = commands[command];
  return apiRoute({
    ...{ name: `${command}Question`, method: 'POST', path: `/v1/processes/{key}/commands/${command}` },
    ...{ right: 'answer', tag: 'Inbox', summary },
    description:
      'Refused with `HeldByAnother`, `NotHeld`, `NotCandidate` or `FourEyes`: the message says who holds it, or who may.',
    ...{ params: ofProcess, body: bodies[command], example, headers: ['IdempotencyKey', 'OnBehalfOf'] },
    answers: { 200: { description: 'How it is now', schema: answer } },
    problems: [409, 422],
    handle: async ({ params: { key }, body, caller, request }) => {
      const by = { caller, request };
      await shown.requireFlowFile(key);
      return await answers.once(by, [command, key, body], async (updateId) => {
        const { why: reason, ...input } = body as z.infer<(typeof bodies)['assign']>;
        const acting = actingAs(parts, { ...by, why: reason }, updateId);
        const asked = orThrow(commands[command].read(input));
        const outcome: Outcome<z.infer<typeof answer>> = await commands[command].do(
          acting,
          key,
          asked as never,
        );
        const task = orThrow(outcome);
        request.log.info(
          { by: caller.by, key, question: task.question, command },
          'a task was changed over HTTP',
        );
        tellChanged(parts, key);
        return task;
      });
    },
  });
}
