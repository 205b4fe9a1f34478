// The view of the first page.
import type { View } from '../shell/view.ts';
import { wordsNow } from '../shell/words.ts';
import { Home } from './home.tsx';

export const homeViews: readonly View[] = [
  {
    path: '/',
    title: () => wordsNow().home.title,
    view: Home,
    isInCatalogue: true,
    inNavigation: { label: 'Home', key: 'h' },
  },
];
