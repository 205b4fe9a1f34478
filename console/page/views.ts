// Every view of the console; those of the navigation first, in its order.
import type { ComponentType } from 'preact';
import { Desk } from './desk/desk.tsx';
import { StartFlow, StartList } from './desk/start-flow.tsx';
import { Flow } from './flows/flow.tsx';
import { Flows } from './flows/flows.tsx';
import { Home } from './home/home.tsx';
import { Inbox } from './inbox/inbox.tsx';
import { formatFlow } from './parts/format-flow.ts';
import { Process } from './process/process.tsx';
import { LockList } from './processes/locks.tsx';
import { Processes } from './processes/processes.tsx';
import { common, currentMessages } from './shell/locale.ts';
import type { View, ViewProps } from './shell/view.ts';
import { WallPage } from './walls/wall-page.tsx';
import { Walls } from './walls/walls.tsx';

const inNavigation = (
  path: keyof ReturnType<typeof currentMessages>['shell']['navigation'],
  key: string,
  view: ComponentType<ViewProps>,
): View => ({ path, key, view, title: () => currentMessages().shell.navigation[path] });

export const views: readonly View[] = [
  inNavigation('/', 'h', Home),
  inNavigation('/inbox', 'i', Inbox),
  inNavigation('/processes', 'p', Processes),
  inNavigation('/walls', 'w', Walls),
  inNavigation('/desk', 'd', Desk),
  inNavigation('/flows', 'f', Flows),
  { path: '/locks', title: () => common().locks, view: LockList },
  { path: '/process/:key', title: ({ key = '' }) => key, view: Process },
  {
    path: '/walls/:pupUid',
    title: ({ pupUid = '' }) => currentMessages().walls.wall(pupUid),
    view: WallPage,
  },
  { path: '/desk/start', title: () => currentMessages().desk.start.title, view: StartList },
  {
    path: '/desk/start/:flow',
    title: ({ flow = '' }) => currentMessages().desk.start.of(formatFlow(flow)),
    view: StartFlow,
  },
  { path: '/flows/:flow', title: ({ flow = '' }) => formatFlow(flow), view: Flow },
];
