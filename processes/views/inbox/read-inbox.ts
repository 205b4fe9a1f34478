// Everything that waits for a person, from all sources at once. A source that fails hides none of the others, and is named.
import { DEFAULT_PRIORITY } from '../../../flows/language/machine/tasks.ts';
import { askedTemporal } from '../../at-temporal.ts';
import { refusalOf } from '../../outcome.ts';
import type { EntryKind, InboxEntry, InboxView, Unread } from './inbox-entry.ts';
import type { InboxParts, InboxSource } from './source.ts';

/** What each source gave last. What cannot be read now stays: it waits for a person as long as nobody knows otherwise. */
export type LastRead = Map<EntryKind, readonly InboxEntry[]>;

export async function readInbox(
  parts: InboxParts,
  sources: readonly InboxSource[],
  lastRead: LastRead = new Map(),
): Promise<InboxView> {
  const entries: InboxEntry[] = [];
  const unread: Unread[] = [];
  const reading = sources.map(async (source) => {
    const before = lastRead.get(source.kind) ?? [];
    try {
      const { entries: read, incomplete, unanswered } = await askedTemporal(parts, () => source.read(parts));
      const silent = new Set(unanswered);
      const old = before.filter(({ key }) => key !== null && silent.has(key));
      entries.push(...read, ...old);
      const asOf = new Date().toISOString();
      lastRead.set(source.kind, [...read.map((entry) => ({ ...entry, asOf })), ...old]);
      if (incomplete) unread.push({ what: source.what, why: incomplete });
    } catch (error) {
      entries.push(...before);
      unread.push({ what: source.what, why: wordsOf(error) });
    }
  });
  await Promise.all(reading);
  return {
    entries: entries.sort(byUrgency(Date.now())),
    unread: unread.sort((one, other) => one.what.localeCompare(other.what)),
  };
}

function wordsOf(error: unknown): string {
  const refusal = refusalOf(error);
  if (!refusal) throw error;
  return refusal.code === 'UnknownOperation'
    ? 'this locker service does not have the operation that lists them'
    : refusal.message;
}

const byUrgency = (now: number) => (one: InboxEntry, other: InboxEntry) =>
  (other.priority ?? DEFAULT_PRIORITY) - (one.priority ?? DEFAULT_PRIORITY) ||
  Number(isOverdue(other, now)) - Number(isOverdue(one, now)) ||
  byAge(one, other);

const isOverdue = ({ due, clockAheadMs }: InboxEntry, now: number): boolean =>
  due !== undefined && Date.parse(due) - clockAheadMs < now;

/** What has no age is told first: it may be the oldest. Each by its own clock: one may be ahead of the others. */
const byAge = (one: InboxEntry, other: InboxEntry): number =>
  begun(one) - begun(other) || one.id.localeCompare(other.id);

const begun = ({ since, clockAheadMs }: InboxEntry): number =>
  since === null ? Number.MIN_SAFE_INTEGER : Date.parse(since) - clockAheadMs;
