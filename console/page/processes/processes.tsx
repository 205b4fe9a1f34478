// The list of the processes: searched, live, page by page; and what one does to many of them.
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ProcessPage } from '../../processes/processes-view.ts';
import { Button } from '../parts/button.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { addressWith, goTo } from '../shell/address.ts';
import { getJson, Refusal, useDoing } from '../shell/api.ts';
import { type Key, useKeys } from '../shell/keys.ts';
import { useLive } from '../shell/live.ts';
import type { ViewProps } from '../shell/view.ts';
import { BulkActionDialog } from './bulk-action-dialog.tsx';
import { Filters } from './filters.tsx';
import { ProcessTable } from './process-table.tsx';
import './processes.css';

export function Processes({ search, user }: ViewProps) {
  const { data, refusal } = useLive<ProcessPage>(`/v1/processes?${search}`);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [verb, setVerb] = useState<'extend' | 'cancel'>();
  const mayDecide = user.roles.includes('decide');
  const text = search.toString();
  // Another search finds other processes.
  useEffect(() => setChosen(new Set()), [text]);
  const choosing = useDoing(
    () => allKeys(search),
    (keys) => setChosen(new Set(keys)),
  );
  useListKeys(search, data?.next ?? null);
  return (
    <>
      <h1>Processes</h1>
      <Filters search={search} />
      {refusal && !data && <RefusalNote refusal={refusal} />}
      {!data && !refusal && <p role="status">Loading…</p>}
      {data && (
        <>
          <div class="list-head">
            <p role="status">{foundWords(data, search)}</p>
            {mayDecide && (
              <div class="bulk">
                <span>{chosen.size > 0 ? `${chosen.size} chosen` : 'None chosen'}</span>
                <Button
                  press={() => choosing.run(undefined)}
                  isBusy={choosing.isBusy}
                  disabled={data.count === 0}
                >
                  Choose all that are found
                </Button>
                <Button press={() => setVerb('extend')} disabled={chosen.size === 0}>
                  Extend…
                </Button>
                <Button press={() => setVerb('cancel')} kind="danger" disabled={chosen.size === 0}>
                  Cancel…
                </Button>
              </div>
            )}
          </div>
          {choosing.refusal && <RefusalNote refusal={choosing.refusal} />}
          {data.items.length > 0 && (
            <ProcessTable rows={data.items} chosen={mayDecide ? chosen : undefined} choose={setChosen} />
          )}
          <nav class="pager" aria-label="Pages of the list">
            {search.has('cursor') && <a href={addressWith(search, { cursor: null })}>First page</a>}
            {data.next && <a href={addressWith(search, { cursor: data.next })}>Next page</a>}
          </nav>
        </>
      )}
      {verb && (
        <BulkActionDialog
          verb={verb}
          keys={[...chosen]}
          close={() => setVerb(undefined)}
          done={() => setChosen(new Set())}
        />
      )}
    </>
  );
}

// More at once nobody looks through before confirming, and no bulk takes more.
const MOST_CHOSEN = 5_000;

/** The keys of all open ones that the search finds, page by page. */
async function allKeys(search: URLSearchParams): Promise<string[]> {
  const keys: string[] = [];
  const wanted = new URLSearchParams(search);
  for (const [name, value] of Object.entries({ state: 'open', summaries: 'false', size: '200' }))
    wanted.set(name, value);
  wanted.delete('cursor');
  for (;;) {
    const { items, next, count } = await getJson<ProcessPage>(`/v1/processes?${wanted}`);
    if (count > MOST_CHOSEN)
      throw new Refusal(
        409,
        'TooMany',
        `The search finds more than ${MOST_CHOSEN} processes. Narrow it, or use npx lockerflow.`,
      );
    keys.push(...items.map(({ key }) => key));
    if (next === null) return keys;
    wanted.set('cursor', next);
  }
}

function foundWords({ items, count, next }: ProcessPage, search: URLSearchParams): string {
  if (count === 0)
    return search.size === 0
      ? 'No process is open. Choose "open and ended" to see those that have ended.'
      : 'No process is found. Change or clear the search.';
  const isPart = next !== null || search.has('cursor');
  const all = count === 1 ? '1 process' : `${count} processes`;
  return isPart ? `${all}, ${items.length} on this page, the newest first` : `${all}, the newest first`;
}

function useListKeys(search: URLSearchParams, next: string | null): void {
  const text = search.toString();
  const keys = useMemo((): readonly Key[] => {
    const now = new URLSearchParams(text);
    const focus = (selector: string, step: number) => {
      const links = [...document.querySelectorAll<Element>(selector)];
      const at = document.activeElement ? links.indexOf(document.activeElement) : -1;
      const link = links[Math.max(0, Math.min(links.length - 1, at + step))];
      if (link instanceof HTMLElement) link.focus();
    };
    return [
      { key: '/', words: 'search', run: () => document.getElementById('find')?.focus() },
      { key: 'j', words: 'next process', run: () => focus('tbody th a', 1) },
      { key: 'k', words: 'process before', run: () => focus('tbody th a', -1) },
      {
        key: 'n',
        words: 'next page',
        run: () => next && goTo(addressWith(now, { cursor: next })),
      },
      { key: 'b', words: 'back to the page before', run: () => history.back() },
      {
        key: 'x',
        words: 'choose the process that has the focus',
        run: () =>
          document.activeElement?.closest('tr')?.querySelector<HTMLElement>('input[type=checkbox]')?.click(),
      },
    ];
  }, [text, next]);
  useKeys(keys);
}
