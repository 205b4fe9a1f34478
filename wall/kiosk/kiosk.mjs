// The kiosk of one wall: a person types a code, sees which door is open, puts in or takes out, and closes it. It shows the
// wall as the program tells it, and keeps nothing but the language and what was just said.
import { openDoors } from './open-doors.mjs';
import { act, element, watchWall } from './wall-program.mjs';
import { spokenLanguage, words, wordsIn } from './words.mjs';

/** @typedef {import('./words.mjs').Words} Words */
/** @typedef {import('../lockers/wall-view.ts').WallView} WallView */

const form = /** @type {HTMLFormElement} */ (element('form'));
const input = /** @type {HTMLInputElement} */ (element('code'));
const status = element('said');
const alert = element('wrong');

/** The person before: whoever comes next is asked in the kiosk's own language again. */
const ownLanguage = spokenLanguage([
  new URLSearchParams(location.search).get('language'),
  ...navigator.languages,
]);
let language = ownLanguage;
/** @type {WallView | undefined} */
let wall;
/** @type {(words: Words) => string} */
let said = () => '';
/** @type {(words: Words) => string} */
let wrong = () => '';
let isAnswering = false;
/** The program does not answer: the page says only that. What it said of a code before, it says again afterwards. */
let isLost = false;

const doors = openDoors(element('open-doors'), {
  put: (lockerUid, present) => doing(() => act('item', { lockerUid, present })),
  close: async (lockerUid, lockerName) => {
    if (!(await doing(() => act('close', { lockerUid })))) return;
    tell((texts) => texts.closed(lockerName));
    input.focus();
  },
});

/** @param {string} next */
function speak(next) {
  language = next;
  show();
}

/**
 * One of the two is empty: what went well, or what went wrong.
 * @param {(words: Words) => string} good
 * @param {(words: Words) => string} [bad]
 */
function tell(good, bad = () => '') {
  said = good;
  wrong = bad;
  isLost = false;
  show();
}

/** Whether it worked. @param {() => Promise<unknown>} action */
async function doing(action) {
  try {
    await action();
    return true;
  } catch {
    tell(
      () => '',
      (texts) => texts.failed,
    );
    return false;
  }
}

function show() {
  const texts = wordsIn(language);
  document.documentElement.lang = language;
  document.title = wall ? `${texts.page}: ${wall.name}` : texts.page;
  for (const each of document.querySelectorAll('[data-words]')) {
    const key = /** @type {'heading'} */ (each.getAttribute('data-words'));
    each.textContent = texts[key];
  }
  element('name').textContent = wall?.name ?? '';
  element('languages').setAttribute('aria-label', texts.languages);
  for (const button of element('languages').querySelectorAll('button'))
    button.setAttribute('aria-pressed', String(button.lang === language));
  replace(status, isLost ? '' : said(texts));
  replace(alert, isLost ? texts.pageLost : wrong(texts));
  doors.show(wall?.lockers ?? [], texts);
  element('no-doors').hidden = doors.areOpen();
}

/** A screen reader speaks a text again when it is set, also to the same words: so only when it changes. @param {HTMLElement} where @param {string} text */
function replace(where, text) {
  if (where.textContent !== text) where.textContent = text;
}

/** @param {string} key */
function press(key) {
  input.value = key === 'erase' ? input.value.slice(0, -1) : `${input.value}${key}`.slice(0, input.maxLength);
}

async function enter() {
  if (isAnswering) return;
  const code = input.value.trim();
  if (code === '') {
    tell(
      () => '',
      (texts) => texts.noCode,
    );
    input.focus();
    return;
  }
  isAnswering = true;
  input.value = '';
  tell((texts) => texts.wait);
  try {
    answer(await act('code', { code }));
  } catch {
    answer({ outcome: 'failed' });
  } finally {
    isAnswering = false;
  }
}

/** @param {import('../lockers/wall-view.ts').TypedAnswer} typed */
function answer(typed) {
  if (typed.outcome === 'opened') {
    const { lockerUid, lockerName } = typed;
    if (typed.language) language = spokenLanguage([typed.language]);
    // A door may say that it opened and be shut: the person sees that, the wall does not.
    if (typed.door === 'closed') {
      tell(
        () => '',
        (texts) => texts.stillShut(lockerName),
      );
      input.focus();
    } else {
      tell((texts) => texts.open(lockerName));
      doors.focus(lockerUid);
    }
    return;
  }
  const { outcome } = typed;
  tell(
    () => '',
    (texts) => (outcome === 'stuck' ? texts.stuck(typed.lockerName) : texts[outcome]),
  );
  input.focus();
}

function addLanguages() {
  for (const [code, texts] of Object.entries(words)) {
    const button = document.createElement('button');
    button.type = 'button';
    button.lang = code;
    button.textContent = texts.language;
    button.addEventListener('click', () => speak(code));
    element('languages').append(button);
  }
}

function addKeys() {
  for (const key of [1, 2, 3, 4, 5, 6, 7, 8, 9, 0].map(String)) addKey(key, key);
  addKey('erase', '').setAttribute('data-words', 'erase');
}

/** @param {string} key @param {string} text */
function addKey(key, text) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = text;
  button.addEventListener('click', () => press(key));
  element('keys').append(button);
  return button;
}

addLanguages();
addKeys();
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void enter();
});
show();
input.focus();
watchWall(
  (view) => {
    const wereOpen = doors.areOpen();
    wall = view;
    isLost = false;
    show();
    // The person has gone with the last open door.
    if (wereOpen && !doors.areOpen()) speak(ownLanguage);
  },
  () => {
    wall = undefined;
    isLost = true;
    show();
  },
);
