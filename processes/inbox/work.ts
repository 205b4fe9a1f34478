// The inbox as people work through it: what is urgent, what is for today, and what can wait.
import { DEFAULT_PRIORITY } from '../../flows/language/machine/tasks.ts';
import { formatWho } from '../views/format-names.ts';
import { byCause } from './by-cause.ts';
import {
  type EntryGroup,
  type EntryKind,
  entryGroups,
  type InboxEntry,
  type InboxView,
  type WorkEntry,
  type WorkView,
} from './inbox-entry.ts';

/** From here on it does not wait for its turn: a stuck door has 90, a question what its flow file says. */
const URGENT_PRIORITY = 80;
/** The process or the shipment stands still until a person decides. */
const STANDS_STILL: ReadonlySet<EntryKind> = new Set(['decision']);

const TODAY: ReadonlySet<EntryKind> = new Set(['late', 'failedStart', 'eventsNotTaken']);

const DAY_MS = 86_400_000;

/** @param dueBeforeMs the end of the reader's day */
export function workOf(view: InboxView, dueBeforeMs = Date.now() + DAY_MS, now = Date.now()): WorkView {
  const { snoozed, unread } = view;
  // One that somebody has snoozed alone does not wake with its group.
  const entries = byCause(view.entries, ({ id }) => snoozed?.has(id) === true).map((entry): WorkEntry => {
    const memo = snoozed?.get(entry.id);
    if (!memo) return shownIn(groupOf(entry, now, dueBeforeMs), entry);
    const { until, who } = memo;
    return { ...shownIn('snoozed', entry), snoozed: { until, by: formatWho(who) } };
  });
  return { unread, entries: entries.sort(byGroup) };
}

function shownIn(
  group: EntryGroup,
  { cause: _, remedy: __, offlineWall: ___, many, members, ...entry }: InboxEntry,
): WorkEntry {
  const shown = members?.map((each) => shownIn(group, each));
  return { ...entry, group, ...(many && { many: { ...many, ...(shown && { members: shown }) } }) };
}

export function groupOf(entry: InboxEntry, now: number, dueBeforeMs = now + DAY_MS): EntryGroup {
  const due = dueMs(entry);
  // What is late was due before: somebody sees to it today.
  if (TODAY.has(entry.kind)) return 'today';
  if (due < now || priorityOf(entry) >= URGENT_PRIORITY) return 'urgent';
  return due < dueBeforeMs || STANDS_STILL.has(entry.kind) ? 'today' : 'later';
}

/** When an answer is due, or else when the process goes on without one; in real time, whatever clock the process has. */
function dueMs({ due, task, clockAheadMs }: Pick<InboxEntry, 'due' | 'task' | 'clockAheadMs'>): number {
  const at = due ?? task?.until ?? null;
  return at === null ? Number.POSITIVE_INFINITY : Date.parse(at) - clockAheadMs;
}

export const priorityOf = ({ priority = DEFAULT_PRIORITY }: Pick<InboxEntry, 'priority'>): number => priority;

/** Within a group by priority and then by due date; what has neither stays in the order of the inbox. */
function byGroup(one: WorkEntry, other: WorkEntry): number {
  const groups = entryGroups.indexOf(one.group) - entryGroups.indexOf(other.group);
  if (groups !== 0) return groups;
  const priorities = priorityOf(other) - priorityOf(one);
  if (priorities !== 0) return priorities;
  const [due, otherDue] = [dueMs(one), dueMs(other)];
  return due === otherDue ? 0 : due - otherDue;
}
