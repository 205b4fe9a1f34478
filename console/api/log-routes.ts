// What happened in all processes since a moment, as the next shift reads it.
import { z } from 'zod';
import { logPage, readLog } from '../../processes/log/log.ts';
import type { RowSubjects } from '../../processes/views/row-subjects.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { historyQueue } from './details-routes.ts';
import { cursor } from './fields.ts';
import { type ApiRoute, apiRoute } from './route.ts';

/** A page is read within one turn of the queue of histories. */
const MOST_PROCESSES = 50;
/** Histories take longer, and nobody reads the log again to see a name. */
const SUBJECTS_WITHIN_MS = 3_000;
const PROCESSES = `must be a whole number of processes, 1 to ${MOST_PROCESSES}`;

const moment = (description: string) =>
  z.iso
    .datetime({ offset: true, error: 'must be an instant with its offset, like 2026-11-27T22:00:00Z' })
    .transform((text) => new Date(text).toISOString())
    .meta({ description, type: 'string', format: 'date-time' });

const query = z.strictObject({
  since: moment('From then on'),
  until: moment('Only what happened before then').optional(),
  by: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'Only what this person did, or what a program did for this person' }),
  cursor: cursor.optional(),
  size: z.coerce
    .number({ error: PROCESSES })
    .int(PROCESSES)
    .min(1, PROCESSES)
    .max(MOST_PROCESSES, PROCESSES)
    .default(MOST_PROCESSES)
    .meta({ description: `How many processes a page is about, at most ${MOST_PROCESSES}`, type: 'integer' }),
});

export const logRoute = (parts: ConsoleParts, subjects: RowSubjects): ApiRoute =>
  apiRoute({
    name: 'getLog',
    method: 'GET',
    path: '/v1/log',
    right: 'read',
    tag: 'Processes',
    summary:
      'Reads what happened since a moment: who did what to which process and why, notes, what failed or is late, and what happened at the walls',
    description: [
      'Follow `next` until it is null: each page is about other processes, so that its entries are the newest first only within the page. What has just happened is found seconds later.',
      'It has what Temporal still keeps. What programs, or the command line without `--by`, start and send in nobody’s name is not in it. The texts are for people. What was answered to questions, and whom and what a process is about, needs the right to act on processes.',
    ].join('\n\n'),
    query,
    problems: [429],
    answers: { 200: { description: 'A page', schema: logPage } },
    handle: async ({ query: { size, ...wanted }, caller }) => {
      const reader = {
        mayRead: (flow: string) => caller.may('read', flow),
        mayReadAnswers: (flow: string) => caller.may('decide', flow),
        ...(caller.may('decide') && {
          subjects: {
            of: (flows: Parameters<RowSubjects['of']>[0]) => subjects.of(flows, SUBJECTS_WITHIN_MS),
          },
        }),
      };
      return await historyQueue.do(null, () => readLog(parts, { size, ...wanted }, reader));
    },
  });
