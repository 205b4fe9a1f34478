// The list of the processes: searched, live, page by page; a look at one beside it; and what one does to many of them.
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { BulkAction, ProcessPage } from '../../processes/processes-view.ts';
import { Button } from '../parts/button.tsx';
import { NotYet, RefusalNote } from '../parts/refusal-note.tsx';
import { useEndOfDay } from '../parts/time.tsx';
import { addressWith, goTo } from '../shell/address.ts';
import { getJson, Refusal, useDoing } from '../shell/api.ts';
import { type Key, useKeys } from '../shell/keys.ts';
import { useLive } from '../shell/live.ts';
import { common, currentMessages, inFigures } from '../shell/locale.ts';
import type { ViewProps } from '../shell/view.ts';
import { BulkActionDialog } from './bulk-action-dialog.tsx';
import { Filters } from './filters.tsx';
import { Peek } from './peek.tsx';
import { ProcessTable } from './process-table.tsx';
import { Tabs } from './tabs.tsx';
import './processes.css';

type Verb = BulkAction['command'];

const verbs = { extend: 'e', retry: 'r', cancel: 'c' } as const satisfies Record<Verb, string>;
const verbNames = Object.keys(verbs) as Verb[];

export function Processes({ search, user }: ViewProps) {
  const wanted = wantedOf(search, useEndOfDay());
  const text = wanted.toString();
  const { data, refusal } = useLive<ProcessPage>(`/v1/processes?${text}`);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [verb, setVerb] = useState<Verb>();
  const mayDecide = user.roles.includes('decide');
  // The rows come before what fills the filters.
  const [isListed, setListed] = useState(false);
  useEffect(() => setListed((before) => before || data !== undefined), [data]);
  // Another search finds other processes.
  useEffect(() => setChosen(new Set()), [text]);
  const choosing = useDoing(
    () => allKeys(wanted),
    (keys) => setChosen(new Set(keys)),
  );
  const peek = search.get('peek');
  const peeked = data?.items.find(({ key }) => key === peek);
  const look = (key: string | null) => goTo(addressWith(search, { peek: key }), { replace: true });
  const begin = (next: Verb) => chosen.size > 0 && setVerb(next);
  useListKeys(search, data?.next ?? null, begin, () => (peek ? look(null) : setChosen(new Set())));
  const words = currentMessages();
  return (
    <>
      <h1>{currentMessages().shell.navigation['/processes']}</h1>
      <Tabs search={search} />
      <Filters search={search} knowsFlows={isListed} />
      {!data && <NotYet refusal={refusal} />}
      {data && (
        <>
          <div class="row between list-head">
            <p role="status">{foundWords(data, wanted)}</p>
            {mayDecide && (
              <Button press={choosing.run} isBusy={choosing.isBusy} disabled={!mayChooseAll(data, wanted)}>
                {words.list.chooseFound}
              </Button>
            )}
          </div>
          {choosing.refusal && <RefusalNote refusal={choosing.refusal} />}
          <div class={peeked ? 'with-peek' : undefined}>
            {data.items.length > 0 && (
              <ProcessTable
                rows={data.items}
                chosen={mayDecide ? chosen : undefined}
                choose={setChosen}
                peeked={peek}
                peek={(key) => look(key === peek ? null : key)}
              />
            )}
            {peeked && <Peek row={peeked} close={() => look(null)} />}
          </div>
          <nav class="row pager" aria-label={words.list.pages}>
            {search.has('cursor') && (
              <a href={addressWith(search, { cursor: null })}>{words.list.firstPage}</a>
            )}
            {data.next && (
              <a href={addressWith(search, { cursor: data.next, peek: null })}>{words.list.nextPage}</a>
            )}
          </nav>
          <BulkBar count={chosen.size} begin={begin} none={() => setChosen(new Set())} />
        </>
      )}
      {verb && (
        <BulkActionDialog
          verb={verb}
          keys={[...chosen]}
          close={() => setVerb(undefined)}
          done={() => setChosen(new Set())}
          chooseAgain={(keys) => {
            setVerb(undefined);
            setChosen(new Set(keys));
          }}
        />
      )}
    </>
  );
}

const mayChooseAll = ({ count }: ProcessPage, wanted: URLSearchParams): boolean =>
  count > 0 && (wanted.get('state') ?? 'open') === 'open';

interface BulkBarProps {
  readonly count: number;
  readonly begin: (verb: Verb) => void;
  readonly none: () => void;
}

