// The open doors in the kiosk: one card for each, with what a person can do there. A card stays the same element while its
// door is open, so that the keyboard's focus stays where it is.

/** @typedef {import('./words.mjs').Words} Words */
/** @typedef {import('../lockers/wall-view.ts').LockerView} LockerView */

/**
 * @param {HTMLElement} list
 * @param {{ put(lockerUid: string, present: boolean): unknown, close(lockerUid: string, lockerName: string): unknown }} actions
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

    /** @param {string} lockerUid */
    focus(lockerUid) {
      awaited = lockerUid;
      focusAwaited();
    },

    /** @param {readonly LockerView[]} lockers @param {Words} texts */
    show(lockers, texts) {
      const open = lockers.filter(({ door }) => door === 'open');
      for (const [lockerUid, { item }] of cards)
        if (!open.some((each) => each.lockerUid === lockerUid)) {
          item.remove();
          cards.delete(lockerUid);
        }
      for (const locker of open) {
        const card = cards.get(locker.lockerUid) ?? doorCard(locker, actions);
        if (!cards.has(locker.lockerUid)) list.append(card.item);
        cards.set(locker.lockerUid, card);
        card.show(locker, texts);
      }
      focusAwaited();
    },
  };
}

/** @param {LockerView} locker @param {Parameters<typeof openDoors>[1]} actions */
function doorCard({ lockerUid, lockerName }, actions) {
  const item = document.createElement('li');
  item.dataset.locker = lockerName;
  const heading = document.createElement('h3');
  heading.tabIndex = -1;
  const inside = document.createElement('p');
  const hint = document.createElement('p');
  const put = newButton('put');
  const close = newButton('close');
  let isFull = false;
  put.addEventListener('click', () => actions.put(lockerUid, !isFull));
  close.addEventListener('click', () => actions.close(lockerUid, lockerName));
  item.append(heading, hint, inside, put, close);
  return {
    item,
    heading,
    /** @param {LockerView} locker @param {Words} texts */
    show({ item: isNowFull }, texts) {
      isFull = isNowFull;
      heading.textContent = texts.open(lockerName);
      hint.textContent = texts.whatNow;
      inside.textContent = isFull ? texts.full : texts.empty;
      put.textContent = isFull ? texts.takeOut : texts.putIn;
      close.textContent = texts.close;
      // Several doors may be open: a screen reader tells which one a button is for.
      for (const button of [put, close])
        button.setAttribute('aria-label', `${button.textContent}: ${texts.open(lockerName)}`);
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
