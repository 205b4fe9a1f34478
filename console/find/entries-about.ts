// For whom the entries of Work are, and which items: by their processes, else by their shipments.
import type { WorkEntry, WorkView } from '../../processes/inbox/inbox-entry.ts';
import type { RowSubjects } from '../../processes/views/row-subjects.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { subjectsOfKeys } from './about-keys.ts';

type Parts = Pick<ConsoleParts, 'client'>;

/** As many of a group as a page shows at once. */
const SHOWN_OF_GROUP = 20;

export async function withAbout(parts: Parts, subjects: RowSubjects, view: WorkView): Promise<WorkView> {
  const all = view.entries.flatMap((entry) => [entry, ...(entry.many?.members ?? [])]);
  const keys = [
    ...all.flatMap(({ key }) => key ?? []),
    ...view.entries.flatMap(({ many }) => many?.keys.slice(0, SHOWN_OF_GROUP) ?? []),
  ];
  const ofKeys = await subjectsOfKeys(parts, [...new Set(keys)]);
  // What no process has is known by its shipment.
  const ofShipments = all.flatMap(({ id, key, shipmentUid }) =>
    key === null && shipmentUid !== null ? [{ runId: id, subjects: [], shipmentUids: [shipmentUid] }] : [],
  );
  const abouts = await subjects.of([...ofKeys, ...ofShipments]);
  const entries = view.entries.map((entry) => {
    const { id, key, many } = entry;
    return {
      ...entry,
      about: abouts.get(key ?? id) ?? null,
      ...(many && { many: named(many, abouts) }),
    };
  });
  return { ...view, entries };
}

type Many = NonNullable<WorkEntry['many']>;

/** The same for a group alone. */
export async function manyWithAbout(parts: Parts, subjects: RowSubjects, many: Many): Promise<Many> {
  const ofKeys = await subjectsOfKeys(parts, many.keys.slice(0, SHOWN_OF_GROUP));
  return named(many, await subjects.of(ofKeys));
}

const named = ({ members, ...many }: Many, abouts: Awaited<ReturnType<RowSubjects['of']>>): Many => ({
  ...many,
  ...(members && {
    members: members.map((each) => ({ ...each, about: abouts.get(each.key ?? each.id) ?? null })),
  }),
  abouts: Object.fromEntries(
    many.keys.slice(0, SHOWN_OF_GROUP).flatMap((key) => {
      const about = abouts.get(key);
      return about ? [[key, about] as const] : [];
    }),
  ),
});
