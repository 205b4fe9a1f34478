// The names of the pick up points, read once for the page: what people read has names, not uids.
import { useEffect, useState } from 'preact/hooks';
import type { PickUpPointRow } from '../../walls/walls-view.ts';
import { getJson } from './api.ts';

export type PickUpPointNames = ReadonlyMap<string, string>;

/** New ones are rare. */
const READ_AGAIN_MS = 60_000;

let known: PickUpPointNames = new Map();
let reading: Promise<PickUpPointNames> | undefined;
let readAt = Number.NEGATIVE_INFINITY;

/** By pupUid; empty as long as they are not known. */
export function usePickUpPointNames(): PickUpPointNames {
  const [names, setNames] = useState(known);
  useEffect(() => {
    let isWanted = true;
    void read().then((now) => isWanted && setNames(now));
    return () => {
      isWanted = false;
    };
  }, []);
  return names;
}

function read(): Promise<PickUpPointNames> {
  if (reading && performance.now() - readAt < READ_AGAIN_MS) return reading;
  readAt = performance.now();
  reading = getJson<readonly PickUpPointRow[]>('/api/walls').then(
    (rows) => {
      known = new Map(rows.map(({ pupUid, name }) => [pupUid, name]));
      return known;
    },
    () => {
      // The uids will do until the service answers.
      readAt = Number.NEGATIVE_INFINITY;
      return known;
    },
  );
  return reading;
}
