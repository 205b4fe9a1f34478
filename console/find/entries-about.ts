// For whom the entries of Work are, and which items: by their processes, else by their shipments.
import type { WorkEntry, WorkView } from '../../processes/inbox/inbox-entry.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { subjectsOfKeys } from './about-keys.ts';
import type { RowSubjects } from './row-subjects.ts';

type Parts = Pick<ConsoleParts, 'client'>;

/** As many of a group as a page shows at once. */
const SHOWN_OF_GROUP = 20;

export async function withAbout(parts: Parts, subjects: RowSubjects, view: WorkView): Promise<WorkView> {
  const keysOf = ({ key, many }: WorkEntry) => [
    ...(key === null ? [] : [key]),
    ...(many?.keys.slice(0, SHOWN_OF_GROUP) ?? []),
  ];
  const keys = [...new Set(view.entries.flatMap(keysOf))];
  const ofKeys = await subjectsOfKeys(parts, keys);
  // What no process has is known by its shipment.
  const ofShipments = view.entries.flatMap(({ id, key, shipmentUid }) =>
    key === null && shipmentUid !== null ? [{ runId: id, subjects: [], shipmentUids: [shipmentUid] }] : [],
  );
  const abouts = await subjects.of([...ofKeys, ...ofShipments]);
  const entries = view.entries.map((entry) => {
    const { id, key, many } = entry;
    const own = keysOf({ ...entry, key: null }).flatMap((each) => {
      const about = abouts.get(each);
      return about ? [[each, about] as const] : [];
    });
    return {
      ...entry,
      about: abouts.get(key ?? id) ?? null,
      ...(many && { many: { ...many, abouts: Object.fromEntries(own) } }),
    };
  });
  return { ...view, entries };
}
