// The view of the inbox.
import type { View } from '../shell/view.ts';
import { Inbox } from './inbox.tsx';
import './inbox.css';

export const inboxViews: readonly View[] = [
  { path: '/inbox', title: () => 'Inbox', view: Inbox, inNavigation: { label: 'Inbox', key: 'i' } },
];
