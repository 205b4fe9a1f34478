// The open doors in the kiosk: one card for each, with what a person has to do there now. A card stays the same element while
// its door is open, so that the keyboard's focus stays where it is.

/** @typedef {import('../lockers/wall-state.ts').Locker} Locker */
/** @typedef {import('../lockers/typed-codes.ts').Goal} Goal */

export const FULL = 'There is something in it.';
export const EMPTY = 'The locker is empty.';

/** By the step. */
const NOW = {
  'put-in': 'Put your item in. Then close the door.',
  'take-out': 'Take your item out. Then close the door.',
  close: 'Now close the door.',
  any: 'Put your item in, or take it out. Then close the door.',
};

/**
 * What comes next: the goal first, and then the door. Whoever opened it without a code is asked for nothing else.
 * @param {Pick<Locker, 'item'>} locker
 * @param {Goal | undefined} goal
 * @returns {keyof typeof NOW}
 */
function stepOf({ item }, goal) {
  if (goal === undefined) return 'any';
  if (goal === 'DropOff') return item ? 'close' : 'put-in';
  return item ? 'take-out' : 'close';
}

/**
 * @param {HTMLElement} list
 * @param {{ put(lockerUid: string, present: boolean): unknown, close(lockerUid: string): unknown }} actions
 */
export function openDoors(list, actions) {
  /** @type {Map<string, ReturnType<typeof doorCard>>} */
  const cards = new Map();
  /** The locker whose card gets the focus as soon as it is there. @type {string | undefined} */
  let awaited;

  function focusAwaited() {
    const card = awaited === undefined ? undefined : cards.get(awaited);
    if (!card) return;
    awaited = undefined;
    card.heading.focus();
  }

  return {
    areOpen: () => cards.size > 0,

    /** @param {string | undefined} lockerUid */
    focus(lockerUid) {
      awaited = lockerUid;
      focusAwaited();
    },

    /**
     * @param {readonly Locker[]} lockers
     * @param {{ goals: ReadonlyMap<string, Goal>, only: string | undefined }} how what people came for, by lockerUid; the
     *   locker whose card alone is shown
     */
    show(lockers, { goals, only }) {
      const open = lockers.filter(({ door }) => door === 'open');
      for (const [lockerUid, { item }] of cards)
        if (!open.some((each) => each.lockerUid === lockerUid)) {
          item.remove();
          cards.delete(lockerUid);
        }
      for (const locker of open) {
        const { lockerUid } = locker;
        const card = cards.get(lockerUid) ?? doorCard(locker, actions);
        if (!cards.has(lockerUid)) list.append(card.item);
        cards.set(lockerUid, card);
        card.item.hidden = only !== undefined && only !== lockerUid;
        card.show(locker, goals.get(lockerUid));
      }
      focusAwaited();
    },
  };
}

/** @param {Locker} locker @param {Parameters<typeof openDoors>[1]} actions */
function doorCard({ lockerUid, lockerName }, actions) {
  const item = document.createElement('li');
  item.dataset.locker = lockerName;
  const heading = document.createElement('h3');
  heading.tabIndex = -1;
  heading.textContent = `Locker ${lockerName} is open`;
  const inside = document.createElement('p');
  const now = document.createElement('p');
  now.className = 'now';
  const put = newButton('put');
  const close = newButton('close');
  close.textContent = 'Close the door';
  let isFull = false;
  put.addEventListener('click', () => actions.put(lockerUid, !isFull));
  close.addEventListener('click', () => actions.close(lockerUid));
  item.append(heading, now, inside, put, close);
  return {
    item,
    heading,
    /** @param {Locker} locker @param {Goal | undefined} goal */
    show(locker, goal) {
      const step = stepOf(locker, goal);
      isFull = locker.item;
      now.textContent = NOW[step];
      inside.textContent = isFull ? FULL : EMPTY;
      put.textContent = isFull ? 'Take it out' : 'Put it in';
      put.classList.toggle('next', step === 'put-in' || step === 'take-out');
      close.classList.toggle('next', step === 'close');
      // Several doors may be open: a screen reader tells which one a button is for.
      for (const button of [put, close])
        button.setAttribute('aria-label', `${button.textContent}: ${heading.textContent}`);
    },
  };
}

/** @param {string} kind */
function newButton(kind) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = kind;
  return button;
}
