// The names of the pick up points: what people read has names, not uids.
import type { PickUpPointRow } from '../../walls/walls-view.ts';
import { useLive } from './live.ts';

/** By pupUid; empty as long as they are not known. */
export type PickUpPoints = ReadonlyMap<string, PickUpPointRow>;

export function usePickUpPoints(): PickUpPoints {
  const { data = [] } = useLive<readonly PickUpPointRow[]>('/api/walls');
  return new Map(data.map((point) => [point.pupUid, point]));
}

export type PickUpPointNames = ReadonlyMap<string, string>;

/** By pupUid; empty as long as they are not known. */
export function usePickUpPointNames(): PickUpPointNames {
  const { data = [] } = useLive<readonly PickUpPointRow[]>('/api/walls');
  return new Map(data.map(({ pupUid, name }) => [pupUid, name]));
}
