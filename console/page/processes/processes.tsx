// The list of the processes: searched, live, page by page, below tabs that say where they stand; and what one does to many of
// them.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ProcessCounts, ProcessPage, ProcessRow } from '../../processes/processes-view.ts';
import type { Reach } from '../../sign-in/sign-in-view.ts';
import { getJson, RequestError, useSubmission } from '../api.ts';
import type { State } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { inFigures } from '../parts/format.ts';
import { NotYet, RefusalNote } from '../parts/refusal-note.tsx';
import { useUnread } from '../readings.ts';
import { addressWith } from '../shell/address.ts';
import { useLive } from '../shell/live.ts';
import { useReach } from '../shell/reach.ts';
import type { ViewProps } from '../shell/view.ts';
import { RunningBatches } from './batches.tsx';
import { BulkActionDialog } from './bulk-action-dialog.tsx';
import { isHarmful, type Verb, verbs } from './bulk-verbs.ts';
import { Filters } from './filters.tsx';
import { formatCaseCount, formatFound } from './format-found.ts';
import { ProcessTable } from './process-table.tsx';
import './processes.css';
import { t } from '../../../shared/texts/text.ts';

export function Processes({ search, user }: ViewProps) {
  const reach = useReach();
  const sort = stateIn(search) === 'open' && { sort: 'due' };
  // What is counted on the tab. Whoever narrows the search may look for what a case has started.
  const parts = stateIn(search) === 'closed' &&
    NARROWING.every((name) => !search.get(name)) && { parts: 'false' };
  const wanted = new URLSearchParams({ ...sort, ...parts, ...Object.fromEntries(search) });
  const { data, refusal } = useLive<ProcessPage>(`/v1/processes?${wanted}`);
  const counts = useCounts(search);
  const { chosen, setChosen, choosing, abouts } = useChoosing(search, data?.items);
  const [verb, setVerb] = useState<Verb>();
  const silent = silentIn(data);
  useUnread(silent === 0 ? [] : [t`where ${formatCaseCount(silent)} stand`]);
  const mayDecide = user.roles.includes('decide');
  return (
    <>
      <h1>{t`Cases`}</h1>
      <Tabs search={search} counts={counts} />
      <Filters search={search} />
      <RunningBatches />
      {!data && <NotYet refusal={refusal} />}
      {data && (
        <>
          <div class="row between">
            <p role="status">
              {formatFound(data, search, casesIn(search, counts))}
              <Orders search={search} sorted={data.sorted} />
            </p>
            {mayDecide && (
              <Button
                press={choosing.run}
                isBusy={choosing.isBusy}
                disabled={!mayChooseAll(data, search)}
              >{t`Choose all that are found`}</Button>
            )}
          </div>
          {choosing.refusal && <RefusalNote refusal={choosing.refusal} />}
          {data.items.length > 0 && (
            <ProcessTable
              rows={data.items}
              chosen={mayDecide ? chosen : undefined}
              mayChoose={isOfEnded(search) ? hasNoResult : isOpen}
              sorted={data.sorted}
              choose={setChosen}
            />
          )}
          <nav class="row" aria-label={t`Pages of the list`}>
            {search.has('cursor') && <a href={addressWith(search, { cursor: null })}>{t`First page`}</a>}
            {data.next && <a href={addressWith(search, { cursor: data.next })}>{t`Next page`}</a>}
          </nav>
          <BulkBar
            verbsOffered={isOfEnded(search) ? ['startAgain'] : ofOpen(reach)}
            count={chosen.size}
            begin={setVerb}
            none={() => setChosen(new Set())}
          />
        </>
      )}
      {verb && (
        <BulkActionDialog
          verb={verb}
          keys={[...chosen]}
          abouts={abouts}
          close={() => setVerb(undefined)}
          done={() => setChosen(new Set())}
        />
      )}
    </>
  );
}

/** How many do not say where they stand. */
const silentIn = (page?: ProcessPage): number =>
  page ? page.items.filter(({ unanswered }) => unanswered).length + (page.unknown ?? 0) : 0;

/** @param rows those of the page */
function useChoosing(search: URLSearchParams, rows: readonly ProcessRow[] = []) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  // Another search finds other processes.
  useEffect(() => setChosen(new Set()), [search.toString()]);
  // Of all that have been seen: what is done to many names them as the list does.
  const abouts = useRef(new Map<string, ProcessRow['about']>()).current;
  const see = (seen: readonly ProcessRow[]) => {
    for (const { key, about } of seen) if (about) abouts.set(key, about);
  };
  see(rows);
  const choosing = useSubmission(
    () => allRows(search),
    (all) => {
      see(all);
      setChosen(new Set(all.map(({ key }) => key)));
    },
  );
  return { chosen, setChosen, choosing, abouts };
}

interface OrdersProps {
  readonly search: URLSearchParams;
  readonly sorted: ProcessPage['sorted'];
}

/** The other order. */
function Orders({ search, sorted }: OrdersProps) {
  if (stateIn(search) !== 'open') return null;
  const isWaiting = sorted === 'waiting';
  const to = addressWith(search, { sort: isWaiting ? null : 'waiting', cursor: null });
  return (
    <>
      {' · '}
      <a href={to}>{isWaiting ? t`Sort by due` : t`Sort by what waits longest`}</a>
    </>
  );
}

const stateIn = (search: URLSearchParams): string => search.get('state') ?? 'open';

