// The doors that stayed shut the last time that they were asked to open, as the locker service knows them; those of an offline wall too.
import type { Response } from '../../contract/operations/operations.ts';
import { type LockerApi, LockerApiError } from '../../shared/locker-api/index.ts';

type Locker = Response<'GetLockers'>['items'][number];

interface Parts {
  readonly service: Pick<LockerApi, 'call'>;
}

const MAX_DOORS = 100;

export const doorsThatStayedShut = ({ service }: Parts) =>
  service.call('GetLockers', { pageNo: 1, pageSize: MAX_DOORS, doorStayedShut: true });

export type ShutDoor = Locker & { readonly doorFailure: NonNullable<Locker['doorFailure']> };

/** In UTC, without an offset. The time of the last try, if the service does not say since when it fails. */
export const failingSince = ({ doorFailure }: Pick<Locker, 'doorFailure'>): string | null =>
  doorFailure?.failingSince ?? doorFailure?.occurredAt ?? null;

/** None at a service that does not list them. */
export async function shutDoors(parts: Parts): Promise<readonly ShutDoor[]> {
  try {
    const { items } = await doorsThatStayedShut(parts);
    return items.filter((locker): locker is ShutDoor => locker.doorFailure != null);
  } catch (error) {
    if (error instanceof LockerApiError && error.code === 'UnknownOperation') return [];
    throw error;
  }
}
