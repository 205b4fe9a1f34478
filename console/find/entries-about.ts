// For whom the entries of Work are, and which items: by their processes, else by their shipments.
import { callTemporal } from '../../processes/at-temporal.ts';
import type { WorkEntry, WorkView } from '../../processes/inbox/inbox-entry.ts';
import { commandErrorOf } from '../../processes/outcome.ts';
import type { FoundFlow } from '../../processes/views/found-flows.ts';
import { newestRunsOf } from '../../processes/views/newest-runs.ts';
import type { RowSubjects } from '../../processes/views/row-subjects.ts';
import type { ConsoleParts } from '../console-parts.ts';

type Parts = Pick<ConsoleParts, 'client'>;

/** As many of a group as a page shows at once. */
const SHOWN_OF_GROUP = 20;

export async function withAbout(parts: Parts, subjects: RowSubjects, view: WorkView): Promise<WorkView> {
  const keysOf = ({ key, many }: WorkEntry) => [
    ...(key === null ? [] : [key]),
    ...(many?.keys.slice(0, SHOWN_OF_GROUP) ?? []),
  ];
  const ofKeys = await subjectsByKey(parts, [...new Set(view.entries.flatMap(keysOf))]);
  // What no process has is known by its shipment.
  const ofShipments = view.entries.flatMap(({ id, key, shipmentUid }) =>
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
  const ofKeys = await subjectsByKey(parts, many.keys.slice(0, SHOWN_OF_GROUP));
  return named(many, await subjects.of(ofKeys));
}

const named = (many: Many, abouts: Awaited<ReturnType<RowSubjects['of']>>): Many => ({
  ...many,
  abouts: Object.fromEntries(
    many.keys.slice(0, SHOWN_OF_GROUP).flatMap((key) => {
      const about = abouts.get(key);
      return about ? [[key, about] as const] : [];
    }),
  ),
});

/** None where Temporal does not answer: what waits is shown without it, too. */
async function subjectsByKey(
  parts: Parts,
  keys: readonly string[],
): Promise<Parameters<RowSubjects['of']>[0]> {
  const flows = await callTemporal(parts, () => newestRunsOf(parts.client, keys)).catch((error) => {
    if (commandErrorOf(error)) return new Map<string, FoundFlow>();
    throw error;
  });
  return [...flows].map(([key, { subjects, shipmentUids }]) => ({ runId: key, subjects, shipmentUids }));
}