/** Some of those that have ended have a result: they are chosen one by one. */
const mayChooseAll = ({ count }: ProcessPage, wanted: URLSearchParams): boolean =>
  count > 0 && ['open', 'failed'].includes(stateIn(wanted));

const isOfEnded = (search: URLSearchParams): boolean => ['failed', 'closed'].includes(stateIn(search));
const isOpen = ({ phase }: ProcessRow): boolean => phase !== null;
const hasNoResult = ({ status, startedAgain }: ProcessRow): boolean =>
  status !== 'Running' && status !== 'Completed' && !startedAgain;

const ofOpen = ({ message }: Reach): readonly Verb[] => [
  ...(['extend', 'shorten', 'retry'] as const),
  ...(message ? (['message'] as const) : []),
  'cancel',
];

interface BulkBarProps {
  readonly verbsOffered: readonly Verb[];
  readonly count: number;
  readonly begin: (verb: Verb) => void;
  readonly none: () => void;
}

function BulkBar({ verbsOffered, count, begin, none }: BulkBarProps) {
  if (count === 0) return null;
  return (
    <section class="row card bulk" aria-label={t`What to do with those that are chosen`}>
      <strong role="status">{t`${inFigures(count)} chosen`}</strong>
      {verbsOffered.map((verb) => (
        <Button key={verb} press={() => begin(verb)} kind={isHarmful(verb) ? 'danger' : undefined}>
          {verbs[verb].bar}
        </Button>
      ))}
      <Button press={none}>{t`Choose none`}</Button>
    </section>
  );
}

// More at once nobody looks through before confirming, and no bulk takes more.
const MAX_CHOSEN = 5_000;

/** All that the search finds, page by page. */
async function allRows(search: URLSearchParams): Promise<ProcessRow[]> {
  const rows = new Map<string, ProcessRow>();
  const wanted = new URLSearchParams(search);
  for (const [name, value] of Object.entries({ state: stateIn(search), summaries: 'false', size: '200' }))
    wanted.set(name, value);
  wanted.delete('cursor');
  for (;;) {
    const { items, next, count } = await getJson<ProcessPage>(`/v1/processes?${wanted}`);
    if (count > MAX_CHOSEN)
      throw new RequestError(
        409,
        'TooMany',
        t`The search finds more than ${inFigures(MAX_CHOSEN)} cases. Narrow it, or use npx lockerflow.`,
      );
    for (const row of items) if (!row.startedAgain) rows.set(row.key, row);
    if (next === null) return [...rows.values()];
    wanted.set('cursor', next);
  }
}

interface Tab {
  /** What of the address makes this tab. */
  readonly search: Readonly<Record<string, string>>;
  readonly title: string;
  readonly count: keyof ProcessCounts;
  readonly state?: State;
}

const tabs: readonly Tab[] = [
  { search: {}, title: t`Open`, count: 'open' },
  { search: { needsUs: 'true' }, title: t`Needs us`, count: 'needsUs', state: 'fault' },
  { search: { phase: 'Overdue' }, title: t`Late`, count: 'overdue', state: 'late' },
  { search: { state: 'failed' }, title: t`Failed`, count: 'failed', state: 'fault' },
  { search: { state: 'closed' }, title: t`Ended`, count: 'ended' },
];

const NAMES = ['phase', 'needsUs', 'waitsForAnswer', 'state'] as const;
/** Only of the tab where they stand. */
const RESET = { cursor: null, endedWithin: null, withThem: null, step: null };

const isAt = (search: URLSearchParams, tab: Tab): boolean =>
  NAMES.every((name) => (search.get(name) ?? undefined) === tab.search[name]);

/** What narrows the numbers, too. */
const NARROWING = ['flow', 'pickUpPoint', 'olderThan', 'find'] as const;
const OF_TABS: ReadonlySet<string> = new Set([...NAMES, ...NARROWING, 'cursor', 'size', 'sort']);

function useCounts(search: URLSearchParams): ProcessCounts | undefined {
  const wanted = new URLSearchParams();
  for (const name of NARROWING) {
    const value = search.get(name);
    if (value) wanted.set(name, value);
  }
  return useLive<ProcessCounts>(`/v1/counts?${wanted}`).data;
}

/** As the tab says it; undefined: it is not known, or the list is narrowed by more than the tabs. */
function casesIn(search: URLSearchParams, counts: ProcessCounts | undefined): number | undefined {
  const tab = tabs.find((each) => isAt(search, each));
  const isOwn = [...search.keys()].every((name) => OF_TABS.has(name));
  return tab && isOwn ? counts?.[tab.count] : undefined;
}

interface TabsProps {
  readonly search: URLSearchParams;
  readonly counts: ProcessCounts | undefined;
}

function Tabs({ search, counts }: TabsProps) {
  return (
    <nav class="tabs" aria-label={t`Where cases stand`}>
      <ul class="plain">
        {tabs.map((tab) => {
          const count = counts?.[tab.count];
          const others = Object.fromEntries(NAMES.map((name) => [name, tab.search[name] ?? null]));
          const isBad = typeof count === 'number' && count > 0 && tab.state !== undefined;
          return (
            <li key={tab.count}>
              <a
                href={addressWith(search, { ...RESET, ...others })}
                aria-current={isAt(search, tab) ? 'page' : undefined}
              >
                {tab.title} <span class={isBad ? `count is-${tab.state}` : 'count'}>{count ?? '…'}</span>
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
