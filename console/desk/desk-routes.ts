// The desk's part of the API: people, parcels, access codes, and the start of any flow. Only who may decide sees people and
// codes.

import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import type { InputOf } from '../../client/flow-contract.ts';
import type { FlowFileStart } from '../../client/flow-files/flow-file-handle.ts';
import type { FlowType } from '../../contract/flows/flow-types.ts';
import { uid } from '../../contract/wire/fields.ts';
import { inPlainWords } from '../../contract/wire/issue-words.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { accessOf } from '../sign-in/user.ts';
import type { CodesView, DeskPickUpPoint, PeopleFound, PersonFound } from './desk-view.ts';
import { flowForm, flowsOffered, isBuiltIn } from './flow-forms.ts';
import { parcelOf, parcelWanted, registerParcel } from './parcel.ts';

// As many as a person reads before typing more.
const MOST_PEOPLE = 10;
// The person at the counter waits for the booking.
const PARCEL_EVERY_MS = 500;

const peopleWanted = z.object({ text: z.string().trim().min(1).max(200) });
const codesWanted = z.object({ shipmentUid: uid });
const named = z.object({ name: z.string().min(1).max(200) });
const startWanted = z.object({
  flow: z.string().min(1).max(200),
  key: z.string().trim().min(1, 'is missing: the business key is your own name of this process').max(200),
  input: z.record(z.string(), z.unknown()),
});

export const deskRoutes =
  (parts: ConsoleParts): FastifyPluginAsync =>
  async (app) => {
    const { service, live } = parts;
    live.topic('parcel', 'decide', (key) => parcelOf(parts, key), PARCEL_EVERY_MS);

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

    app.get('/api/desk/flows', accessOf('look'), () => flowsOffered(parts));
    app.get('/api/desk/flow', accessOf('look'), (request) =>
      flowForm(parts, named.parse(request.query, inPlainWords).name),
    );

    app.post('/api/desk/start', accessOf('decide'), async (request) => {
      const { user: person } = request;
      const { flows } = parts.as(person);
      const { flow, key, input } = startWanted.parse(request.body, inPlainWords);
      if (isBuiltIn(flow)) await flows.start<FlowType>(flow, key, input as unknown as InputOf<FlowType>);
      else await flows.startPublished(flow, key, input as FlowFileStart);
      request.log.info({ by: person.name, flow, workflowId: key }, 'a process was started at the desk');
      return { key };
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
