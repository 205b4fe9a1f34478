// The views of the processes.
import type { View } from '../shell/view.ts';
import { wordsNow } from '../shell/words.ts';
import { LockList } from './locks.tsx';
import { Processes } from './processes.tsx';

export const processesViews: readonly View[] = [
  {
    path: '/processes',
    title: () => wordsNow().list.title,
    view: Processes,
    isInCatalogue: true,
    inNavigation: { label: 'Processes', key: 'p' },
  },
  { path: '/locks', title: () => wordsNow().list.locks.title, view: LockList, isInCatalogue: true },
];
