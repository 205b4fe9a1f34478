// What changes while one looks: the page asks again every few seconds while it is visible, and at once after an action of
// its own.
import { useEffect, useState } from 'preact/hooks';
import { CHANGED, getJson, type RequestError, requestErrorOf } from '../api.ts';
import { noteReading } from '../readings.ts';

const EVERY_MS = 2_000;
/** A server that has trouble is not polled as often. */
const AFTER_FAILURE_MS = 5_000;
/** Who looks at the page should know that it waits. */
const SLOW_MS = 8_000;

type Listener = () => void;

/** A path that something on the screen shows; all that show it share its answer. */
interface Poll {
  readonly path: string;
  readonly listeners: Set<Listener>;
  data?: unknown;
  /** Why it cannot be read now: what was read last stays on the screen. */
  refusal?: RequestError | undefined;
  /** Counts the questions: only the answer to the last one matters. */
  times: number;
  timer?: number;
}

const all = new Map<string, Poll>();

/** What a GET of this path answers; undefined data before the first answer. */
export function useLive<Data>(path: string | undefined): {
  readonly data: Data | undefined;
  readonly refusal: RequestError | undefined;
} {
  const [, setTimes] = useState(0);
  const now = path === undefined ? undefined : all.get(path);
  const drawn = now?.data;
  useEffect(() => {
    if (path === undefined) return undefined;
    const again = () => setTimes((before) => before + 1);
    const end = follow(path, again);
    // Others follow it, too: an answer may have come since this was drawn.
    if (all.get(path)?.data !== drawn) again();
    return end;
  }, [path]);
  return { data: drawn as Data | undefined, refusal: now?.refusal };
}

/** Returns the function that ends it. */
export function follow(path: string, listener: Listener): () => void {
  const poll: Poll = all.get(path) ?? { path, listeners: new Set(), times: 0 };
  poll.listeners.add(listener);
  if (!all.has(path)) {
    all.set(path, poll);
    note(poll);
    void read(poll);
  }
  return () => {
    poll.listeners.delete(listener);
    // Not at once: the next view may show the same.
    window.setTimeout(() => {
      if (poll.listeners.size > 0 || all.get(path) !== poll) return;
      clearTimeout(poll.timer);
      all.delete(path);
      noteReading(poll, undefined);
    });
  };
}

async function read(poll: Poll): Promise<void> {
  clearTimeout(poll.timer);
  poll.times += 1;
  const { times, path, data: before } = poll;
  const slow = window.setTimeout(note, SLOW_MS, poll, true);
  const answer = await getJson<unknown>(path).then(
    (data) => ({ data, refusal: undefined }),
    (error: unknown) => ({ data: before, refusal: requestErrorOf(error) }),
  );
  clearTimeout(slow);
  if (poll.times !== times || all.get(path) !== poll) return;
  const isSame = JSON.stringify(answer) === JSON.stringify({ data: before, refusal: poll.refusal });
  if (!isSame) {
    Object.assign(poll, answer);
    for (const listener of poll.listeners) listener();
  }
  note(poll);
  poll.timer = window.setTimeout(pollIfVisible, answer.refusal ? AFTER_FAILURE_MS : EVERY_MS, poll);
}

function note(poll: Poll, isSlow = false): void {
  const { path, data, refusal } = poll;
  if (all.get(path) !== poll) return;
  noteReading(poll, { isLive: true, isKnown: data !== undefined || refusal !== undefined, refusal, isSlow });
}

/** A page that is not seen asks again once it is. */
function pollIfVisible(poll: Poll): void {
  if (!document.hidden) void read(poll);
}

function pollAll(): void {
  for (const poll of all.values()) pollIfVisible(poll);
}

addEventListener(CHANGED, pollAll);
document.addEventListener('visibilitychange', pollAll);
