// The views of the desk: a parcel, and the start of any flow.
import { flowWords } from '../parts/flow-words.ts';
import type { View } from '../shell/view.ts';
import { wordsNow } from '../shell/words.ts';
import { Desk } from './desk.tsx';
import { StartFlow, StartList } from './start-flow.tsx';
import './desk.css';

export const deskViews: readonly View[] = [
  {
    path: '/desk',
    title: () => wordsNow().desk.title,
    view: Desk,
    isInCatalogue: true,
    inNavigation: { label: 'Desk', key: 'd' },
  },
  { path: '/desk/start', title: () => wordsNow().desk.start.title, view: StartList, isInCatalogue: true },
  {
    path: '/desk/start/:flow',
    title: ({ flow = '' }) => wordsNow().desk.start.of(flowWords(flow)),
    view: StartFlow,
    isInCatalogue: true,
  },
];
