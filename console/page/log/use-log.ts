// The log page by page, as one list: what a person reads is grouped, and so it must be whole.
import { useEffect, useState } from 'preact/hooks';
import type { LogEntry, LogPage } from '../../processes/processes-view.ts';
import { getJson, type RequestError, requestErrorOf } from '../api.ts';
import { useReading, useUnread } from '../readings.ts';

interface Log {
  /** The newest first. */
  readonly entries: readonly LogEntry[];
  readonly unread: LogPage['unread'];
  readonly atWalls: LogPage['atWalls'];
  readonly wallsUnread: LogPage['wallsUnread'];
  /** Where it goes on; null: that is all. */
  readonly next: string | null;
  readonly isReading: boolean;
  readonly refusal?: RequestError;
}

const nothing: Log = {
  entries: [],
  unread: [],
  atWalls: [],
  wallsUnread: [],
  next: null,
  isReading: true,
};

/** Each has 50 processes; a person says whether there are to be more. */
const PAGES = 5;

/** @param query undefined: there is nothing to read */
export function useLog(query: string | undefined): Log & { more(): void } {
  const [log, setLog] = useState(nothing);
  const [asked, setAsked] = useState<{ readonly query?: string; readonly from: string | null }>({
    from: null,
  });
  const from = asked.query === query ? asked.from : null;
  useEffect(() => {
    if (query === undefined) return undefined;
    let isWanted = true;
    setLog((before) => (from === null ? nothing : { ...before, isReading: true }));
    const add = ({ entries, unread, atWalls, wallsUnread, next }: LogPage, isReading: boolean) =>
      setLog((before) => ({
        entries: [...before.entries, ...entries].sort((one, other) => other.at.localeCompare(one.at)),
        unread: [...before.unread, ...unread],
        atWalls: [...before.atWalls, ...atWalls],
        wallsUnread: [...before.wallsUnread, ...wallsUnread],
        next,
        isReading,
      }));
    readPages(query, from, (page, isLast) => isWanted && add(page, !isLast)).catch(
      (error) =>
        isWanted && setLog((before) => ({ ...before, isReading: false, refusal: requestErrorOf(error) })),
    );
    return () => {
      isWanted = false;
    };
  }, [query, from]);
  const { isReading, refusal, unread, wallsUnread, next } = log;
  useReading(query === undefined ? undefined : { isLive: false, isKnown: !isReading, refusal });
  useUnread([...unread.map(({ key }) => key), ...wallsUnread]);
  return { ...log, more: () => setAsked({ query, from: next }) };
}

async function readPages(
  query: string,
  from: string | null,
  came: (page: LogPage, isLast: boolean) => unknown,
): Promise<void> {
  let cursor = from;
  for (let count = 1; count <= PAGES; count += 1) {
    const more = cursor === null ? '' : `&cursor=${cursor}`;
    const page = await getJson<LogPage>(`/v1/log?${query}${more}`);
    cursor = page.next;
    const isLast = cursor === null || count === PAGES;
    if (came(page, isLast) === false || isLast) return;
  }
}
