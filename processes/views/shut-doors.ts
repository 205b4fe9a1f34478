// The doors that stayed shut the last time that they were asked to open, as the locker service knows them; those of an offline wall too.
import type { Response } from '../../contract/operations/operations.ts';
import { type LockerApi, LockerApiError } from '../../shared/locker-api/index.ts';
import { t } from '../../shared/texts/text.ts';

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

/** As our service and our walls say it. */
const reasons = (): Readonly<Record<string, string>> => ({
  'the door is stuck': t`the door is stuck`,
  'the contact of the door says that it stayed shut': t`the contact of the door says that it stayed shut`,
  'the pick up point does not answer': t`the pick up point does not answer`,
  'it stayed shut': t`it stayed shut`,
  'its wall says that it stayed shut': t`its wall says that it stayed shut`,
  'its wall was not reached': t`its wall was not reached`,
  'its wall was not connected in time': t`its wall was not connected in time`,
});

/** In the reader's language; in the words of the wall where these are its own. */
export const formatReason = (reason: string | null | undefined): string =>
  reasons()[reason ?? ''] ?? reason ?? '';

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
