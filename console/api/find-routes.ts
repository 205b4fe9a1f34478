// The search of everything; a person, and an item.
import { z } from 'zod';
import { uid } from '../../contract/wire/fields.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { type FindReaders, find } from '../find/find.ts';
import { found } from '../find/find-view.ts';
import { readItem } from '../find/item.ts';
import { readPerson } from '../find/person.ts';
import { itemView, personView } from '../find/person-view.ts';
import { type ApiRoute, apiRoute } from './route.ts';

/** As many as a person reads before typing more. */
const MOST = { usual: 6, most: 50 } as const;
const SHARED_MS = 1_000;
/** An item costs some 20 questions to the locker service, and every page of it asks again every 2 s. */
const ITEM_MS = 5_000;
/** Each of the messages is asked about. */
const PERSON_MS = 5_000;

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

export const findRoutes = (parts: ConsoleParts, readers: FindReaders): ApiRoute[] => [
  apiRoute({
    name: 'find',
    method: 'GET',
    path: '/v1/search',
    right: 'read',
    tag: 'Processes',
    summary: 'Finds people, items, cases and lockers, open and ended',
    description:
      'People, descriptions of items, and what processes are about, are for those who may act on processes.',
    query: search,
    answers: { 200: { description: 'What is found', schema: found } },
    handle: ({ query, caller, request }) => {
      const mayKnowPeople = caller.may('decide');
      const name = `${request.url} ${mayKnowPeople}`;
      return parts.shared.of(name, SHARED_MS, () => find(parts, readers, { ...query, mayKnowPeople }));
    },
  }),
  apiRoute({
    name: 'getPerson',
    method: 'GET',
    path: '/v1/people/{userUid}',
    right: 'decide',
    tag: 'Processes',
    summary: 'Reads a person: the account, the shipments that were for it, and the last messages to them',
    description: 'The cases of a person are listed by `GET /v1/processes?person=`.',
    params: z.object({ userUid: uid }),
    answers: { 200: { description: 'The person', schema: personView } },
    problems: [404],
    handle: ({ params }) => readPerson(parts, readers.subjects, params.userUid),
    sharedMs: PERSON_MS,
  }),
  apiRoute({
    name: 'getItem',
    method: 'GET',
    path: '/v1/items/{reference}',
    right: 'read',
    tag: 'Processes',
    summary: 'Reads an item by its reference: its shipments, and for whom they were',
    description:
      'The cases of an item are listed by `GET /v1/processes?item=`. People and descriptions are for those who may act on processes.',
    params: z.object({ reference: z.string().trim().min(1).max(200) }),
    answers: { 200: { description: 'The item', schema: itemView } },
    handle: ({ params: { reference }, caller, request }) => {
      const mayKnowPeople = caller.may('decide');
      return parts.shared.of(`${request.url} ${mayKnowPeople}`, ITEM_MS, () =>
        readItem(parts, reference, mayKnowPeople),
      );
    },
  }),
];
