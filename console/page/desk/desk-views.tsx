// The views of the desk: a parcel, and the start of any flow.
import type { View } from '../shell/view.ts';
import { Desk } from './desk.tsx';
import { StartFlow } from './start-flow.tsx';
import { StartList } from './start-list.tsx';
import './desk.css';

export const deskViews: readonly View[] = [
  { path: '/desk', title: () => 'Desk', view: Desk, inNavigation: { label: 'Desk', key: 'd' } },
  { path: '/desk/start', title: () => 'Start a process', view: StartList },
  { path: '/desk/start/:flow', title: ({ flow }) => `Start ${flow}`, view: StartFlow },
];
