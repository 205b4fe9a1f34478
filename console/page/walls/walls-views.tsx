// The views of the walls: the list of pick up points, and each as it stands.
import type { View } from '../shell/view.ts';
import { wordsNow } from '../shell/words.ts';
import { WallPage } from './wall-page.tsx';
import { Walls } from './walls.tsx';
import './walls.css';

export const wallsViews: readonly View[] = [
  {
    path: '/walls',
    title: () => wordsNow().walls.title,
    view: Walls,
    isInCatalogue: true,
    inNavigation: { label: 'Walls', key: 'w' },
  },
  {
    path: '/walls/:pupUid',
    title: ({ pupUid }) => wordsNow().walls.wall(pupUid ?? ''),
    view: WallPage,
    isInCatalogue: true,
  },
];
