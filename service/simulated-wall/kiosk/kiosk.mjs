// The kiosk of one wall: a person types a code; the whole screen then says what to do: put in or take out, close the door, or
// whom to call. It shows the wall as the program tells it, and keeps nothing but the screen and the open goals.
import { EMPTY, FULL, openDoors } from './open-doors.mjs';
import { act, element, watchWall } from './wall-program.mjs';

/** @typedef {import('../lockers/typed-codes.ts').Goal} Goal */
/** @typedef {import('../lockers/wall-view.ts').WallView} WallView */

/**
 * What is told on the whole screen: what is, and what to do now.
 * @typedef {object} Told
 * @property {string} is
 * @property {string} now empty if nothing is to be done
 */

/**
 * What fills the screen. What is told is good or bad: only one of the two.
 * @typedef {object} Screen
 * @property {'start' | 'open' | 'done' | 'failed' | 'pause'} kind
 * @property {string | Told} [good]
 * @property {string | Told} [bad]
 * @property {string} [lockerUid] of the door that is open
 * @property {boolean} [wasSeen] that it is open
 */

/** For so long nobody has touched a screen before it goes back to the start. */
const STAYS_MS = { start: 60_000, open: 90_000, done: 6_000, failed: 15_000, pause: 0 };

const form = /** @type {HTMLFormElement} */ (element('form'));
const input = /** @type {HTMLInputElement} */ (element('code'));
const again = element('again');

const FAILED = { is: 'That does not work now.', now: 'Try again.' };
/** By the outcome of a typed code. */
const REFUSED = {
  wrong: { is: 'This code opens no door now.', now: 'Check the code and enter it again.' },
  failed: FAILED,
  offline: { is: 'There is no connection.', now: 'Try again later.' },
  noAnswer: { is: 'There was no answer.', now: 'Try again.' },
};

/** @type {WallView | undefined} */
let wall;
/** @type {Screen} */
let screen = { kind: 'start' };
/** By lockerUid: what the person of an open door came for. @type {Map<string, Goal>} */
const goals = new Map();
let isAnswering = false;
/** The program does not answer: the page says only that. What it said of a code before, it says again afterwards. */
let isLost = false;

/** How long the screen stays, and until when: it goes by itself, and later if somebody touches it meanwhile. */
let staysMs = 0;
let until = 0;

const doors = openDoors(element('open-doors'), {
  put: (lockerUid, present) => doing(() => act('item', { lockerUid, present })),
  close: async (lockerUid) => {
    // That the door of the screen is shut is seen, also if somebody shuts it by hand.
    const isSeen = screen.lockerUid === lockerUid;
    if ((await doing(() => act('close', { lockerUid }))) && !isSeen) closed(lockerUid);
  },
});

/** @param {Screen} next @param {number} [forMs] */
function turnTo(next, forMs = STAYS_MS[next.kind]) {
  screen = next;
  isLost = false;
  stay(forMs);
  show();
  if (next.kind === 'start') input.focus();
  else if (next.kind === 'done' || next.kind === 'failed') again.focus();
}

/** @param {number} ms */
function stay(ms) {
  staysMs = ms;
  until = Date.now() + ms;
  tick();
}

function tick() {
  const seconds = Math.ceil(Math.max(0, until - Date.now()) / 1_000);
  element('again-seconds').textContent = ` (${seconds})`;
  const minutes = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  element('pause').textContent = `You can enter a code again in ${minutes}.`;
  if (seconds === 0) toStart();
}

/** Whoever touches the screen does not shorten a pause, and does not prolong it. */
function touched() {
  if (screen.kind !== 'pause') until = Date.now() + staysMs;
}

function toStart() {
  // Nobody is there: what an impatient person typed is not left for the next one.
  if (screen.kind === 'start' && !screen.bad && input.value === '') return stay(STAYS_MS.start);
  if (!isAnswering) input.value = '';
  turnTo({ kind: 'start' });
}

/** Whether it worked. @param {() => Promise<unknown>} action */
async function doing(action) {
  try {
    await action();
    return true;
  } catch {
    turnTo({ kind: 'failed', bad: FAILED });
    return false;
  }
}

/** The person is told of what was left in it, or is not in it. @param {string} lockerUid */
function closed(lockerUid) {
  const locker = lockerOf(lockerUid);
  const goal = goals.get(lockerUid);
  goals.delete(lockerUid);
  if (!locker) return toStart();
  const isAsWanted = goal === undefined || locker.item === (goal === 'DropOff');
  const inside = locker.item ? FULL : EMPTY;
  turnTo({
    kind: 'done',
    good: { is: `Locker ${locker.lockerName} is closed. Thank you.`, now: isAsWanted ? '' : inside },
  });
}

/** @param {string} lockerUid */
const lockerOf = (lockerUid) => wall?.lockers.find((each) => each.lockerUid === lockerUid);

