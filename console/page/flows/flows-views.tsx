// The views of the flows.
import type { View } from '../shell/view.ts';
import { Flow } from './flow.tsx';
import { Flows } from './flows.tsx';

export const flowsViews: readonly View[] = [
  { path: '/flows', title: () => 'Flows', view: Flows, inNavigation: { label: 'Flows', key: 'f' } },
  { path: '/flows/:flow', title: ({ flow = '' }) => flow, view: Flow },
];
