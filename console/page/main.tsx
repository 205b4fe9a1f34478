// The entry of the page.
import { render } from 'preact';
import { App } from './shell/app.tsx';
import './style/base.css';
import './style/parts.css';
import './style/shell.css';
import { views } from './views.ts';

const place = document.getElementById('page');
if (!place) throw new TypeError('The page has no element with the id page');
render(<App views={views} />, place);