function show() {
  document.title = wall ? `Lockers: ${wall.name}` : 'Lockers';
  element('name').textContent = wall?.name ?? '';
  const { kind, lockerUid = '', good, bad } = screen;
  const isStart = kind === 'start' && !isLost;
  document.body.dataset.screen = isLost ? 'failed' : kind;
  element('typing').hidden = !isStart;
  // Before its card takes the focus.
  element('doors').hidden = !isStart && (kind !== 'open' || lockerOf(lockerUid)?.door !== 'open');
  doors.show(wall?.lockers ?? [], { goals, only: kind === 'open' ? lockerUid : undefined });
  element('no-doors').hidden = doors.areOpen();
  tell(element('said'), isLost ? undefined : good);
  tell(element('wrong'), isLost ? 'This screen has no connection. One moment …' : bad);
  element('pause').hidden = kind !== 'pause' || isLost;
  again.hidden = isStart || kind === 'pause' || isLost;
}

/**
 * A screen reader speaks a text again when it is set, also to the same words: so only when it changes.
 * @param {HTMLElement} where
 * @param {string | Told | undefined} what
 */
function tell(where, what) {
  const { is, now } = typeof what === 'string' ? { is: what, now: '' } : (what ?? { is: '', now: '' });
  const isHeading = screen.kind !== 'start' || isLost;
  const kept = JSON.stringify([is, now, isHeading]);
  if (where.dataset.told === kept) return;
  where.dataset.told = kept;
  where.replaceChildren(
    ...(is ? [withText(isHeading ? 'h1' : 'p', is)] : []),
    ...(now ? [withText('p', now)] : []),
  );
}

/** @param {'h1' | 'p'} tag @param {string} text */
function withText(tag, text) {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

/** @param {string} key */
function press(key) {
  input.value = key === 'erase' ? input.value.slice(0, -1) : `${input.value}${key}`.slice(0, input.maxLength);
}

async function enter() {
  if (isAnswering) return;
  const code = input.value.trim();
  if (code === '') return turnTo({ kind: 'start', bad: 'Enter your code first.' });
  isAnswering = true;
  input.value = '';
  turnTo({ kind: 'start', good: 'One moment …' });
  try {
    answer(await act('code', { code }));
  } catch {
    answer({ outcome: 'failed' });
  } finally {
    isAnswering = false;
  }
}

/** @param {import('../lockers/typed-codes.ts').TypedAnswer} typed */
function answer(typed) {
  if (typed.outcome === 'opened') {
    const { lockerUid, lockerName, goal } = typed;
    // A door may say that it opened and be shut: the person sees that, the wall does not.
    if (typed.door === 'closed')
      return turnTo({
        kind: 'failed',
        bad: {
          is: `Locker ${lockerName} should be open.`,
          now: 'Is its door shut? Do not pull at it; ask for help.',
        },
      });
    goals.set(lockerUid, goal);
    const wasSeen = lockerOf(lockerUid)?.door === 'open';
    turnTo({ kind: 'open', good: `Locker ${lockerName} is open`, lockerUid, wasSeen });
    doors.focus(lockerUid);
  } else if (typed.outcome === 'tooMany') {
    const bad = { is: 'Too many wrong codes were entered.', now: 'Please wait.' };
    turnTo({ kind: 'pause', bad }, typed.waitMs);
  } else if (typed.outcome === 'stuck') {
    const bad = {
      is: `The door of locker ${typed.lockerName} does not open.`,
      now: 'Enter your code again.',
    };
    turnTo({ kind: 'failed', bad });
  } else turnTo({ kind: 'failed', bad: REFUSED[typed.outcome] });
}

function addKeys() {
  for (const key of [1, 2, 3, 4, 5, 6, 7, 8, 9, 0].map(String)) addKey(key, key);
  addKey('erase', 'Erase a digit');
}

/** @param {string} key @param {string} text */
function addKey(key, text) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = text;
  button.addEventListener('click', () => press(key));
  element('keys').append(button);
}

addKeys();
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void enter();
});
again.addEventListener('click', toStart);
for (const touch of ['pointerdown', 'keydown']) addEventListener(touch, touched);
addEventListener('keydown', ({ key }) => {
  const isPassing = screen.kind !== 'start' && screen.kind !== 'pause';
  // Whoever types the next code sees it: the digit goes into the field, which has the focus before it comes.
  if (isPassing && (key === 'Escape' || /^\d$/.test(key))) toStart();
});
// Often enough that a second is never skipped.
setInterval(tick, 250);
turnTo({ kind: 'start' });
watchWall(
  (view) => {
    wall = view;
    isLost = false;
    for (const { lockerUid, door } of view.lockers) {
      if (screen.lockerUid !== lockerUid) continue;
      if (door === 'open') screen.wasSeen = true;
      // Somebody has shut it by hand.
      else if (screen.wasSeen) return closed(lockerUid);
    }
    show();
  },
  () => {
    wall = undefined;
    isLost = true;
    show();
  },
);
