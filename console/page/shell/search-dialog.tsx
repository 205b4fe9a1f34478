// The one search for everything, over whatever is shown. By keyboard: the arrows choose, Enter goes there, Escape closes.
import { useEffect, useId, useState } from 'preact/hooks';
import type { SearchHit, SearchHitKind, SearchView } from '../../processes/processes-view.ts';
import type { ConsoleUser } from '../../sign-in/sign-in-view.ts';
import { Dialog } from '../parts/dialog.tsx';
import { InWords } from '../parts/time.tsx';
import { goTo } from './address.ts';
import { useJson } from './api.ts';
import { currentMessages, inOwnWords, midSentence } from './locale.ts';
import './search-dialog.css';

/** Shorter than a person takes from letter to letter, long enough that a fast one asks once for a word. */
const PAUSE_MS = 150;
const SHORTEST = 2;
/** What could not be searched is tried again, while somebody waits for it. */
const AGAIN_MS = 3_000;
/** What the server refuses to search for. */
const UNSEARCHABLE = /["\\]/g;

const order: readonly SearchHitKind[] = ['process', 'person', 'shipment', 'locker', 'pickUpPoint', 'flow'];

/** By what could not be searched. */
const unreadKinds: Readonly<Record<string, SearchHitKind>> = {
  people: 'person',
  processes: 'process',
  shipments: 'shipment',
  lockers: 'locker',
  flows: 'flow',
};

interface SearchDialogProps {
  readonly user: ConsoleUser;
  readonly close: () => void;
}

export function SearchDialog({ user, close }: SearchDialogProps) {
  const id = useId();
  const { search: words } = currentMessages();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const wanted = useSettled(text.replaceAll(UNSEARCHABLE, '').trim());
  const isAsked = wanted.length >= SHORTEST;
  const { data, refusal } = useSearch(isAsked ? wanted : undefined);
  const items = order.flatMap((kind) => data?.items.filter((item) => item.kind === kind) ?? []);
  const go = (item: SearchHit | undefined) => {
    if (!item) return;
    close();
    goTo(addressOf(item, user));
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt((before) => Math.max(0, Math.min(items.length - 1, before + step)));
    else if (event.key === 'Enter') go(items[at]);
    else return;
    event.preventDefault();
  };
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [at, id]);
  return (
    <Dialog title={currentMessages().shell.search} close={close}>
      <div class="finder">
        <label class="unseen" for={id}>
          {words.field}
        </label>
        <input
          id={id}
          role="combobox"
          autocomplete="off"
          spellcheck={false}
          maxLength={200}
          placeholder={words.field}
          aria-expanded={items.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={items.length > 0 ? `${id}-${at}` : undefined}
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            setAt(0);
          }}
          onKeyDown={press}
        />
        <div id={`${id}-list`} role="listbox" aria-label={words.found} class="found">
          {order.map((kind) => {
            const some = items.filter((item) => item.kind === kind);
            if (some.length === 0) return null;
            return (
              // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox
              <div key={kind} role="group" aria-labelledby={`${id}-${kind}`}>
                <p id={`${id}-${kind}`} class="found-kind" role="presentation">
                  {words.kinds[kind]}
                </p>
                {some.map((item) => {
                  const index = items.indexOf(item);
                  return (
                    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above takes the keys (aria-activedescendant)
                    <div
                      key={index}
                      id={`${id}-${index}`}
                      role="option"
                      tabIndex={-1}
                      aria-selected={index === at}
                      onClick={() => go(item)}
                    >
                      <strong>{inOwnWords(item.title)}</strong>{' '}
                      {item.words && (
                        <span class="soft">
                          <InWords text={item.words} />
                        </span>
                      )}
                    </div>
                  );
                })}
              </div>
            );
          })}
        </div>
        <p role="status" class="soft">
          {refusal?.message ?? formatStatus(isAsked, data, items.length)}
        </p>
        {data?.unread.map(({ what, why }) => (
          <p key={what} class="refusal">
            {words.notSearched(midSentence(words.kinds[unreadKinds[what] ?? 'process']))} {why}
          </p>
        ))}
      </div>
    </Dialog>
  );
}

function formatStatus(isAsked: boolean, data: SearchView | undefined, count: number): string {
  const { search: words } = currentMessages();
  if (!isAsked) return words.howTo;
  if (!data) return words.searching;
  return count === 0 ? words.nothing : words.results(count);
}

function addressOf({ kind, key, pupUid, lockerUid, flow }: SearchHit, { roles }: ConsoleUser): string {
  if (key !== null) return `/process/${encodeURIComponent(key)}`;
  if (flow !== null) return `/flows/${encodeURIComponent(flow)}`;
  if (kind === 'person') return roles.includes('decide') ? '/desk' : '/';
  if (pupUid === null) return '/processes';
  const locker = lockerUid === null ? '' : `?locker=${encodeURIComponent(lockerUid)}`;
  return `/walls/${encodeURIComponent(pupUid)}${locker}`;
}

function useSearch(text: string | undefined) {
  const { data, refusal, again } = useJson<SearchView>(
    text === undefined ? undefined : `/v1/search?text=${encodeURIComponent(text)}`,
  );
  const isWhole = !data?.unread.length;
  useEffect(() => {
    if (isWhole) return undefined;
    const timer = setInterval(again, AGAIN_MS);
    return () => clearInterval(timer);
  }, [isWhole, again]);
  return { data, refusal };
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
