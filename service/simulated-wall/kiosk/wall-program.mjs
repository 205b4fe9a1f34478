// How a page speaks with the wall program that served it: one stream of what the wall looks like, and posts of what a
// person does.

/**
 * @typedef {import('../lockers/wall-view.ts').WallView} WallView
 */

/** @param {string} id */
export function element(id) {
  const found = document.getElementById(id);
  if (!found) throw new TypeError(`The page has no element with the id ${id}`);
  return found;
}

/** From the address /walls/<pupUid>/…, still encoded. */
export const wallPath = location.pathname.split('/').slice(0, 3).join('/');

/**
 * Calls `show` with the wall as it is and after each change, and `lost` while the program does not answer.
 * @param {(view: WallView) => void} show
 * @param {() => void} lost
 */
export function watchWall(show, lost) {
  // It connects again by itself.
  const stream = new EventSource(`${wallPath}/events`);
  stream.addEventListener('message', ({ data }) => show(JSON.parse(data)));
  stream.addEventListener('error', lost);
}

/**
 * What a person does at the wall; gives the program's answer.
 * @param {string} action
 * @param {object} what
 * @returns {Promise<any>}
 */
export async function act(action, what) {
  const answer = await fetch(`${wallPath}/${action}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(what),
  });
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.message ?? `the wall program answered ${answer.status}`);
  return body;
}

/**
 * A row of a table; its first cell is its heading.
 * @param {readonly (string | Node)[]} contents
 */
export function cells(contents) {
  const row = document.createElement('tr');
  contents.forEach((content, index) => {
    const cell = document.createElement(index === 0 ? 'th' : 'td');
    if (index === 0) cell.setAttribute('scope', 'row');
    cell.append(content);
    row.append(cell);
  });
  return row;
}
