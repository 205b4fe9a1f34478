// The first page: what an operator looks at first, each with its number, its first entries and the way to all of them.
import type {
  OverviewEntry,
  OverviewPart,
  OverviewPartName,
  OverviewView,
} from '../../processes/processes-view.ts';
import { NotYet } from '../parts/refusal-note.tsx';
import { Ago, InWords, useEndOfDay } from '../parts/time.tsx';
import { useLive } from '../shell/live.ts';
import { currentMessages, inFigures, inOwnWords, midSentence } from '../shell/locale.ts';
import { usePickUpPointNames } from '../shell/pick-up-points.ts';
import './home.css';

interface PartLinks {
  /** Where there is all of it. */
  readonly all: string;
  /** How bad it is that there is any. */
  readonly kind: 'bad' | 'warn' | '';
}

const parts: Readonly<Record<OverviewPartName, PartLinks>> = {
  needsYou: { all: '/inbox', kind: 'bad' },
  overdue: { all: '/processes?phase=Overdue', kind: 'warn' },
  doors: { all: '/walls', kind: 'bad' },
  walls: { all: '/walls', kind: 'bad' },
  due: { all: '/processes?today=true', kind: '' },
  failed: { all: '/processes?state=failed&endedWithin=24', kind: 'bad' },
};

export function Home() {
  const dueBefore = useEndOfDay();
  const { data, refusal } = useLive<OverviewView>(`/v1/overview?${new URLSearchParams({ dueBefore })}`);
  return (
    <>
      <h1>{currentMessages().shell.navigation['/']}</h1>
      {!data && <NotYet refusal={refusal} />}
      <div class="cards home">
        {data?.parts.map((part) => (
          <Part key={part.part} shown={part} />
        ))}
      </div>
    </>
  );
}

function Part({ shown: { part, count, entries, incomplete } }: { readonly shown: OverviewPart }) {
  const { all, kind } = parts[part];
  const { home: words } = currentMessages();
  const { title, none } = words.parts[part];
  const isUnread = incomplete !== null && entries.length === 0;
  const others = count - entries.length;
  return (
    <section class="card home-part" data-part={part} aria-labelledby={`home-${part}`}>
      <h2 id={`home-${part}`}>
        <a href={all}>
          {title}{' '}
          <span class={count > 0 ? `number ${kind}` : 'number'}>
            {isUnread && count === 0 ? '?' : inFigures(count)}
          </span>
        </a>
      </h2>
      {entries.length > 0 && (
        <ul class="plain">
          {entries.map((entry, index) => (
            <li key={`${entry.key} ${entry.pupUid} ${index}`}>
              <Entry entry={entry} all={all} />
            </li>
          ))}
        </ul>
      )}
      {entries.length === 0 && !isUnread && <p class="soft">{none}</p>}
      {others > 0 && entries.length > 0 && (
        <p>
          <a href={all}>{words.more(others)}</a>
        </p>
      )}
      {incomplete && (
        <p class="soft" role="status">
          <InWords text={incomplete} />
        </p>
      )}
    </section>
  );
}

function Entry({ entry, all }: { readonly entry: OverviewEntry; readonly all: string }) {
  const { title, words, key, pupUid, at } = entry;
  const names = usePickUpPointNames();
  const place = pupUid === null ? null : (names.get(pupUid) ?? pupUid);
  return (
    <>
      <a href={addressOf(entry, all)}>
        {key === null && place !== null ? `${place}: ${midSentence(inOwnWords(title))}` : inOwnWords(title)}
      </a>
      <span class="soft home-words">
        {words && <InWords text={words} />}
        {at && (
          <>
            {words && ' · '}
            <Ago at={at} />
          </>
        )}
      </span>
    </>
  );
}

function addressOf({ key, pupUid, lockerUid }: OverviewEntry, all: string): string {
  // What to do about it is said there, and not at the process.
  if (all === '/inbox') return all;
  if (key !== null) return `/process/${encodeURIComponent(key)}`;
  if (pupUid === null) return all;
  const locker = lockerUid === null ? '' : `?locker=${encodeURIComponent(lockerUid)}`;
  return `/walls/${encodeURIComponent(pupUid)}${locker}`;
}
