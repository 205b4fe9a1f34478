// The entry of the page.
import '../../shared/styles/base.css';
import '../../shared/styles/parts.css';
import { speak } from './language.ts';
import { displayTexts } from './shell/displayed-text.ts';
import './shell/shell.css';

const place = document.getElementById('page');
if (!place) throw new TypeError('The page has no element with the id page');
displayTexts();
await speak();
const { begin } = await import('./begin.tsx');
begin(place);
