// Everything that waits for a person, from all sources at once. A source that fails hides none of the others, and is named.
import { DEFAULT_PRIORITY } from '../../../flows/language/machine/tasks.ts';
import type { Choice } from '../../action-forms/action-form.ts';
import { askedTemporal } from '../../at-temporal.ts';
import { refusalOf } from '../../outcome.ts';
import type { Comparisons, LastCompared } from '../comparison.ts';
import type { EntryKind, InboxEntry, InboxView, Unread } from './inbox-entry.ts';
import type { LateCallbacks } from './late-callbacks.ts';
import type { InboxParts, InboxSource } from './source.ts';

/** What each source gave last. What cannot be read now stays: it waits for a person as long as nobody knows otherwise. */
export type LastRead = Map<EntryKind, readonly InboxEntry[]>;

interface Compared {
  readonly comparisons: Pick<Comparisons, 'last'>;
  readonly late: Pick<LateCallbacks, 'lookedAt'>;
}

export async function readInbox(
  parts: InboxParts,
  sources: readonly InboxSource[],
  { comparisons, late }: Compared,
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
  const [last] = await Promise.all([comparisons.last().catch(() => null), ...reading]);
  return {
    entries: incidentsOf(entries).sort(byUrgency(Date.now())),
    unread: unread.sort((one, other) => one.what.localeCompare(other.what)),
    compared: { ...comparedOf(last), lookedAt: late.lookedAt },
  };
}

/** A booking in doubt that a comparison has found too is one incident: the process's decision, with what else mends it last. */
function incidentsOf(entries: readonly InboxEntry[]): InboxEntry[] {
  const inDoubt = entries.filter(({ key, actions }) => key !== null && actions.some(isAdoption));
  const doubts = new Map(inDoubt.map((entry) => [entry.key, entry]));
  const others: InboxEntry[] = [];
  for (const entry of entries) {
    const doubt = doubts.get(entry.key);
    if (doubt === entry) continue;
    if (doubt && entry.kind === 'disagreement') doubts.set(entry.key, joined(doubt, entry));
    else others.push(entry);
  }
  return [...others, ...doubts.values()];
}

const isAdoption = ({ id }: Choice): boolean => id === 'adopt';

function joined(doubt: InboxEntry, found: InboxEntry): InboxEntry {
  const { pupUid, lockerName, shipmentUid } = found;
  const adoption = doubt.actions.filter(isAdoption).map((choice) => suggesting(choice, shipmentUid));
  const others = doubt.actions.filter((choice) => !isAdoption(choice));
  return {
    ...doubt,
    pupUid,
    lockerName,
    shipmentUid,
    why: `${doubt.why} ${found.why}`,
    actions: [...adoption, ...others, ...found.actions],
  };
}

/** The shipment that was found is meant most likely, where only one is to be named. */
function suggesting(choice: Choice, shipmentUid: string | null): Choice {
  const [only, ...others] = choice.fields.filter(({ name }) => name.startsWith('shipments.'));
  if (!only || others.length > 0 || only.suggested !== undefined || shipmentUid === null) return choice;
  const fields = choice.fields.map((field) => (field === only ? { ...only, suggested: shipmentUid } : field));
  return { ...choice, fields };
}

function comparedOf(last: LastCompared | null) {
  return { at: last?.comparison?.comparedAt ?? null, isPlanned: last?.isPlanned ?? true };
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
