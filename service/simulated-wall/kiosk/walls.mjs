// The list of the walls that this program simulates.
import { cells, element } from './wall-program.mjs';

/** @typedef {import('../lockers/wall-view.ts').WallSummary} WallSummary */

const answer = await fetch('/walls');
/** @type {{ walls: readonly WallSummary[] }} */
const { walls } = await answer.json();
element('walls').append(
  ...walls.map(({ pupUid, name, isConnected, lockers }) => {
    const path = `/walls/${encodeURIComponent(pupUid)}`;
    const pages = document.createElement('span');
    pages.append(link(path, `Kiosk of ${name}`), ' · ', link(`${path}/doors`, `Doors of ${name}`));
    return cells([
      `${name} (${pupUid})`,
      isConnected ? 'connected' : 'not connected',
      String(lockers),
      pages,
    ]);
  }),
);

/** @param {string} href @param {string} text */
function link(href, text) {
  const found = document.createElement('a');
  found.href = href;
  found.textContent = text;
  return found;
}
