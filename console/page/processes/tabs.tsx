// The tabs above the list: where processes stand, each with how many there are of what is searched for.
import type { ProcessCounts } from '../../processes/processes-view.ts';
import { addressWith } from '../shell/address.ts';
import { useLive } from '../shell/live.ts';
import { currentMessages } from '../shell/locale.ts';

interface Tab {
  /** What of the address makes this tab. */
  readonly search: Readonly<Record<string, string>>;
  readonly count: keyof ProcessCounts;
  readonly kind?: 'bad' | 'warn';
}

const tabs: readonly Tab[] = [
  { search: {}, count: 'open' },
  { search: { phase: 'NeedsPerson' }, count: 'needsPerson', kind: 'bad' },
  { search: { waitsForAnswer: 'true' }, count: 'waitsForAnswer', kind: 'warn' },
  { search: { phase: 'Overdue' }, count: 'overdue', kind: 'warn' },
  { search: { state: 'failed' }, count: 'failed', kind: 'bad' },
  { search: { state: 'closed' }, count: 'ended' },
];

const NAMES = ['phase', 'waitsForAnswer', 'state'] as const;
/** Only of the tab where they stand. */
const RESET = { cursor: null, endedWithin: null };

const isAt = (search: URLSearchParams, tab: Tab): boolean =>
  NAMES.every((name) => (search.get(name) ?? undefined) === tab.search[name]);

/** What narrows the numbers, too. */
const NARROWING = ['flow', 'pickUpPoint', 'olderThan', 'find'] as const;

export function Tabs({ search }: { readonly search: URLSearchParams }) {
  const wanted = new URLSearchParams();
  for (const name of NARROWING) {
    const value = search.get(name);
    if (value) wanted.set(name, value);
  }
  const { data: counts } = useLive<ProcessCounts>(`/v1/counts?${wanted}`);
  const words = currentMessages().list.tabs;
  return (
    <nav class="tabs" aria-label={words.title}>
      <ul class="plain">
        {tabs.map((tab) => {
          const count = counts?.[tab.count];
          const others = Object.fromEntries(NAMES.map((name) => [name, tab.search[name] ?? null]));
          const isBad = typeof count === 'number' && count > 0 && tab.kind !== undefined;
          return (
            <li key={tab.count}>
              <a
                href={addressWith(search, { ...RESET, ...others })}
                aria-current={isAt(search, tab) ? 'page' : undefined}
              >
                {words[tab.count]} <span class={isBad ? `number ${tab.kind}` : 'number'}>{count ?? '…'}</span>
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
