// How long a screen stays: it goes by itself, and later if somebody touches it meanwhile.

// Often enough that a second is never skipped.
const TICK_MS = 250;

/** @param {{ tick(leftMs: number): void, over(): void }} told */
export function countdown({ tick, over }) {
  let lastsMs = 0;
  let until = 0;
  /** Somebody who touches the screen does not shorten a pause, and does not prolong it. */
  let isProlonged = true;

  function look() {
    const leftMs = until - Date.now();
    tick(Math.max(0, leftMs));
    if (leftMs <= 0) over();
  }

  setInterval(look, TICK_MS);

  return {
    /** @param {number} ms @param {{ prolonged: boolean }} how */
    start(ms, { prolonged }) {
      lastsMs = ms;
      isProlonged = prolonged;
      until = Date.now() + ms;
      look();
    },
    touched() {
      if (isProlonged) until = Date.now() + lastsMs;
    },
  };
}

/** "2:05". @param {number} ms */
export function minutesAndSeconds(ms) {
  const seconds = Math.ceil(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
