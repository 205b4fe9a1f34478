// Every door of one wall, for the person who tries things out: what is true, what the service is told, and the faults.
import { act, cells, element, wallPath, watchWall } from './wall-program.mjs';

/** @typedef {import('../lockers/wall-view.ts').WallView} WallView */
/** @typedef {import('../lockers/wall-state.ts').Locker} Locker */

/** @type {Readonly<Record<Locker['fault'], string>>} */
const faults = {
  None: 'none',
  Stuck: 'stuck: stays shut',
  Slow: 'slow: opens late',
  SaysOpened: 'lies: stays shut, says opened',
  SaysShut: 'lies: opens, says shut',
};

const cable = element('cable');
/** @type {Map<string, ReturnType<typeof lockerRow>>} */
const rows = new Map();
/** @type {WallView | undefined} */
let wall;

/** @param {string} action @param {object} what */
async function doing(action, what) {
  try {
    await act(action, what);
    element('wrong').textContent = '';
  } catch (error) {
    element('wrong').textContent = error instanceof Error ? error.message : String(error);
  }
}

cable.addEventListener('click', () => void doing('cable', { pluggedIn: !wall?.isPluggedIn }));
element('kiosk').setAttribute('href', wallPath);
watchWall(show, () => {
  element('connection').textContent = 'The wall program does not answer.';
});

/** @param {WallView} view */
function show(view) {
  wall = view;
  document.title = `Doors of ${view.name}`;
  element('title').textContent = `Doors of ${view.name}`;
  cable.textContent = view.isPluggedIn ? 'Pull out the network cable' : 'Plug in the network cable';
  element('connection').textContent = view.isConnected ? 'Connected.' : 'Not connected to the service.';
  for (const locker of view.lockers) {
    const row = rows.get(locker.lockerUid) ?? lockerRow(locker);
    if (!rows.has(locker.lockerUid)) element('lockers').append(row.element);
    rows.set(locker.lockerUid, row);
    row.show(locker);
  }
}

/** @param {Locker} locker */
function lockerRow({ lockerUid, lockerName, size }) {
  const [door, contact, inside] = [span(), span(), span()];
  const fault = document.createElement('select');
  fault.setAttribute('aria-label', `Fault of locker ${lockerName}`);
  fault.append(...Object.entries(faults).map(([value, text]) => new Option(text, value)));
  fault.addEventListener('change', () => void doing('fault', { lockerUid, fault: fault.value }));
  const hand = document.createElement('button');
  hand.type = 'button';
  hand.className = 'button';
  let isOpen = false;
  hand.addEventListener('click', () => void doing(isOpen ? 'close' : 'key', { lockerUid }));
  return {
    element: cells([lockerName, size, door, contact, inside, fault, hand]),
    /** @param {Locker} now */
    show(now) {
      isOpen = now.door === 'open' || now.contact === 'open';
      door.textContent = now.door;
      contact.textContent = now.contact;
      inside.textContent = now.item ? 'something' : 'empty';
      // Not while it is being chosen.
      if (document.activeElement !== fault) fault.value = now.fault;
      hand.textContent = isOpen ? `Shut door ${lockerName}` : `Open door ${lockerName} with a key`;
    },
  };
}

const span = () => document.createElement('span');
