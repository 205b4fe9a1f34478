// The views of the flows.
import { flowWords } from '../parts/flow-words.ts';
import type { View } from '../shell/view.ts';
import { wordsNow } from '../shell/words.ts';
import { Flow } from './flow.tsx';
import { Flows } from './flows.tsx';

export const flowsViews: readonly View[] = [
  {
    path: '/flows',
    title: () => wordsNow().flows.title,
    view: Flows,
    isInCatalogue: true,
    inNavigation: { label: 'Flows', key: 'f' },
  },
  { path: '/flows/:flow', title: ({ flow = '' }) => flowWords(flow), view: Flow, isInCatalogue: true },
];
