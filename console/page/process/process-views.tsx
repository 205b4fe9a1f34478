// The view of one process.
import type { View } from '../shell/view.ts';
import { Process } from './process.tsx';

export const processViews: readonly View[] = [
  { path: '/process/:key', title: ({ key = '' }) => key, view: Process, isInCatalogue: true },
];
