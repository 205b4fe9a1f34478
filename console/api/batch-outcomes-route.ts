// What has become of each process of a batch, over HTTP.
import { z } from 'zod';
import { processStates } from '../../processes/batches/outcomes-now.ts';
import { readOutcomes } from '../../processes/batches/read-outcomes.ts';
import { about } from '../../processes/views/process-list.ts';
import { LockerApiError } from '../../shared/locker-api/index.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { aboutKeys } from '../find/about-keys.ts';
import { namesOf, pickUpPoints } from '../find/pick-up-points.ts';
import type { ConsoleReaders } from '../readers.ts';
import { flag } from './fields.ts';
import { limits } from './limits.ts';
import { type ApiRoute, apiRoute } from './route.ts';

export interface OutcomesRouteParts extends Pick<ConsoleReaders, 'subjects' | 'summaries' | 'failures'> {
  readonly parts: ConsoleParts;
}

export const ofBatch = z.object({
  id: z.string().min(1).max(1_000).meta({ description: 'As it was started, or as the list has it' }),
});

const outcomes = z.object({
  outcomes: z.array(
    z.object({
      key: z.string(),
      outcome: z.enum(['done', 'refused', 'unknown']),
      refusal: z.object({ code: z.string(), message: z.string() }).nullable(),
      consequence: z.unknown().nullable().meta({ description: 'As the command itself answers' }),
      delivery: z.enum(['delivered', 'trying', 'refused']).nullable().meta({
        description:
          'Of a message, what has become of it since; null: none was sent, or it is not known any more',
      }),
      now: z
        .object({
          state: z.enum([...processStates, 'delivered', 'trying', 'refused']),
          until: z.string().nullable().meta({ description: 'Until when it waits for a locker' }),
          isOpen: z.boolean().meta({ description: 'It may be otherwise when it is read again' }),
          isBad: z.boolean(),
          short: z.string().nullable().meta({
            description:
              'For people, to count those alike: `waiting for a locker`; null: it is as it should be',
          }),
        })
        .nullable()
        .meta({
          description:
            'Of `startAgain` and `move`, what the process does since then; of a message, what has become of it; null: it cannot be read, or there is no more to say',
        }),
      words: z.string().meta({ description: 'For people: never read it by program' }),
      about: about.nullable().meta({
        description: 'With `about=true`: whom and what it is about; null for who may not act on processes',
      }),
    }),
  ),
  next: z.number().nullable().meta({ description: 'The `from` of the next page; null after the last' }),
});

const outcomesQuery = z.strictObject({
  from: z.coerce.number().int().min(0).default(0),
  size: z.coerce.number().int().min(1).max(limits.rows).default(50),
  only: z.enum(['done', 'refused', 'unknown']).optional(),
  about: flag('false', 'true: with whom and what each process is about'),
});

/** By its uid, where the service does not tell its name now. */
const nameIn = (parts: ConsoleParts) => async (pupUid: string) => {
  const points = await pickUpPoints(parts).catch((error) => {
    if (error instanceof LockerApiError) return [];
    throw error;
  });
  return namesOf(points).get(pupUid) ?? pupUid;
};

export const outcomesRoute = ({ parts, subjects, summaries, failures }: OutcomesRouteParts): ApiRoute =>
  apiRoute({
    name: 'getBatchOutcomes',
    method: 'GET',
    path: '/v1/batches/{id}/outcomes',
    right: 'read',
    tag: 'Processes',
    summary: 'Reads what has become of each process of a batch, page by page',
    description: 'None for a migration: `lockerflow migrate` shows its groups.',
    params: ofBatch,
    query: outcomesQuery,
    answers: { 200: { description: 'A page', schema: outcomes } },
    problems: [404],
    handle: async ({ params: { id }, query: { about: isNamed, ...wanted }, caller }) => {
      const page = await readOutcomes(parts, id, wanted, { summaries, failures, nameOf: nameIn(parts) });
      const keys = isNamed && caller.may('decide') ? page.outcomes.map((each) => each.key) : [];
      const abouts = await aboutKeys(parts, subjects, keys);
      return {
        ...page,
        outcomes: page.outcomes.map((each) => ({ ...each, about: abouts.get(each.key) ?? null })),
      };
    },
  });
