// The desk's part of the server: people, items, lockers and access codes. Only who may decide sees people and codes.

import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { uid } from '../../contract/wire/fields.ts';
import { plainMessages } from '../../contract/wire/format-issue.ts';
import { accessOf } from '../access/user.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { CodesView, ItemsFound, PeopleFound } from './desk-view.ts';
import { deskLockers, itemsFound } from './lockers-and-items.ts';

// As many as a person reads before typing more.
const MAX_PEOPLE = 10;
// What others book is seen soon.
const LOCKERS_MS = 2_000;

const itemsWanted = z.object({
  kind: z.enum(['stock', 'intake', 'parcel']),
  text: z.string().trim().max(200).default(''),
});
const peopleWanted = z.object({ text: z.string().trim().min(1).max(200) });
const codesWanted = z.object({ shipmentUid: uid });
export const deskRoutes =
  (parts: ConsoleParts): FastifyPluginAsync =>
  async (app) => {
    const { service, shared } = parts;
    app.get<{ Params: { pupUid: string } }>(
      '/api/desk/lockers/:pupUid',
      accessOf('decide'),
      ({ url, params: { pupUid } }) => shared.of(url, LOCKERS_MS, () => deskLockers(parts, pupUid)),
    );

    app.get('/api/desk/people', accessOf('decide'), async (request): Promise<PeopleFound> => {
      const { text } = peopleWanted.parse(request.query, plainMessages);
      const { items, isComplete } = await service.call('SearchAccounts', {
        searchText: text,
        most: MAX_PEOPLE,
      });
      return { items, isComplete: isComplete === true };
    });

    app.get('/api/desk/items', accessOf('decide'), async (request): Promise<ItemsFound> => {
      return await itemsFound(parts, itemsWanted.parse(request.query, plainMessages));
    });

    app.post('/api/desk/codes', accessOf('decide'), async (request): Promise<CodesView> => {
      const { user: person } = request;
      const { name: by } = person;
      const { shipmentUid } = codesWanted.parse(request.body, plainMessages);
      // Before they are read: what is shown is always in the log.
      request.log.info({ by, shipmentUid }, 'access codes are shown at the desk');
      const asked = parts.as(person).service.call('GetShipmentAccessCode', { shipmentUid });
      const { pickUpCode, deliveryCode } = await asked;
      return { shipmentUid, pickUpCode, deliveryCode };
    });
  };
