// The desk's part of the server: people, parcels and access codes. Only who may decide sees people and codes.

import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { uid } from '../../contract/wire/fields.ts';
import { inPlainWords } from '../../contract/wire/issue-words.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { accessOf } from '../sign-in/user.ts';
import type { CodesView, DeskPickUpPoint, PeopleFound, PersonFound } from './desk-view.ts';
import { parcelOf, parcelWanted, registerParcel } from './parcel.ts';

// As many as a person reads before typing more.
const MOST_PEOPLE = 10;
// The person at the counter waits for the booking.
const PARCEL_EVERY_MS = 500;

const peopleWanted = z.object({ text: z.string().trim().min(1).max(200) });
const codesWanted = z.object({ shipmentUid: uid });
export const deskRoutes =
  (parts: ConsoleParts): FastifyPluginAsync =>
  async (app) => {
    const { service, live } = parts;
    live.topic({
      ...{ path: '/api/desk/parcels/{key}', access: { role: 'decide' }, everyMs: PARCEL_EVERY_MS },
      read: ({ params: { key = '' } }) => parcelOf(parts, key),
    });

    app.get('/api/desk/people', accessOf('decide'), async (request): Promise<PeopleFound> => {
      const { text } = peopleWanted.parse(request.query, inPlainWords);
      const { items, isComplete } = await service.call('SearchAccounts', {
        searchText: text,
        most: MOST_PEOPLE,
      });
      return { people: items as unknown as readonly PersonFound[], isComplete: isComplete === true };
    });

    app.get('/api/desk/pick-up-points', accessOf('decide'), () => pickUpPoints(parts));

    app.post('/api/desk/parcels', accessOf('decide'), async (request) => {
      const { user: person } = request;
      const wanted = parcelWanted.parse(request.body, inPlainWords);
      await registerParcel(parts.as(person), wanted);
      request.log.info({ by: person.name, workflowId: wanted.key }, 'a parcel was registered at the desk');
      return { key: wanted.key };
    });

    app.post('/api/desk/codes', accessOf('decide'), async (request): Promise<CodesView> => {
      const { user: person } = request;
      const { name: by } = person;
      const { shipmentUid } = codesWanted.parse(request.body, inPlainWords);
      // Before they are read: what is shown is always in the log.
      request.log.info({ by, shipmentUid }, 'access codes are shown at the desk');
      const asked = parts.as(person).service.call('GetShipmentAccessCode', { shipmentUid });
      const { pickUpCode, deliveryCode } = await asked;
      return { shipmentUid, pickUpCode, deliveryCode };
    });
  };

async function pickUpPoints({ service }: ConsoleParts): Promise<DeskPickUpPoint[]> {
  const found: DeskPickUpPoint[] = [];
  for (let pageNo = 1; ; pageNo++) {
    const request = { pageNo, pageSize: 100, includeDetails: true };
    const { items, totalPages } = await service.call('GetPickUpPoints', request);
    for (const { pupUid, name, lockers } of items)
      found.push({
        pupUid: pupUid ?? '',
        name: name ?? pupUid ?? '',
        free: (lockers ?? []).flatMap(({ lockerUid, lockerName, size, free }) =>
          free === true && lockerUid && lockerName ? [{ lockerUid, lockerName, size: size ?? '' }] : [],
        ),
      });
    if (pageNo >= (totalPages ?? 1)) return found;
  }
}
