// The entry of the page.
import { render } from 'preact';
import { App } from './shell/app.tsx';
import '../../shared/styles/base.css';
import '../../shared/styles/parts.css';
import { displayTexts } from './shell/displayed-text.ts';
import './shell/shell.css';
import { views } from './views.ts';

const place = document.getElementById('page');
if (!place) throw new TypeError('The page has no element with the id page');
displayTexts();
render(<App views={views} />, place);
