// Every view of the console; those of the navigation first, in its order.
import type { ComponentType } from 'preact';
import { formatFlowName } from '../../processes/views/format-names.ts';
import { t } from '../../shared/texts/text.ts';
import { Desk } from './desk/desk.tsx';
import { Found } from './find/found.tsx';
import { Item } from './find/item.tsx';
import { Person } from './find/person.tsx';
import { Flow } from './flows/flow.tsx';
import { Flows } from './flows/flows.tsx';
import { Home } from './home/home.tsx';
import { Inbox } from './inbox/inbox.tsx';
import { Log } from './log/log.tsx';
import type { IconName } from './parts/icon.tsx';
import { Process } from './process/process.tsx';
import { Batch, Batches } from './processes/batches.tsx';
import { Processes } from './processes/processes.tsx';
import type { View, ViewProps } from './shell/view.ts';
import { Round } from './walls/round.tsx';
import { WallPage } from './walls/wall-page.tsx';
import { Walls } from './walls/walls.tsx';

const inNavigation = (path: string, title: string, icon: IconName, view: ComponentType<ViewProps>): View => ({
  path,
  view,
  icon,
  title: () => title,
});

export const views: readonly View[] = [
  inNavigation('/', t`Home`, 'home', Home),
  inNavigation('/inbox', t`Work`, 'work', Inbox),
  inNavigation('/processes', t`Cases`, 'cases', Processes),
  inNavigation('/log', t`Log`, 'log', Log),
  inNavigation('/walls', t`Walls`, 'wall', Walls),
  inNavigation('/desk', t`Desk`, 'desk', Desk),
  inNavigation('/flows', t`Flows`, 'flows', Flows),
  { path: '/search', title: () => t`Find`, view: Found },
  { path: '/people/:userUid', title: () => t`A person`, view: Person },
  { path: '/items/:reference', title: ({ reference = '' }) => reference, view: Item },
  { path: '/process/:key', title: ({ key = '' }) => key, view: Process },
  {
    path: '/walls/:pupUid',
    title: ({ pupUid = '' }) => t`Wall ${pupUid}`,
    view: WallPage,
  },
  { path: '/walls/:pupUid/round', title: () => t`Round`, view: Round },
  {
    path: '/desk/start/:flow',
    title: ({ flow = '' }) => t`Start: ${formatFlowName(flow)}`,
    view: Desk,
  },
  { path: '/batches', title: () => t`Batches`, view: Batches },
  { path: '/batches/:id', title: () => t`Batch`, view: Batch },
  { path: '/flows/:flow', title: ({ flow = '' }) => formatFlowName(flow), view: Flow },
];
