// The page in the language of its reader: imported once that is known, for texts are rendered where modules begin, too.
import { render } from 'preact';
import { App } from './shell/app.tsx';
import { views } from './views.ts';

export const begin = (place: HTMLElement): void => render(<App views={views} />, place);
