// Work: what waits for a person, in groups beside the chosen entry. The choice and the chips are in the address.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { EntryGroup, EntryKind, Unread, WorkEntry, WorkView } from '../../processes/processes-view.ts';
import type { ConsoleUser } from '../../sign-in/sign-in-view.ts';
import { Button } from '../parts/button.tsx';
import { Filled } from '../parts/filled.tsx';
import { NotYet } from '../parts/refusal-note.tsx';
import { Ago, Time, useEndOfDay } from '../parts/time.tsx';
import { addressWith, goTo } from '../shell/address.ts';
import { useLive } from '../shell/live.ts';
import { currentMessages } from '../shell/locale.ts';
import { type PickUpPointNames, usePickUpPointNames } from '../shell/pick-up-points.ts';
import type { ViewProps } from '../shell/view.ts';
import { Entry, named } from './entry.tsx';
import './inbox.css';

const groups: readonly EntryGroup[] = ['urgent', 'today', 'later'];

/** Who decides for processes answers in every inbox; others in those that they have a right to. */
function canAct(user: ConsoleUser & { readonly inboxes?: readonly string[] }, { task }: WorkEntry): boolean {
  if (user.roles.includes('decide')) return true;
  return task !== undefined && user.inboxes?.includes(task.inbox) === true;
}

/** The parts by which the list can be narrowed. */
const facets = {
  inbox: ({ task }: WorkEntry) => task?.inbox ?? null,
  kind: ({ kind }: WorkEntry) => kind as string | null,
  point: ({ pupUid }: WorkEntry) => pupUid,
} as const;
type Facet = keyof typeof facets;
const facetNames = Object.keys(facets) as Facet[];

export function Inbox({ user, search }: ViewProps) {
  const dueBefore = useEndOfDay();
  const { data, refusal } = useLive<WorkView>(`/v1/inbox/entries?${new URLSearchParams({ dueBefore })}`);
  const names = usePickUpPointNames();
  const [done, setDone] = useState<string>();
  const all = data?.entries ?? [];
  const shown = all.filter((entry) =>
    facetNames.every((facet) => !search.get(facet) || facets[facet](entry) === search.get(facet)),
  );
  const chosenId = search.get('entry');
  const chosen = all.find(({ id }) => id === chosenId);
  const choose = (id: string | null) => goTo(addressWith(search, { entry: id }), { replace: true });
  useFirst(data !== undefined && chosenId === null, shown[0]?.id, choose);
  /** The one behind those that were answered, or else the one before them. */
  const next = (ids: readonly string[], said: string) => {
    setDone(said);
    const at = shown.findIndex(({ id }) => id === chosenId);
    const open = ({ id }: WorkEntry) => !ids.includes(id);
    const found = shown.slice(at + 1).find(open) ?? shown.slice(0, Math.max(0, at)).findLast(open);
    choose(found?.id ?? null);
    if (found) focusEntry(found.id);
  };
  const words = currentMessages();
  return (
    <>
      <h1>{currentMessages().shell.navigation['/inbox']}</h1>
      <p role="status" class="inbox-done">
        {done}
      </p>
      {!data && <NotYet refusal={refusal} />}
      {data && (
        <>
          <UnreadNotes unread={data.unread} />
          {all.length === 0 && <Nothing isWhole={data.unread.length === 0} />}
          <Chips all={all} search={search} names={names} />
          <div class={chosen ? 'columns work has-chosen' : 'columns work'}>
            <div class="work-list">
              {all.length > 0 && shown.length === 0 && <p class="card">{words.work.noneFits}</p>}
              {groups.map((group) => (
                <Group
                  key={group}
                  group={group}
                  entries={shown.filter((entry) => entry.group === group)}
                  chosenId={chosenId}
                  choose={choose}
                  names={names}
                />
              ))}
            </div>
            {chosenId && (
              <section class="card entry" aria-label={words.work.chosen} data-kind={chosen?.kind}>
                <p class="work-back">
                  <Button press={() => choose(null)}>{words.work.back}</Button>
                </p>
                {chosen ? (
                  <Entry
                    key={chosen.id}
                    entry={chosen}
                    equal={equalTo(chosen, all, user)}
                    canAct={canAct(user, chosen)}
                    names={names}
                    done={setDone}
                    answered={next}
                  />
                ) : (
                  <p>{words.work.isDone}</p>
                )}
              </section>
            )}
          </div>
        </>
      )}
    </>
  );
}

