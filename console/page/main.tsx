// The entry of the page.
import { render } from 'preact';
import '../../shared/styles/base.css';
import '../../shared/styles/parts.css';
import { speak } from './language.ts';
import { displayTexts } from './shell/displayed-text.ts';
import './shell/shell.css';

const place = document.getElementById('page');
if (!place) throw new TypeError('The page has no element with the id page');
displayTexts();
await speak();
// Texts are rendered where modules begin, too.
const [{ App }, { views }] = await Promise.all([import('./shell/app.tsx'), import('./views.ts')]);
render(<App views={views} />, place);
