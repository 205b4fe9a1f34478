// The names of the pick up points: what people read has names, not uids.
import { useMemo } from 'preact/hooks';
import type { PickUpPointRow } from '../../walls/walls-view.ts';
import { useLive } from './live.ts';

export type PickUpPointNames = ReadonlyMap<string, string>;

/** By pupUid; empty as long as they are not known. */
export function usePickUpPointNames(): PickUpPointNames {
  const { data } = useLive<readonly PickUpPointRow[]>('/api/walls');
  const text = JSON.stringify(data?.map(({ pupUid, name }) => [pupUid, name]) ?? []);
  // The same map for the same names: a row of the list is drawn again only for others.
  return useMemo(() => new Map(JSON.parse(text) as [string, string][]), [text]);
}
