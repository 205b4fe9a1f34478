// What is looked at live: one stream for the page, with the paths of all that is on the screen. It connects again by
// itself, and everything comes whole after that.
import { useEffect, useState } from 'preact/hooks';
import { getJson, type Refusal, type Refused, refusalIn, SIGNED_OUT } from './api.ts';

/** Without a word for so long the stream counts as cut, also where the network does not say so. */
const SILENT_MS = 12_000;
const AGAIN_MS = 1_000;

export type Connection = 'connecting' | 'live' | 'lost';

interface LastAnswer {
  readonly data?: unknown;
  readonly refusal?: Refusal;
}

type Hear = () => void;

const wanted = new Map<string, Set<Hear>>();
const answers = new Map<string, LastAnswer>();
const connectionHearers = new Set<Hear>();
let connection: Connection = 'connecting';
let stream: EventSource | undefined;
let streamed = '';
let silence: number | undefined;
let opening: number | undefined;

/**
 * What a GET of this path answers, live; undefined data before the first. After a loss the last data stay, and the pill tells.
 */
export function useLive<Data>(path: string | undefined): {
  readonly data: Data | undefined;
  readonly refusal: Refusal | undefined;
} {
  const [, setTimes] = useState(0);
  useEffect(() => {
    if (path === undefined) return undefined;
    return follow(path, () => setTimes((before) => before + 1));
  }, [path]);
  const now = path === undefined ? undefined : lastOf(path);
  return { data: now?.data as Data | undefined, refusal: now?.refusal };
}

/** Gives what ends it. What is known already stands in `lastOf`. */
export function follow(path: string, hear: Hear): () => void {
  const hearers = wanted.get(path) ?? new Set();
  wanted.set(path, hearers);
  hearers.add(hear);
  openSoon();
  return () => {
    hearers.delete(hear);
    if (hearers.size > 0) return;
    wanted.delete(path);
    openSoon();
  };
}

export const lastOf = (path: string): LastAnswer | undefined => answers.get(path);

/** The text of the pill: whether what is on the screen is up to date, and why not. */
export function useConnection(): { readonly connection: Connection; readonly refusal: Refusal | undefined } {
  const [, setTimes] = useState(0);
  useEffect(() => {
    const hear = () => setTimes((before) => before + 1);
    connectionHearers.add(hear);
    openSoon();
    return () => {
      connectionHearers.delete(hear);
    };
  }, []);
  const refusal = [...answers.values()].find((each) => each.refusal)?.refusal;
  return { connection, refusal };
}

/** Views come and go together: the stream is opened once for all of them. */
function openSoon(): void {
  if (opening !== undefined) return;
  opening = window.setTimeout(() => {
    opening = undefined;
    const paths = [...wanted.keys()].sort().map((path) => `of=${encodeURIComponent(path)}`);
    const address = `/v1/stream?${paths.join('&')}`;
    if (stream && address === streamed) return;
    streamed = address;
    // Not before: what another view wants at once is not sent again by the same stream.
    for (const path of answers.keys()) if (!wanted.has(path)) answers.delete(path);
    open();
  }, 0);
}

function open(): void {
  stream?.close();
  const opened = new EventSource(streamed);
  stream = opened;
  heard();
  opened.addEventListener('alive', () => stream === opened && heard('live'));
  opened.addEventListener('message', ({ data: text }) => {
    if (stream !== opened) return;
    heard('live');
    const { of, data, problem } = JSON.parse(text) as { of: string; data?: unknown; problem?: Refused };
    const before = answers.get(of);
    answers.set(
      of,
      // What was seen last stays on the screen.
      problem ? { data: before?.data, refusal: refusalIn(503, problem) } : { data },
    );
    for (const hear of wanted.get(of) ?? []) hear();
    tellConnection();
  });
  opened.addEventListener('error', () => stream === opened && lost());
}

function heard(now: Connection = connection): void {
  clearTimeout(silence);
  silence = window.setTimeout(lost, SILENT_MS);
  if (now === connection) return;
  connection = now;
  tellConnection();
}

function lost(): void {
  stream?.close();
  stream = undefined;
  clearTimeout(silence);
  if (connection !== 'lost') {
    connection = 'lost';
    tellConnection();
  }
  // A session that has ended shows the sign-in: the stream itself does not tell why it is refused.
  getJson<{ user: unknown }>('/api/me')
    .then(({ user }) => user ?? dispatchEvent(new Event(SIGNED_OUT)))
    .catch(() => undefined)
    .finally(() => window.setTimeout(() => stream === undefined && open(), AGAIN_MS));
}

function tellConnection(): void {
  for (const hear of connectionHearers) hear();
}
