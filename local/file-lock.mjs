// One holder at a time for a piece of work of independent processes: a file made exclusively, touched while it is held,
// taken over when its holder is gone. It saves double work; the results must still be put in place atomically. Plain
// JavaScript: it runs before anything is installed.
import { link, mkdir, open, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** How often a waiting process looks again, in ms: what a set-up waits for takes seconds to minutes. */
const LOOK_AGAIN_MS = 200;
/** How often a holder says that it lives, in ms. */
const TOUCH_MS = 5_000;
/** A lock untouched for so long, in ms, has no holder: covers other hosts and containers, whose pids say nothing. */
const ABANDONED_MS = 60_000;

/**
 * Runs `work` while holding the lock at `path`. `waiting` is called once when another process holds it.
 * @template Result
 * @param {string} path
 * @param {() => Promise<Result>} work
 * @param {() => void} [waiting]
 * @returns {Promise<Result>}
 */
export async function withFileLock(path, work, waiting) {
  await mkdir(dirname(path), { recursive: true });
  const content = JSON.stringify({ pid: process.pid, host: hostname(), since: new Date().toISOString() });
  for (let said = false; !(await create(path, content)); ) {
    if (await takenFromTheGone(path)) continue;
    if (!said) waiting?.();
    said = true;
    await sleep(LOOK_AGAIN_MS);
  }
  const touch = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch((error) =>
      console.error(`lockerflow: cannot write ${path} (${error.message}); check who may write it`),
    );
  }, TOUCH_MS);
  touch.unref();
  try {
    return await work();
  } finally {
    clearInterval(touch);
    if ((await readHolder(path))?.content === content) await rm(path, { force: true });
  }
}

/** @param {string} path @param {string} content */
async function create(path, content) {
  try {
    const file = await open(path, 'wx');
    await file.writeFile(content);
    await file.close();
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes a lock whose holder is gone. Renamed first, so that of several that notice one removes it; one that
 * comes late and gets hold of the successor's lock puts it back.
 * @param {string} path
 */
async function takenFromTheGone(path) {
  const holder = await readHolder(path);
  if (holder === undefined || !isGone(holder)) return false;
  const aside = `${path}.gone.${process.pid}`;
  try {
    await rename(path, aside);
    const wasTheGone = (await readFile(aside, 'utf8')) === holder.content;
    if (!wasTheGone) await link(aside, path);
    await rm(aside, { force: true });
    return wasTheGone;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** @param {string} path */
async function readHolder(path) {
  try {
    return { content: await readFile(path, 'utf8'), touched: (await stat(path)).mtimeMs };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** @param {{content: string, touched: number}} holder */
function isGone(holder) {
  if (Date.now() - holder.touched > ABANDONED_MS) return true;
  const { pid, host } = parse(holder.content);
  if (pid === undefined || host !== hostname()) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}

/**
 * @param {string} content
 * @returns {{pid?: number, host?: string}}
 */
function parse(content) {
  try {
    return JSON.parse(content);
  } catch {
    // Made, but not yet written: its holder is at it, or was ended just there and its age will tell.
    return {};
  }
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
