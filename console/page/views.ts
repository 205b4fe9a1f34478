// Every view of the console; those of the navigation first, in its order.
import type { ComponentType } from 'preact';
import { Desk } from './desk/desk.tsx';
import { Flow } from './flows/flow.tsx';
import { Flows } from './flows/flows.tsx';
import { Inbox } from './inbox/inbox.tsx';
import { formatFlow } from './parts/format-flow.ts';
import { Process } from './process/process.tsx';
import { Processes } from './processes/processes.tsx';
import { currentMessages } from './shell/locale.ts';
import type { View, ViewProps } from './shell/view.ts';
import { WallPage } from './walls/wall-page.tsx';
import { Walls } from './walls/walls.tsx';

const inNavigation = (
  path: keyof ReturnType<typeof currentMessages>['shell']['navigation'],
  view: ComponentType<ViewProps>,
): View => ({
  path,
  view,
  title: () => currentMessages().shell.navigation[path],
  isInNavigation: true,
});

export const views: readonly View[] = [
  inNavigation('/inbox', Inbox),
  inNavigation('/processes', Processes),
  inNavigation('/walls', Walls),
  inNavigation('/desk', Desk),
  inNavigation('/flows', Flows),
  { path: '/', title: () => currentMessages().shell.navigation['/inbox'], view: Inbox },
  { path: '/process/:key', title: ({ key = '' }) => key, view: Process },
  {
    path: '/walls/:pupUid',
    title: ({ pupUid = '' }) => currentMessages().walls.wall(pupUid),
    view: WallPage,
  },
  {
    path: '/desk/start/:flow',
    title: ({ flow = '' }) => currentMessages().desk.start.of(formatFlow(flow)),
    view: Desk,
  },
  { path: '/flows/:flow', title: ({ flow = '' }) => formatFlow(flow), view: Flow },
];
