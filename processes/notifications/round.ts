// One round: what is in Work now is compared with that of which people were notified before. Pure: time is an argument, and what is
// to be kept for the next round is in the result.
import { createHash } from 'node:crypto';
import type { NotifiedEntry, NotifierState } from '../../contract/flows/notifications.ts';
import type { EntryKind, InboxEntry, InboxView } from '../inbox/inbox-entry.ts';
import { groupOf, priorityOf } from '../inbox/work.ts';
import { isQuiet, type QuietHours } from './quiet-hours.ts';

export interface RoundSettings {
  readonly kinds: ReadonlySet<EntryKind>;
  /** Null: none. */
  readonly quietHours: QuietHours | null;
  /** From this priority on, people are notified in quiet hours too. */
  readonly quietPriority: number;
  /** Null: never again. */
  readonly againAfterMs: number | null;
}

export interface Round {
  readonly state: NotifierState;
  /** In the order of the inbox. */
  readonly added: readonly InboxEntry[];
  /** Urgent ones that are open for so long that people are notified again. */
  readonly stillOpen: readonly InboxEntry[];
  /** How many are open of which this message says nothing. */
  readonly others: number;
  readonly isAllClear: boolean;
}

/** What is kept must stay far below Temporal's 2 MB. */
const MAX_ENTRIES = 3_000;
/** A list lags by seconds, and a door that sticks opens at the second try: what comes back within this time is not new. */
const SETTLE_MS = 5 * 60_000;
/** What cannot be read has perhaps not gone, but is not kept for ever. */
const SETTLE_UNREAD_MS = 24 * 3_600_000;

const nothing: NotifierState = { entries: {}, highest: null };

export function nextRound(
  before: NotifierState | null,
  view: InboxView,
  settings: RoundSettings,
  now = Date.now(),
): Round {
  const { entries: known, highest } = before ?? nothing;
  const isQuietNow = settings.quietHours !== null && isQuiet(settings.quietHours, now);
  const isAudible = (priority: number) => !isQuietNow || priority >= settings.quietPriority;
  const open = view.entries
    .filter(({ kind }) => settings.kinds.has(kind))
    .slice(0, MAX_ENTRIES)
    .map((entry) => ({ entry, id: hashOf(entry.id), isUrgent: groupOf(entry, now) === 'urgent' }));
  // What somebody has snoozed is news once it wakes.
  const isSnoozed = ({ id }: InboxEntry) => view.snoozed?.has(id) === true;
  const audible = open.filter(({ entry }) => isAudible(priorityOf(entry)) && !isSnoozed(entry));
  const added = audible.filter(
    ({ id, isUrgent }) => known[id] === undefined || (isUrgent && !known[id].isUrgent),
  );
  const stillOpen = audible.filter((each) => each.isUrgent && !added.includes(each));
  const isAgain = stillOpen.some(({ id }) => isOver(known[id]?.at, settings.againAfterMs, now));
  const notified = new Set(isAgain ? [...added, ...stillOpen] : added);
  const at = new Date(now).toISOString();
  const present = open.flatMap((each): [string, NotifiedEntry][] => {
    const { id, entry, isUrgent } = each;
    const last = known[id];
    if (notified.has(each)) return [[id, { kind: entry.kind, at, isUrgent }]];
    // In quiet hours it may become urgent without anybody being notified: then it still is news in the morning.
    return last ? [[id, { kind: last.kind, at: last.at, isUrgent: last.isUrgent && isUrgent }]] : [];
  });
  const entries = { ...leaving(known, open, view, now), ...Object.fromEntries(present) };
  const isAllClear = highest !== null && Object.keys(entries).length === 0 && isAudible(highest);
  const priorities = [...notified].map(({ entry }) => priorityOf(entry));
  return {
    state: { entries, highest: isAllClear ? null : highestOf(highest, priorities) },
    added: added.map(({ entry }) => entry),
    stillOpen: isAgain ? stillOpen.map(({ entry }) => entry) : [],
    others: open.length - notified.size,
    isAllClear,
  };
}

/** Those that are not in Work any more, for as long as they may come back. */
function leaving(
  known: NotifierState['entries'],
  open: readonly { readonly id: string }[],
  { unread }: InboxView,
  now: number,
): NotifierState['entries'] {
  const present = new Set(open.map(({ id }) => id));
  const unreadKinds = new Set<string | null>(unread.map(({ kind }) => kind));
  const gone = Object.entries(known).flatMap(([id, entry]): [string, NotifiedEntry][] => {
    if (present.has(id)) return [];
    const { goneSince = new Date(now).toISOString() } = entry;
    const settleMs = unreadKinds.has(entry.kind) ? SETTLE_UNREAD_MS : SETTLE_MS;
    return isOver(goneSince, settleMs, now) ? [] : [[id, { ...entry, goneSince }]];
  });
  return Object.fromEntries(gone);
}

const isOver = (since: string | undefined, afterMs: number | null, now: number): boolean =>
  since !== undefined && afterMs !== null && now - Date.parse(since) >= afterMs;

const highestOf = (highest: number | null, priorities: readonly number[]): number | null =>
  priorities.reduce<number | null>((most, each) => Math.max(most ?? each, each), highest);

/** It has one length, and no business key in it. */
const hashOf = (id: string): string => createHash('sha256').update(id).digest('base64url').slice(0, 16);
