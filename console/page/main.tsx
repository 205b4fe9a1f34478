// The entry of the page.
import { render } from 'preact';
import { App } from './shell/app.tsx';
import './style/base.css';
import './style/parts.css';
import { loadWords } from './shell/locale.ts';
import './style/shell.css';
import { views } from './views.ts';

const place = document.getElementById('page');
if (!place) throw new TypeError('The page has no element with the id page');
// In the reader's language from the beginning.
try {
  await loadWords();
  render(<App views={views} />, place);
} catch (error) {
  // It has no words to say it in the reader's language.
  place.textContent = 'The console could not be loaded. Reload the page.';
  throw error;
}