/** Where there is room for both, the first one is open at once. */
function useFirst(isNone: boolean, first: string | undefined, choose: (id: string) => void): void {
  const was = useRef(false);
  useEffect(() => {
    if (was.current || !isNone || first === undefined) return;
    was.current = true;
    if (matchMedia('(min-width: 901px)').matches) choose(first);
  });
}

const focusEntry = (id: string) =>
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`.work-list a[data-entry=${CSS.escape(id)}]`)?.focus(),
  );

/** Nobody answers for another. */
const equalTo = (entry: WorkEntry, all: readonly WorkEntry[], user: ConsoleUser): WorkEntry[] =>
  all.filter(
    (each) =>
      each.id !== entry.id &&
      entry.task !== undefined &&
      each.task?.form === entry.task.form &&
      (each.task.holder === null || each.task.holder === user.name) &&
      canAct(user, each),
  );

interface GroupProps {
  readonly group: EntryGroup;
  readonly entries: readonly WorkEntry[];
  readonly chosenId: string | null;
  readonly choose: (id: string) => void;
  readonly names: PickUpPointNames;
}

function Group({ group, entries, chosenId, choose, names }: GroupProps) {
  if (entries.length === 0) return null;
  const words = currentMessages().work;
  return (
    <section aria-labelledby={`work-${group}`}>
      <h2 id={`work-${group}`}>
        {words.groups[group]} <span class="soft">{entries.length}</span>
      </h2>
      <ol class="card plain inbox">
        {entries.map((entry) => {
          const { id, title, kind, key, task, since, due, asOf, clockAheadMs } = entry;
          return (
            <li key={id} data-kind={kind}>
              <a
                href={addressWith(new URLSearchParams(location.search), { entry: id })}
                data-entry={id}
                aria-current={id === chosenId ? 'true' : undefined}
                onClick={(event) => {
                  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                  event.preventDefault();
                  choose(id);
                }}
              >
                <span class="work-title">{named(title, entry, names)}</span>
                <span class="row soft work-more">
                  <span>{task ? task.inbox : words.kinds[kind]}</span>
                  {key && <span>{key}</span>}
                  {task?.holder && <span>{words.takenBy(task.holder)}</span>}
                  {asOf && (
                    <span class="pill warn">
                      <Filled text={words.notRead}>
                        <Time at={asOf} />
                      </Filled>
                    </span>
                  )}
                  {due ? (
                    <span>
                      <Filled text={words.due}>
                        <Ago at={due} aheadMs={clockAheadMs} />
                      </Filled>
                    </span>
                  ) : (
                    since && <Ago at={since} aheadMs={clockAheadMs} />
                  )}
                </span>
              </a>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

interface ChipsProps {
  readonly all: readonly WorkEntry[];
  readonly search: URLSearchParams;
  readonly names: PickUpPointNames;
}

function Chips({ all, search, names }: ChipsProps) {
  const chips = facetNames.flatMap((facet) => {
    const counts = new Map<string, number>();
    for (const entry of all) {
      const value = facets[facet](entry);
      if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    const on = search.get(facet);
    if (on && !counts.has(on)) counts.set(on, 0);
    // A choice of one narrows nothing.
    return counts.size < 2 && !on ? [] : [...counts].map(([value, count]) => ({ facet, value, count }));
  });
  if (chips.length === 0) return null;
  const words = (facet: Facet, value: string) =>
    facet === 'kind'
      ? currentMessages().work.kinds[value as EntryKind]
      : (facet === 'point' && names.get(value)) || value;
  return (
    <fieldset class="row chips">
      <legend class="unseen">{currentMessages().work.showOnly}</legend>
      {chips.map(({ facet, value, count }) => (
        <button
          key={`${facet} ${value}`}
          type="button"
          class="chip"
          aria-pressed={search.get(facet) === value}
          onClick={() =>
            goTo(addressWith(search, { [facet]: search.get(facet) === value ? null : value }), {
              replace: true,
            })
          }
        >
          {words(facet, value)} <span class="soft">{count}</span>
        </button>
      ))}
    </fieldset>
  );
}

const Nothing = ({ isWhole }: { readonly isWhole: boolean }) => (
  <p class="card">{isWhole ? currentMessages().work.nothing : currentMessages().work.nothingRead}</p>
);

function UnreadNotes({ unread }: { readonly unread: readonly Unread[] }) {
  return (
    <>
      {unread.map(({ what, why }) => (
        <p class="refusal" role="status" key={what}>
          {currentMessages().work.notAll(what, why)}
        </p>
      ))}
    </>
  );
}
