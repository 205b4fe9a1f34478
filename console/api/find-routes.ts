// Search of everything, and what there is about one person.
import { z } from 'zod';
import type { ConsoleParts } from '../console-parts.ts';
import { find } from '../find/find.ts';
import { found } from '../find/find-view.ts';
import type { RowSubjects } from '../find/row-subjects.ts';
import { type ApiRoute, apiRoute } from './route.ts';

/** As many as a person reads before typing more. */
const MOST = { usual: 6, most: 50 } as const;
const SHARED_MS = 1_000;

const search = z.strictObject({
  text: z.string().trim().min(1).max(200).meta({
    description:
      'A part of a name, of an e-mail address or of a phone number; the number of a parcel; a key, a case number, business data like `device=laptop-7`; a locker like `Station 5`',
  }),
  most: z.coerce
    .number()
    .int()
    .min(1)
    .max(MOST.most)
    .default(MOST.usual)
    .meta({ description: 'Of each kind', type: 'integer' }),
});

export const findRoutes = (parts: ConsoleParts, subjects: RowSubjects): ApiRoute[] => [
  apiRoute({
    name: 'find',
    method: 'GET',
    path: '/v1/search',
    right: 'read',
    tag: 'Processes',
    summary: 'Finds people, items, cases and lockers, open and ended',
    description: 'People, and what processes are about, are for those who may act on processes.',
    query: search,
    answers: { 200: { description: 'What is found', schema: found } },
    handle: ({ query, caller, request }) => {
      const mayKnowPeople = caller.may('decide');
      const name = `${request.url} ${mayKnowPeople}`;
      return parts.shared.of(name, SHARED_MS, () => find(parts, subjects, { ...query, mayKnowPeople }));
    },
  }),
];
