// Texts of others in Markdown: Temporal's Web UI shows summaries and details of workflows as Markdown of GitHub's kind. Every
// text that is not lockerflow's own gets in through here. It runs in Temporal's sandbox too.
import { escapeControlCharacters } from '../terminal/escape-control-characters.ts';

/** Words and times mean nothing in Markdown, wherever they stand, and no address among them becomes a link. */
const ORDINARY = /^(?:\p{L}|\d{4}-)(?:[\p{L}\p{N} ,;'()-]|[.:!?](?= |$)|(?<=\d)[.:](?=\d))*$/u;

/** As it is, if it is ordinary words; otherwise as code. */
export const shownAsText = (text: string): string => (ORDINARY.test(text) ? text : code(text));

/** In backticks, where nothing has a meaning and no quotes become typographic ones. A pipe would end the cell of a table. */
export function code(text: string): string {
  if (text === '') return '';
  const shown = escapeControlCharacters(text).replaceAll('|', '\\u007c');
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  // Markdown takes one space from each side away if both have one.
  const room = /^`|`$|^ .*[^ ].* $/.test(shown) ? ' ' : '';
  return `${fence}${room}${shown}${room}${fence}`;
}
