// Entries of one cause as one: 300 cases that a single error has halted are one thing to see to, with one remedy for all.
import type { InboxEntry } from './inbox-entry.ts';

/** Fewer are seen at a glance, each with its own actions. */
const LEAST = 3;
/** Each has its forms, and a page reads all of them again and again. */
const MAX_MEMBERS = 100;

/**
 * In the order of the entries; a group stands where its first one stood.
 * @param isApart an entry that stands by itself, whatever its cause
 */
export function byCause(
  entries: readonly InboxEntry[],
  isApart: (entry: InboxEntry) => boolean = () => false,
): InboxEntry[] {
  const causes = new Map<string, InboxEntry[]>();
  for (const entry of entries)
    if (entry.cause && !isApart(entry))
      causes.set(entry.cause.id, [...(causes.get(entry.cause.id) ?? []), entry]);
  return entries.flatMap((entry) => {
    const together = entry.cause ? (causes.get(entry.cause.id) ?? []) : [];
    if (together.length < LEAST || isApart(entry)) return [entry];
    return together[0] === entry ? [groupOf(entry, together)] : [];
  });
}

function groupOf(first: InboxEntry, together: readonly InboxEntry[]): InboxEntry {
  const { cause, remedy = null, due: _, ...entry } = first;
  const keys = together.flatMap(({ key }) => key ?? []);
  const [since = null] = together.flatMap((each) => each.since ?? []).sort();
  const [due] = together.flatMap((each) => each.due ?? []).sort();
  const points = new Set(together.map(({ pupUid }) => pupUid));
  return {
    ...entry,
    id: `cause:${cause?.id}`,
    title: cause?.title(together.length) ?? entry.title,
    why: cause?.why ?? entry.why,
    ifNothing: cause?.ifNothing ?? entry.ifNothing,
    toDo: cause?.toDo ?? entry.toDo,
    since,
    ...(due !== undefined && { due }),
    key: null,
    pupUid: points.size === 1 ? entry.pupUid : null,
    lockerName: null,
    shipmentUid: null,
    actions: [],
    many: { keys, remedy },
    members: together.slice(0, MAX_MEMBERS),
  };
}
