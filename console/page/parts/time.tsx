// Instants and how long ago they were: in the reader's zone, with UTC in the title.
import { useEffect, useState } from 'preact/hooks';
import { formatSpan } from '../../../shared/texts/format-span.ts';
import { t } from '../../../shared/texts/text.ts';
import { formatClock, formatMoment, formatMomentWithDays } from './moment.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** As the reader's browser writes dates. Formats take long to make, and every row of a list has some. */
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });
const inUtc = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'long', timeZone: 'UTC' });

/** In the reader's zone and in UTC, where one points at a time. */
const titleOf = (date: Date): string => `${full.format(date)}; ${inUtc.format(date)}`;

/** An instant: of today its time, of another day its date too; seconds in the title. */
export function Time({ at, withDays = false, aheadMs = 0 }: TimeProps) {
  if (!at) return <span>–</span>;
  const date = new Date(at);
  return (
    <time dateTime={at} title={titleOf(date)}>
      {(withDays ? formatMomentWithDays : formatMoment)(date, new Date(Date.now() + aheadMs))}
    </time>
  );
}

/** Below the heading of its day. */
export const Clock = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={titleOf(new Date(at))}>
    {formatClock(new Date(at))}
  </time>
);

interface TimeProps {
  readonly at: string | null | undefined;
  /** In how many days it is, or how many days ago it was. */
  readonly withDays?: boolean;
  /** How far its clock is ahead of the real time: a sandbox's. */
  readonly aheadMs?: number;
}

// As our programs write instants: 2031-05-01T12:00:00.000Z, or 2031-05-01 12:00 UTC.
const INSTANT = /(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z| UTC))/;

/** A sentence of the server, its instants in the reader's zone. */
export function TextWithTimes({ text }: { readonly text: string }) {
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

/** By how much it is late: it counts. */
export function Late({ since, aheadMs = 0 }: { readonly since: string; readonly aheadMs?: number }) {
  const lateMs = () => Date.now() + aheadMs - Date.parse(since);
  useNow(stepOf(lateMs()));
  return <>{t`late by ${formatSpan(Math.max(0, lateMs()))}`}</>;
}

interface AgoProps {
  readonly at: string | null | undefined;
  /** How far the clock of `at` is ahead of the real time: a sandbox's. */
  readonly aheadMs?: number | undefined;
}

/** How long ago, or in how long: it counts. */
export function Ago({ at, aheadMs = 0 }: AgoProps) {
  const now = useNow(at ? stepOf(Math.abs(Date.parse(at) - aheadMs - Date.now())) : undefined) + aheadMs;
  if (!at) return <span>–</span>;
  const date = new Date(at);
  const difference = date.getTime() - now;
  return (
    <time dateTime={at} title={titleOf(date)}>
      {difference > 0 ? t`in ${formatSpan(difference)}` : t`${formatSpan(-difference)} ago`}
    </time>
  );
}

const stepOf = (ms: number): number => (ms < HOUR_MS ? 1_000 : MINUTE_MS);

/** The present moment. The component is drawn again after each step. */
function useNow(stepMs: number | undefined): number {
  const [, setTick] = useState(0);
  useEffect(() => {
    if (stepMs === undefined) return undefined;
    const ticking = setInterval(() => setTick(Date.now()), stepMs);
    return () => clearInterval(ticking);
  }, [stepMs]);
  // Not that of the last tick: an instant that comes between two ticks would be counted from up to a minute ago.
  return Date.now();
}

/** The next midnight of the reader, as the server takes it: what is due before then is due today. */
export function useEndOfDay(): string {
  const now = new Date(useNow(MINUTE_MS));
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1).toISOString();
}