function BulkBar({ count, begin, none }: BulkBarProps) {
  if (count === 0) return null;
  const words = currentMessages().list.bar;
  return (
    <section class="row bulk" aria-label={words.title}>
      <strong role="status">{common().chosen(inFigures(count))}</strong>
      {verbNames.map((verb) => {
        const { bar, barTitle } = currentMessages().list.verbs[verb];
        return (
          <Button
            key={verb}
            press={() => begin(verb)}
            title={`${barTitle} (${verbs[verb]})`}
            {...(verb === 'cancel' && { kind: 'danger' as const })}
          >
            {bar}
          </Button>
        );
      })}
      <Button press={none} title={words.noneTitle}>
        {common().chooseNone}
      </Button>
    </section>
  );
}

/** What the server is asked for: the address, without what is the page's alone. */
function wantedOf(search: URLSearchParams, endOfDay: string): URLSearchParams {
  const wanted = new URLSearchParams(search);
  wanted.delete('peek');
  if (wanted.has('today')) {
    wanted.delete('today');
    wanted.set('dueBefore', endOfDay);
    wanted.set('sort', 'deadline');
  }
  return wanted;
}

// More at once nobody looks through before confirming, and no bulk takes more.
const MAX_CHOSEN = 5_000;

/** The keys of all open ones that the search finds, page by page. */
async function allKeys(search: URLSearchParams): Promise<string[]> {
  const keys = new Set<string>();
  const wanted = new URLSearchParams(search);
  for (const [name, value] of Object.entries({ state: 'open', summaries: 'false', size: '200' }))
    wanted.set(name, value);
  wanted.delete('cursor');
  for (;;) {
    const { items, next, count } = await getJson<ProcessPage>(`/v1/processes?${wanted}`);
    if (count > MAX_CHOSEN)
      throw new Refusal(409, 'TooMany', currentMessages().list.tooMany(inFigures(MAX_CHOSEN)));
    for (const { key } of items) keys.add(key);
    if (next === null) return [...keys];
    wanted.set('cursor', next);
  }
}

function foundWords({ items, count, next }: ProcessPage, wanted: URLSearchParams): string {
  if (count === 0) return wanted.size === 0 ? common().noneOpen : currentMessages().list.noneFound;
  const isPart = next !== null || wanted.has('cursor');
  const words = currentMessages().list.found;
  const order = wanted.get('sort') === 'deadline' ? words.deadline : words.newest;
  return [words.all(count), ...(isPart ? [words.onPage(inFigures(items.length))] : []), order].join(', ');
}

function useListKeys(
  search: URLSearchParams,
  next: string | null,
  begin: (verb: Verb) => void,
  leave: () => void,
): void {
  const text = search.toString();
  const keys = useMemo((): readonly Key[] => {
    const now = new URLSearchParams(text);
    const words = currentMessages().list.keys;
    const focus = (selector: string, step: number) => {
      const links = [...document.querySelectorAll<Element>(selector)];
      const row = document.activeElement?.closest('tr')?.querySelector(selector) ?? null;
      const at = row ? links.indexOf(row) : -1;
      const link = links[Math.max(0, Math.min(links.length - 1, at + step))];
      if (link instanceof HTMLElement) link.focus();
    };
    const inRow = () => document.activeElement?.closest<HTMLElement>('tr[data-key]') ?? null;
    const click = (shiftKey: boolean) =>
      inRow()
        ?.querySelector('input[type=checkbox]:not(:disabled)')
        ?.dispatchEvent(new MouseEvent('click', { bubbles: true, shiftKey }));
    return [
      {
        key: '/',
        words: words.search,
        run: () => document.querySelector<HTMLElement>('.find input')?.focus(),
      },
      { key: 'j', words: words.next, run: () => focus('tbody th a', 1) },
      { key: 'k', words: words.before, run: () => focus('tbody th a', -1) },
      {
        key: 'p',
        words: words.look,
        run: () => inRow()?.click(),
      },
      { key: 'x', words: words.choose, run: () => click(false) },
      { key: 'X', words: words.range, run: () => click(true) },
      ...verbNames.map((verb) => ({
        key: verbs[verb],
        words: currentMessages().list.verbs[verb].barTitle,
        run: () => begin(verb),
      })),
      { key: 'Escape', words: words.leave, run: leave },
      {
        key: 'n',
        words: words.nextPage,
        run: () => next && goTo(addressWith(now, { cursor: next, peek: null })),
      },
      { key: 'b', words: words.back, run: () => history.back() },
    ];
  }, [text, next, begin, leave]);
  useKeys(keys);
}
