// The schedules of flow files: when they start processes, and pausing, resuming and running them now.
import { z } from 'zod';
import { scheduleCommands } from '../../processes/commands/start.ts';
import { orThrow } from '../../processes/outcome.ts';
import { readSchedules, schedule, scheduleList } from '../../processes/schedules.ts';
import { flowName, why } from '../../processes/views/process-fields.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { actingAs, type IdempotentAnswers } from './acting.ts';
import { type Right, requireRight } from './rights.ts';
import { type ApiRoute, apiRoute } from './route.ts';

interface ScheduleRouteParts {
  readonly parts: ConsoleParts;
  readonly answers: IdempotentAnswers;
}

/** Temporal knows the next and the last starts; nothing tells of them. */
const READ_EVERY_MS = 10_000;

const listed = z.strictObject({
  flow: flowName.optional().meta({ description: 'Only those of one flow file' }),
});
const ofSchedule = z.object({
  flow: flowName,
  schedule: z.string().min(1).max(64).meta({ description: 'Its name in the file, such as weekly' }),
});

const offered = {
  pause: { right: 'administer', summary: 'Pauses a schedule: it starts nothing until it is resumed' },
  resume: { right: 'administer', summary: 'Resumes a schedule: it starts processes at its times again' },
  run: { right: 'start', summary: 'Starts a process of a schedule now, beside its times' },
} as const satisfies Record<keyof typeof scheduleCommands, { right: Right; summary: string }>;

export const scheduleRoutes = (given: ScheduleRouteParts): ApiRoute[] => [
  listRoute(given),
  ...(Object.keys(offered) as (keyof typeof offered)[]).map((name) => actRoute(given, name)),
];

function listRoute({ parts }: ScheduleRouteParts): ApiRoute {
  const read = ({ query: { flow } }: { readonly query: z.output<typeof listed> }) =>
    readSchedules(parts, flow);
  return apiRoute({
    name: 'listSchedules',
    method: 'GET',
    path: '/v1/schedules',
    right: 'read',
    tag: 'Flows',
    query: listed,
    summary: 'Lists the schedules of flow files, with their next and last starts',
    description: 'It can be followed.',
    answers: { 200: { description: 'By name', schema: scheduleList } },
    handle: read,
    follow: { everyMs: READ_EVERY_MS, read },
  });
}

const actRoute = ({ parts, answers }: ScheduleRouteParts, name: keyof typeof offered): ApiRoute =>
  apiRoute({
    name: `${name}Schedule`,
    method: 'POST',
    path: `/v1/schedules/{flow}/{schedule}/${name}`,
    ...offered[name],
    tag: 'Flows',
    params: ofSchedule,
    body: z.strictObject({ why }),
    description: 'The schedule keeps who asked for it, and why.',
    example: { why: 'the desk is closed' },
    headers: ['IdempotencyKey', 'OnBehalfOf'],
    answers: { 200: { description: 'How it is now', schema: schedule } },
    problems: [404, 409, 422],
    handle: async ({ params, body, caller, request }) => {
      const target = `${params.flow}/${params.schedule}`;
      requireRight(caller, offered[name].right, params.flow);
      const by = { caller, request };
      // A process that is started twice would be one too many.
      return await answers.once(by, [name, target, body], async () => {
        const acting = { ...actingAs(parts, by), why: body.why };
        const done = orThrow(await scheduleCommands[name].do(acting, target, {}));
        request.log.info(
          { by: caller.by, schedule: target, command: name },
          'a schedule was changed over HTTP',
        );
        return done;
      });
    },
  });
