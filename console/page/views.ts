// Every view of the console; those of the navigation first, in its order.
import type { ComponentType } from 'preact';
import { Desk } from './desk/desk.tsx';
import { StartFlow, StartList } from './desk/start-flow.tsx';
import { Flow } from './flows/flow.tsx';
import { Flows } from './flows/flows.tsx';
import { Home } from './home/home.tsx';
import { Inbox } from './inbox/inbox.tsx';
import { flowWords } from './parts/flow-words.ts';
import { Process } from './process/process.tsx';
import { LockList } from './processes/locks.tsx';
import { Processes } from './processes/processes.tsx';
import type { View, ViewProps } from './shell/view.ts';
import { common, wordsNow } from './shell/words.ts';
import { WallPage } from './walls/wall-page.tsx';
import { Walls } from './walls/walls.tsx';

const inNavigation = (
  path: keyof ReturnType<typeof wordsNow>['shell']['navigation'],
  key: string,
  view: ComponentType<ViewProps>,
): View => ({ path, key, view, title: () => wordsNow().shell.navigation[path] });

export const views: readonly View[] = [
  inNavigation('/', 'h', Home),
  inNavigation('/inbox', 'i', Inbox),
  inNavigation('/processes', 'p', Processes),
  inNavigation('/walls', 'w', Walls),
  inNavigation('/desk', 'd', Desk),
  inNavigation('/flows', 'f', Flows),
  { path: '/locks', title: () => common().locks, view: LockList },
  { path: '/process/:key', title: ({ key = '' }) => key, view: Process },
  { path: '/walls/:pupUid', title: ({ pupUid = '' }) => wordsNow().walls.wall(pupUid), view: WallPage },
  { path: '/desk/start', title: () => wordsNow().desk.start.title, view: StartList },
  {
    path: '/desk/start/:flow',
    title: ({ flow = '' }) => wordsNow().desk.start.of(flowWords(flow)),
    view: StartFlow,
  },
  { path: '/flows/:flow', title: ({ flow = '' }) => flowWords(flow), view: Flow },
];
