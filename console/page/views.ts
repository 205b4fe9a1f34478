// Every view of the console, by area. An area's views stand in its own folder.
import { deskViews } from './desk/desk-views.tsx';
import { flowsViews } from './flows/flows-views.tsx';
import { homeViews } from './home/home-views.tsx';
import { inboxViews } from './inbox/inbox-views.tsx';
import { processViews } from './process/process-views.tsx';
import { processesViews } from './processes/processes-views.tsx';
import type { View } from './shell/view.ts';
import { wallsViews } from './walls/walls-views.tsx';

export const views: readonly View[] = [
  ...homeViews,
  ...inboxViews,
  ...processesViews,
  ...processViews,
  ...wallsViews,
  ...deskViews,
  ...flowsViews,
];
