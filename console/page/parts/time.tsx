// Instants and how long ago they were: in the reader's zone, with UTC in the title.
import { useEffect, useState } from 'preact/hooks';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'short' });

/** An instant: of today its time, of another day its date too. */
export function Time({ at }: { readonly at: string | null | undefined }) {
  if (!at) return <span>–</span>;
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  return (
    <time dateTime={at} title={`${full.format(date)} here; ${date.toISOString()} in UTC`}>
      {(isToday ? clock : day).format(date)}
    </time>
  );
}

// As our programs write instants: 2031-05-01T12:00:00.000Z, or 2031-05-01 12:00 UTC.
const INSTANT = /(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z| UTC))/;

/** A sentence of the server: its instants in the reader's zone. */
export function InWords({ text }: { readonly text: string }) {
  return (
    <>
      {text.split(INSTANT).map((part) => {
        if (!INSTANT.test(part)) return part.replaceAll(' -> ', ' → ');
        const at = new Date(part.replace(' UTC', 'Z').replace(' ', 'T')).toISOString();
        return <Time key={part} at={at} />;
      })}
    </>
  );
}

/** How long ago, or in how long: it counts. */
export function Ago({ at }: { readonly at: string | null | undefined }) {
  const now = useNow(at ? stepOf(Math.abs(Date.parse(at) - Date.now())) : undefined);
  if (!at) return <span>–</span>;
  const date = new Date(at);
  const difference = date.getTime() - now;
  const words = inWords(Math.abs(difference));
  return (
    <time dateTime={at} title={`${full.format(date)} here; ${date.toISOString()} in UTC`}>
      {difference > 0 ? `in ${words}` : `${words} ago`}
    </time>
  );
}

/** Like 45 s, 12 min, 3 h 20 min, 2 d 4 h. */
export function inWords(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.floor(ms / 1_000)} s`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`;
  if (ms < DAY_MS) return twoUnits(ms, HOUR_MS, 'h', MINUTE_MS, 'min');
  return twoUnits(ms, DAY_MS, 'd', HOUR_MS, 'h');
}

function twoUnits(ms: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.floor((ms % large) / small);
  return `${Math.floor(ms / large)} ${largeName}${rest > 0 ? ` ${rest} ${smallName}` : ''}`;
}

const stepOf = (ms: number): number => (ms < HOUR_MS ? 1_000 : MINUTE_MS);

/** The present moment, again and again; all who count by the same step share one timer. */
export function useNow(stepMs: number | undefined): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (stepMs === undefined) return undefined;
    const hearers = ticking.get(stepMs) ?? startTicking(stepMs);
    hearers.add(setNow);
    return () => {
      hearers.delete(setNow);
    };
  }, [stepMs]);
  return now;
}

type Hear = (now: number) => void;
const ticking = new Map<number, Set<Hear>>();

function startTicking(stepMs: number): Set<Hear> {
  const hearers = new Set<Hear>();
  ticking.set(stepMs, hearers);
  setInterval(() => {
    const now = Date.now();
    for (const hear of hearers) hear(now);
  }, stepMs);
  return hearers;
}
