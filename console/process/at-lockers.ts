// What the locker service knows of the lockers of a process: items that are still there, doors that stayed shut, walls that are
// offline. A service may not list lockers: then nothing more is known.
import type { BookingProgress, ProcessProgress, Progress } from '../../contract/flows/flow-answers.ts';
import { type ShutDoor, shipmentsWithItemsLeft, shutDoors } from '../../processes/inbox/at-lockers.ts';
import { isBehindOfflineWall } from '../../processes/inbox/offline-wall.ts';
import { wholeBooking } from '../../processes/views/progress.ts';
import type { ShownProcess } from '../../processes/views/shown-process.ts';
import { LockerApiError } from '../../shared/locker-api/index.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { LockerShown } from './glance/glance-view.ts';

/** As often as a page asks again. */
const SHARED_MS = 2_000;
/** A pick up point seldom gets another name. */
const NAMES_MS = 60_000;

/** What an ended process says last does not know what was fetched since. */
export async function withItemsStillLeft(
  parts: ConsoleParts,
  { status, progress }: Pick<ShownProcess, 'status' | 'progress'>,
): Promise<ProcessProgress | null> {
  const items = (progress?.bookings ?? []).flatMap(({ itemsLeft }) => itemsLeft);
  if (status === 'Running' || !progress || items.length === 0) return progress;
  const pupUids = [...new Set(items.flatMap(({ pupUid }) => pupUid ?? []))];
  const leftAt = (pupUid: string) =>
    parts.shared.of(`items left at ${pupUid}`, SHARED_MS, () => shipmentsWithItemsLeft(parts, pupUid));
  const left = pupUids.map(async (pupUid) => [pupUid, await orUndefined(leftAt(pupUid))] as const);
  const at = new Map(await Promise.all(left));
  const stillLeft = <Booking extends Pick<BookingProgress, 'itemsLeft'>>(booking: Booking): Booking => ({
    ...booking,
    itemsLeft: booking.itemsLeft.filter(
      ({ pupUid, shipmentUid }) => at.get(pupUid ?? '')?.has(shipmentUid) ?? true,
    ),
  });
  const own = wholeBooking(progress) && stillLeft(progress as Progress);
  return { ...progress, ...own, bookings: progress.bookings.map(stillLeft) };
}

/** Asked only for a process that has lockers. */
export async function shutDoorsOf(
  parts: ConsoleParts,
  lockers: readonly LockerShown[],
): Promise<readonly ShutDoor[]> {
  if (lockers.length === 0) return [];
  return (await orUndefined(parts.shared.of('shut doors', SHARED_MS, () => shutDoors(parts)))) ?? [];
}

/** The names of walls that are offline, by pupUid. */
export async function namesOfOffline(
  { service, shared }: ConsoleParts,
  shut: readonly ShutDoor[],
): Promise<ReadonlyMap<string, string>> {
  const pupUids = new Set(shut.filter(isBehindOfflineWall).flatMap(({ pupUid }) => pupUid ?? []));
  const named = [...pupUids].map(async (pupUid): Promise<[string, string]> => {
    const read = () => service.call('GetPickUpPoints', { pageNo: 1, pageSize: 1, pupUid });
    const answer = await orUndefined(shared.of(`pick up point ${pupUid}`, NAMES_MS, read));
    return [pupUid, answer?.items.find((each) => each.pupUid === pupUid)?.name ?? pupUid];
  });
  return new Map(await Promise.all(named));
}

const orUndefined = async <Answer>(asked: Promise<Answer>): Promise<Answer | undefined> =>
  await asked.catch((error: unknown) => {
    if (error instanceof LockerApiError) return undefined;
    throw error;
  });
