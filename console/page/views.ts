// Every view of the console, by area. An area's views stand in its own folder.
import { processesViews } from './processes/processes-views.tsx';
import type { View } from './shell/view.ts';

export const views: readonly View[] = [...processesViews];
