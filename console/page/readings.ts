// How the last reading of everything on the screen went: the sign in the header is made of it, and is green only if all went well.
import { useEffect, useState } from 'preact/hooks';
import { t } from '../../shared/texts/text.ts';

export interface Reading {
  /** Whether it is read again and again: what is read once may be old. */
  readonly isLive: boolean;
  /** Whether there has been an answer, or a refusal. */
  readonly isKnown: boolean;
  readonly refusal?: { readonly message: string } | undefined;
  /** Its answer has been waited for longer than usual. */
  readonly isSlow?: boolean;
  /** What its answer says that could not be read. */
  readonly unread?: readonly string[];
}

const all = new Map<object, Reading>();
const listeners = new Set<() => void>();

/** @param of whatever is read; undefined: it is not on the screen any more */
export function noteReading(of: object, reading: Reading | undefined): void {
  if (reading) all.set(of, reading);
  else all.delete(of);
  for (const listener of listeners) listener();
}

/** Of the component that shows it. Undefined: it reads nothing. */
export function useReading(reading: Reading | undefined): void {
  const [of] = useState(() => ({}));
  const refused = reading?.refusal;
  useEffect(() => {
    noteReading(of, reading);
    return () => noteReading(of, undefined);
  }, [JSON.stringify(reading), refused?.message]);
}

/** What an answer itself says that it is without. */
export function useUnread(unread: readonly string[]): void {
  useReading(unread.length === 0 ? undefined : { isLive: false, isKnown: true, unread });
}

export interface UpToDate {
  readonly isKnown: boolean;
  /** Whether all that is on the screen is read again and again. */
  readonly isLive: boolean;
  /** Why not; null: it is. */
  readonly missing: string | null;
}

export function useUpToDate(): UpToDate {
  const [, setTimes] = useState(0);
  useEffect(() => {
    const listener = () => setTimes((before) => before + 1);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, []);
  return upToDate([...all.values()]);
}

export function upToDate(readings: readonly Reading[]): UpToDate {
  const refusal = readings.find((each) => each.refusal)?.refusal;
  const unread = [...new Set(readings.flatMap((each) => each.unread ?? []))];
  return {
    isKnown: readings.every(({ isKnown }) => isKnown),
    isLive: readings.some(({ isLive }) => isLive),
    missing: missingOf(refusal, unread, readings),
  };
}

function missingOf(
  refusal: Reading['refusal'],
  unread: readonly string[],
  readings: readonly Reading[],
): string | null {
  if (refusal) return t`Not up to date: ${refusal.message}`;
  if (unread.length > 0) return t`Could not be read: ${unread.join(', ')}`;
  return readings.some(({ isSlow }) => isSlow) ? t`Not up to date: the console has not answered yet.` : null;
}
