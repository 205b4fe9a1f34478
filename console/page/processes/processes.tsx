// The list of the processes: searched, live, page by page; and what one does to many of them.
import { useEffect, useState } from 'preact/hooks';
import type { BulkAction, ProcessPage } from '../../processes/processes-view.ts';
import { Button } from '../parts/button.tsx';
import { NotYet, RefusalNote } from '../parts/refusal-note.tsx';
import { addressWith } from '../shell/address.ts';
import { getJson, Refusal, useDoing } from '../shell/api.ts';
import { useLive } from '../shell/live.ts';
import { common, currentMessages, inFigures } from '../shell/locale.ts';
import type { ViewProps } from '../shell/view.ts';
import { BulkActionDialog } from './bulk-action-dialog.tsx';
import { Filters } from './filters.tsx';
import { ProcessTable } from './process-table.tsx';
import { Tabs } from './tabs.tsx';
import './processes.css';

type Verb = BulkAction['command'];

const verbs: readonly Verb[] = ['extend', 'retry', 'cancel'];

export function Processes({ search, user }: ViewProps) {
  const text = search.toString();
  const { data, refusal } = useLive<ProcessPage>(`/v1/processes?${text}`);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [verb, setVerb] = useState<Verb>();
  const mayDecide = user.roles.includes('decide');
  // Another search finds other processes.
  useEffect(() => setChosen(new Set()), [text]);
  const choosing = useDoing(
    () => allKeys(search),
    (keys) => setChosen(new Set(keys)),
  );
  const words = currentMessages();
  return (
    <>
      <h1>{currentMessages().shell.navigation['/processes']}</h1>
      <Tabs search={search} />
      <Filters search={search} />
      {!data && <NotYet refusal={refusal} />}
      {data && (
        <>
          <div class="row between">
            <p role="status">{foundWords(data, search)}</p>
            {mayDecide && (
              <Button press={choosing.run} isBusy={choosing.isBusy} disabled={!mayChooseAll(data, search)}>
                {words.list.chooseFound}
              </Button>
            )}
          </div>
          {choosing.refusal && <RefusalNote refusal={choosing.refusal} />}
          {data.items.length > 0 && (
            <ProcessTable rows={data.items} chosen={mayDecide ? chosen : undefined} choose={setChosen} />
          )}
          <nav class="row" aria-label={words.list.pages}>
            {search.has('cursor') && (
              <a href={addressWith(search, { cursor: null })}>{words.list.firstPage}</a>
            )}
            {data.next && <a href={addressWith(search, { cursor: data.next })}>{words.list.nextPage}</a>}
          </nav>
          <BulkBar count={chosen.size} begin={setVerb} none={() => setChosen(new Set())} />
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
      {verbs.map((verb) => {
        const { bar, barTitle } = currentMessages().list.verbs[verb];
        return (
          <Button
            key={verb}
            press={() => begin(verb)}
            title={barTitle}
            {...(verb === 'cancel' && { kind: 'danger' as const })}
          >
            {bar}
          </Button>
        );
      })}
      <Button press={none}>{common().chooseNone}</Button>
    </section>
  );
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
  return [words.all(count), ...(isPart ? [words.onPage(inFigures(items.length))] : []), words.newest].join(
    ', ',
  );
}
