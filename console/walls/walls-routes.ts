// The walls' part of the server: each pick up point as it stands.
import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { uid } from '../../contract/wire/fields.ts';
import { plainMessages } from '../../contract/wire/format-issue.ts';
import { shipmentAt } from '../../processes/locker-service.ts';
import { isBehindOfflineWall, offlineSince } from '../../processes/views/offline-wall.ts';
import { type ShutDoor, shutDoors } from '../../processes/views/shut-doors.ts';
import { accessOf } from '../access/user.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { everyItem } from '../pages-of-service.ts';
import { ifKnown, nameOrDesk } from '../people.ts';
import { codesReadIn } from '../process/door-rows.ts';
import type { ConsoleReaders } from '../readers.ts';
import { openDoors } from './open-doors.ts';
import { outOfOrderCounts } from './out-of-order.ts';
import { readWall } from './read-wall.ts';
import type { HeldFor, PickUpPointRow, WallView } from './walls-view.ts';

// A person waits for a door.
const WALL_MS = 800;
const POINTS_MS = 2_000;

const held = z.object({ shipmentUid: uid });

export const wallsRoutes =
  (parts: ConsoleParts, readers: ConsoleReaders): FastifyPluginAsync =>
  async (app) => {
    const { serviceClock, shared } = parts;
    app.get('/api/walls', accessOf('look'), async ({ url, caller }): Promise<PickUpPointRow[]> => {
      const rows = await shared.of(url, POINTS_MS, () => pickUpPoints(parts, readers));
      if (caller.may('decide')) return rows;
      return rows.map((row) => ({ ...row, open: row.open.map((door) => ({ ...door, about: null })) }));
    });

    app.get<{ Params: { pupUid: string } }>(
      '/api/walls/:pupUid',
      accessOf('look'),
      async (request): Promise<WallView> => {
        const { url, params, caller } = request;
        const aheadMs = async () => (await serviceClock.aheadMs()) ?? 0;
        const wall = await shared.of(url, WALL_MS, async () =>
          readWall(parts, readers, params.pupUid, await aheadMs()),
        );
        return caller.may('decide') ? wall : withoutPeople(wall);
      },
    );

    app.get('/api/walls/held', accessOf('decide'), async (request): Promise<HeldFor> => {
      const { shipmentUid } = held.parse(request.query, plainMessages);
      return await heldFor(parts, shipmentUid);
    });
  };

const withoutPeople = (wall: WallView): WallView => ({
  ...wall,
  abouts: {},
  round: wall.round.map((stop) => ({ ...stop, item: null, people: [], open: null, out: null })),
  offline: wall.offline && {
    ...wall.offline,
    many: wall.offline.many ? { ...wall.offline.many, abouts: {} } : null,
    strays: wall.offline.strays.map((stray) => ({ ...stray, item: null, sent: null, person: null })),
  },
});

async function heldFor(parts: ConsoleParts, shipmentUid: string): Promise<HeldFor> {
  const [shipment, events] = await Promise.all([
    shipmentAt(parts.service, shipmentUid),
    ifKnown(() => parts.service.call('GetShipmentEvents', { shipmentUid })),
  ]);
  const [to, from] = await Promise.all([
    nameOrDesk(parts, shipment?.toUserUid),
    nameOrDesk(parts, shipment?.fromUserUid),
  ]);
  return { to, from, codesRead: events ? codesReadIn(events.items) : null };
}

async function pickUpPoints(parts: ConsoleParts, readers: ConsoleReaders): Promise<PickUpPointRow[]> {
  const { service } = parts;
  const [shut, open, broken] = await Promise.all([
    shutDoors(parts),
    openDoors(parts, readers),
    outOfOrderCounts(parts),
  ]);
  const points = await everyItem((pageNo) =>
    service.call('GetPickUpPoints', { pageNo, pageSize: 100, includeDetails: true }),
  );
  const rows = points.map(
    ({ pupUid, name, city, lockers }): PickUpPointRow => ({
      pupUid: pupUid ?? '',
      name: name ?? pupUid ?? '',
      city,
      lockers: lockers?.length ?? 0,
      free: lockers?.filter(({ free }) => free === true).length ?? 0,
      sizes: bySize(lockers ?? []),
      ...doorsOf(shut.filter((each) => each.pupUid === pupUid)),
      outOfOrder: broken.get(pupUid ?? '') ?? 0,
      open: open.get(pupUid ?? '') ?? [],
    }),
  );
  return rows.sort((one, other) => one.name.localeCompare(other.name));
}

function doorsOf(shut: readonly ShutDoor[]): Pick<PickUpPointRow, 'stuck' | 'isOffline' | 'offlineSince'> {
  const cutOff = shut.filter(isBehindOfflineWall);
  return {
    stuck: shut.length - cutOff.length,
    isOffline: cutOff.length > 0,
    offlineSince: offlineSince(cutOff),
  };
}

function bySize(
  lockers: readonly { readonly size: string | null; readonly free: boolean | null }[],
): PickUpPointRow['sizes'] {
  const sizes = new Map<string, { lockers: number; free: number }>();
  for (const { size, free } of lockers) {
    const before = sizes.get(size ?? '') ?? { lockers: 0, free: 0 };
    sizes.set(size ?? '', {
      lockers: before.lockers + 1,
      free: before.free + (free === true ? 1 : 0),
    });
  }
  return [...sizes].map(([size, counts]) => ({ size, ...counts }));
}
