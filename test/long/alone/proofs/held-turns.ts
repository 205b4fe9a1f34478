// Loaded into each thread of a worker under test by `node --import`: writes down what held the thread for long, one a line. Of
// the main thread that is a turn of its event loop. A thread that runs workflows takes its requests in order, and many of them
// in one turn: there it is a single request. What others on this machine use of the processors makes it longer, but not what it
// uses of them.
import { appendFileSync } from 'node:fs';
import { isMainThread, parentPort, threadId } from 'node:worker_threads';

export interface HeldTurn {
  readonly thread: number;
  /** Milliseconds since 1970, at its end. */
  readonly endedAt: number;
  readonly heldMs: number;
  readonly cpuMs: number;
}

const EVERY_MS = 5;
/** Shorter ones are not written down. */
const LEAST_MS = 50;

const now = () => {
  const { user, system } = process.threadCpuUsage();
  return { at: performance.now(), cpuMs: (user + system) / 1_000 };
};

function watch(path: string): void {
  let last = now();
  const over = (idleMs: number) => {
    const then = last;
    last = now();
    const heldMs = Math.round(last.at - then.at - idleMs);
    const turn = {
      thread: threadId,
      endedAt: Date.now(),
      heldMs,
      cpuMs: Math.round(last.cpuMs - then.cpuMs),
    };
    if (Math.max(turn.cpuMs, isMainThread ? heldMs : 0) >= LEAST_MS)
      appendFileSync(path, `${JSON.stringify(turn satisfies HeldTurn)}\n`);
  };
  if (isMainThread || !parentPort) setInterval(() => over(EVERY_MS), EVERY_MS).unref();
  else {
    const send = parentPort.postMessage.bind(parentPort);
    // With the answer to a request it is over.
    parentPort.postMessage = (...given: Parameters<typeof send>) => {
      send(...given);
      over(0);
    };
  }
}

if (process.env.HELD_TURNS_FILE !== undefined) watch(process.env.HELD_TURNS_FILE);
