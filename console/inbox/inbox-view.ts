// What the page gets to show of the inbox.
export type {
  ComparedLast,
  EntryGroup,
  EntryKind,
  InboxEntry,
  InboxView,
  Unread,
  WorkEntry,
  WorkView,
} from '../../processes/views/inbox/inbox-entry.ts';
