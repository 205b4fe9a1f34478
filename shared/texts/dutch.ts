// The catalogue in Dutch: of what servers say, and of what the page says itself.
import { pageInDutch } from './dutch-page.ts';
import { sentencesInDutch } from './dutch-sentences.ts';
import type { Catalogue } from './text.ts';

export const dutch: Catalogue = { ...sentencesInDutch, ...pageInDutch };
