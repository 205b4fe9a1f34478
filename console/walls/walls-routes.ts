// The walls' part of the API: each pick up point as it stands, its use, and what an operator does to a locker.

import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { LockerApiError } from '../../activities/api/index.ts';
import { instant, uid } from '../../contract/wire/fields.ts';
import { inPlainWords } from '../../contract/wire/issue-words.ts';
import { doorsThatStayedShut } from '../../processes/views/inbox/doors.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { accessOf } from '../sign-in/user.ts';
import { readWall } from './read-wall.ts';
import type { PickUpPointRow, UseView } from './walls-view.ts';

// A person waits for a door: it is seen within a second.
const LOOK_EVERY_MS = 800;
const POINTS_EVERY_MS = 5_000;

const outOfOrder = z.object({ lockerUid: uid, outOfOrder: z.boolean() });
const emptied = z.object({ lockerUid: uid });
const typed = z.object({
  pupUid: uid,
  lockerName: z.string().trim().min(1, 'is missing; say before which locker the person stands'),
  code: z.string().regex(/^\d{6}$/, 'must be six digits'),
});
const useWanted = z.object({ pupUid: uid, since: instant.optional(), until: instant.optional() });

export const wallsRoutes =
  (parts: ConsoleParts): FastifyPluginAsync =>
  async (app) => {
    const { service, serviceClock, live } = parts;
    const access = { role: 'look' } as const;
    live.topic({ path: '/api/walls', access, read: () => pickUpPoints(parts), everyMs: POINTS_EVERY_MS });
    live.topic({
      ...{ path: '/api/walls/{pupUid}', access, everyMs: LOOK_EVERY_MS },
      read: async ({ params: { pupUid = '' } }) => readWall(parts, pupUid, await serviceClock.aheadMs()),
    });

    app.get('/api/walls', accessOf('look'), () => pickUpPoints(parts));

    app.get('/api/walls/use', accessOf('look'), async (request): Promise<UseView> => {
      const { pupUid, since, until } = useWanted.parse(request.query, inPlainWords);
      return useOf(await service.call('GetPickUpPointUse', { pupUid, since, until }));
    });

    app.post('/api/walls/out-of-order', accessOf('decide'), async (request) => {
      const { user: person } = request;
      const { name: by } = person;
      const wanted = outOfOrder.parse(request.body, inPlainWords);
      await parts.as(person).service.call('SetLockerOutOfOrder', wanted);
      request.log.info({ by, ...wanted }, 'a person changed whether a locker is out of order');
      live.changed('/api/walls/');
      return { done: `${wanted.lockerUid} is ${wanted.outOfOrder ? 'out of order' : 'in order again'}` };
    });

    app.post('/api/walls/emptied', accessOf('decide'), async (request) => {
      const { user: person } = request;
      const { name: by } = person;
      const { lockerUid } = emptied.parse(request.body, inPlainWords);
      const { changed } = await parts.as(person).service.call('SetLockerEmptied', { lockerUid });
      request.log.info({ by, lockerUid }, 'a person said that a locker is empty');
      live.changed('/api/walls/');
      live.changed('/v1/inbox/entries');
      return { done: changed ? `${lockerUid} is free` : `${lockerUid} was not to be emptied` };
    });

    app.post('/api/walls/type-code', accessOf('decide'), async (request) => {
      const { user: person } = request;
      const { pupUid, lockerName, code } = typed.parse(request.body, inPlainWords);
      try {
        await parts.as(person).service.call('SimulateLockerAccess', { pupUid, lockerName, pinCode: code });
      } finally {
        live.changed(`/api/walls/${encodeURIComponent(pupUid)}`);
      }
      return { done: `Locker ${lockerName} is open` };
    });
  };

async function pickUpPoints(parts: ConsoleParts): Promise<PickUpPointRow[]> {
  const { service } = parts;
  const stuck = await stuckDoors(parts);
  const rows: PickUpPointRow[] = [];
  for (let pageNo = 1; ; pageNo++) {
    const request = { pageNo, pageSize: 100, includeDetails: true };
    const { items, totalPages } = await service.call('GetPickUpPoints', request);
    for (const { pupUid, name, city, lockers } of items)
      rows.push({
        pupUid: pupUid ?? '',
        name: name ?? pupUid ?? '',
        city,
        lockers: lockers?.length ?? 0,
        free: lockers?.filter(({ free }) => free === true).length ?? 0,
        stuck: stuck.filter((each) => each === pupUid).length,
      });
    if (pageNo >= (totalPages ?? 1)) return rows.sort((one, other) => one.name.localeCompare(other.name));
  }
}

/** The pick up point of each; none at a service that does not tell. */
async function stuckDoors(parts: ConsoleParts): Promise<(string | null)[]> {
  try {
    const { items } = await doorsThatStayedShut(parts);
    return items.flatMap(({ pupUid, doorFailure }) => (doorFailure == null ? [] : [pupUid]));
  } catch (error) {
    if (error instanceof LockerApiError && error.code === 'UnknownOperation') return [];
    throw error;
  }
}

type Use = Awaited<ReturnType<ConsoleParts['service']['call']>>;

function useOf(answer: Use): UseView {
  const { since, until, sizes, hours, refusals, timeInLocker } = answer as unknown as UseView;
  const utc = (moment: string) => `${moment}Z`;
  return {
    since: utc(since),
    until: utc(until),
    sizes,
    hours: hours.map((each) => ({ ...each, hour: utc(each.hour) })),
    refusals: refusals.map((each) => ({ ...each, hour: utc(each.hour) })),
    timeInLocker: timeInLocker ?? { itemCount: 0, p50Seconds: null, p95Seconds: null },
  };
}
