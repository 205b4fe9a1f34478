// Waits for changes of a folder. The system says that something has changed; what, whoever waits finds out by reading.
import { watch } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** An editor saves a file in several steps. */
const SETTLES_MS = 50;
/** In ms. A folder that is gone is looked for again, too. */
const TRY_AGAIN_MS = 2_000;

/**
 * Acts at once and then after each change, one call after the other, until `over`.
 * @param act gives false where it is worth another try without a change
 */
export async function onEachChange(
  folder: string,
  act: () => Promise<boolean>,
  over: AbortSignal,
): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    if (over.aborted) resolve();
    over.addEventListener('abort', () => resolve(), { once: true });
  });
  while (!over.aborted) {
    // Before it acts: what changes meanwhile counts as well. Each time anew: a folder that was replaced is another one.
    const next = nextChange(folder);
    const isDone = await act();
    const again = isDone && next.isWatching ? [] : [delay(TRY_AGAIN_MS, undefined, { ref: false })];
    await Promise.race([ended, next.changed, ...again]);
    next.stop();
    if (!over.aborted) await delay(SETTLES_MS);
  }
}

const never = new Promise<never>(() => undefined);

function nextChange(folder: string) {
  try {
    const watcher = watch(folder);
    // Not `once` of node:events: that rejects at an error, which is a change as well.
    const changed = new Promise<void>((resolve) => {
      watcher.on('change', () => resolve()).on('error', () => resolve());
    });
    return { changed, isWatching: true, stop: () => watcher.close() };
  } catch {
    // It is gone, or the system watches no more.
    return { changed: never, isWatching: false, stop: () => undefined };
  }
}
