// What the page gets to show of the inbox.
export type {
  ComparedLast,
  EntryKind,
  InboxEntry,
  InboxView,
  Unread,
} from '../../processes/views/inbox/inbox-entry.ts';
