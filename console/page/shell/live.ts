// What changes while one looks: while it is visible, the page asks again every few seconds, and at once after an action of its own.
import { useEffect, useState } from 'preact/hooks';
import { CHANGED, getJson, type Refusal, refusalOf } from './api.ts';

const EVERY_MS = 2_000;
/** A server that has trouble is not asked as often. */
const AFTER_FAILURE_MS = 5_000;

type Hear = () => void;

/** A path that something on the screen shows; all that show it share its answer. */
interface Asked {
  readonly path: string;
  readonly hearers: Set<Hear>;
  data?: unknown;
  /** Why it cannot be read now: what was read last stays on the screen. */
  refusal?: Refusal | undefined;
  /** Counts the questions: only the answer to the last one matters. */
  times: number;
  timer?: number;
}

const all = new Map<string, Asked>();
/** Of the sign in the header. */
const signHearers = new Set<Hear>();

/** What a GET of this path answers; undefined data before the first answer. */
export function useLive<Data>(path: string | undefined): {
  readonly data: Data | undefined;
  readonly refusal: Refusal | undefined;
} {
  const [, setTimes] = useState(0);
  useEffect(() => {
    if (path === undefined) return undefined;
    return follow(path, () => setTimes((before) => before + 1));
  }, [path]);
  const now = path === undefined ? undefined : all.get(path);
  return { data: now?.data as Data | undefined, refusal: now?.refusal };
}

/** Gives what ends it. */
export function follow(path: string, hear: Hear): () => void {
  const asked: Asked = all.get(path) ?? { path, hearers: new Set(), times: 0 };
  asked.hearers.add(hear);
  if (!all.has(path)) {
    all.set(path, asked);
    void ask(asked);
  }
  return () => {
    asked.hearers.delete(hear);
    // Not at once: the next view may show the same.
    window.setTimeout(() => {
      if (asked.hearers.size > 0 || all.get(path) !== asked) return;
      clearTimeout(asked.timer);
      all.delete(path);
      tell(signHearers);
    });
  };
}

async function ask(asked: Asked): Promise<void> {
  clearTimeout(asked.timer);
  asked.times += 1;
  const { times, path, data: before } = asked;
  const answer = await getJson<unknown>(path).then(
    (data) => ({ data, refusal: undefined }),
    (error: unknown) => ({ data: before, refusal: refusalOf(error) }),
  );
  if (asked.times !== times || all.get(path) !== asked) return;
  const isSame = JSON.stringify(answer) === JSON.stringify({ data: before, refusal: asked.refusal });
  if (!isSame) {
    Object.assign(asked, answer);
    tell(asked.hearers);
    tell(signHearers);
  }
  asked.timer = window.setTimeout(askIfSeen, answer.refusal ? AFTER_FAILURE_MS : EVERY_MS, asked);
}

/** A page that is not seen asks again once it is. */
function askIfSeen(asked: Asked): void {
  if (!document.hidden) void ask(asked);
}

function askAll(): void {
  for (const asked of all.values()) askIfSeen(asked);
}

addEventListener(CHANGED, askAll);
document.addEventListener('visibilitychange', askAll);

function tell(hearers: ReadonlySet<Hear>): void {
  for (const hear of hearers) hear();
}

/** Whether what is on the screen is up to date; if not, why. */
export function useUpToDate(): { readonly isKnown: boolean; readonly refusal: Refusal | undefined } {
  const [, setTimes] = useState(0);
  useEffect(() => {
    const hear = () => setTimes((before) => before + 1);
    signHearers.add(hear);
    return () => {
      signHearers.delete(hear);
    };
  }, []);
  const asked = [...all.values()];
  return {
    isKnown: asked.every(({ data, refusal }) => data !== undefined || refusal !== undefined),
    refusal: asked.find(({ refusal }) => refusal)?.refusal,
  };
}
