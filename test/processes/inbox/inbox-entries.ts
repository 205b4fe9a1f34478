// Entries of an inbox, for what sorts them or notifies of them.
import type { EntryKind, InboxEntry, InboxView } from '../../../processes/inbox/inbox-entry.ts';

export const inboxEntry = (id: string, more: Partial<InboxEntry> = {}): InboxEntry => ({
  id,
  kind: 'question',
  since: null,
  clockAheadMs: 0,
  title: id,
  why: '',
  ifNothing: '',
  toDo: '',
  key: id,
  pupUid: null,
  lockerName: null,
  shipmentUid: null,
  actions: [],
  ...more,
});

export const door = (id: string, more: Partial<InboxEntry> = {}): InboxEntry =>
  inboxEntry(id, { kind: 'door', priority: 90, key: null, pupUid: 'pup-1', ...more });

export const viewOf = (entries: readonly InboxEntry[], ...unread: EntryKind[]): InboxView => ({
  entries,
  unread: unread.map((kind) => ({ kind, what: kind, why: 'away' })),
});
