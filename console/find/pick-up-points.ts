// The pick up points of the tenant, by name: they hardly change, and are read for all who ask at about the same time.
import type { ConsoleParts } from '../console-parts.ts';
import { everyItem } from '../pages-of-service.ts';

const KEPT_MS = 30_000;

export interface PickUpPoint {
  readonly pupUid: string;
  readonly name: string;
}

export const pickUpPoints = ({
  service,
  shared,
}: Pick<ConsoleParts, 'service' | 'shared'>): Promise<readonly PickUpPoint[]> =>
  shared.of('pick up points', KEPT_MS, async () => {
    const points = await everyItem((pageNo) => service.call('GetPickUpPoints', { pageNo, pageSize: 500 }));
    return points.flatMap(({ pupUid, name }) => (pupUid === null ? [] : [{ pupUid, name: name ?? pupUid }]));
  });

export const namesOf = (points: readonly PickUpPoint[]): ReadonlyMap<string, string> =>
  new Map(points.map(({ pupUid, name }) => [pupUid, name]));
