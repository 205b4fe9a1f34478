// The views of the walls: the list of pick up points, and each as it stands.
import type { View } from '../shell/view.ts';
import { WallPage } from './wall-page.tsx';
import { Walls } from './walls.tsx';
import './walls.css';

export const wallsViews: readonly View[] = [
  { path: '/walls', title: () => 'Walls', view: Walls, inNavigation: { label: 'Walls', key: 'w' } },
  { path: '/walls/:pupUid', title: ({ pupUid }) => `Wall ${pupUid}`, view: WallPage },
];
