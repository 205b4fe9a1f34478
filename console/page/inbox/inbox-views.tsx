// The view of the inbox.
import type { View } from '../shell/view.ts';
import { wordsNow } from '../shell/words.ts';
import { Inbox } from './inbox.tsx';
import './inbox.css';

export const inboxViews: readonly View[] = [
  {
    path: '/inbox',
    title: () => wordsNow().work.title,
    view: Inbox,
    isInCatalogue: true,
    inNavigation: { label: 'Work', key: 'i' },
  },
];
