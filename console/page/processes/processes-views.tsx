// The views of the processes.
import type { View } from '../shell/view.ts';
import { Processes } from './processes.tsx';

export const processesViews: readonly View[] = [
  {
    path: '/processes',
    title: () => 'Processes',
    view: Processes,
    inNavigation: { label: 'Processes', key: 'p' },
  },
];
