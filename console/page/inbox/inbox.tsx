// Work: what waits for a person, in groups beside the chosen entry. The choice is in the address.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { EntryGroup, EntryKind, Unread, WorkEntry, WorkView } from '../../processes/processes-view.ts';
import type { ConsoleUser } from '../../sign-in/sign-in-view.ts';
import { formatAbout } from '../parts/about.tsx';
import { Button } from '../parts/button.tsx';
import { SelectField } from '../parts/field.tsx';
import { Icon } from '../parts/icon.tsx';
import { NotYet } from '../parts/refusal-note.tsx';
import { useShortcut } from '../parts/shortcut.ts';
import { Ago, Time, useEndOfDay } from '../parts/time.tsx';
import { BulkActionDialog } from '../processes/bulk-action-dialog.tsx';
import type { Bulk } from '../processes/many.tsx';
import { useUnread } from '../readings.ts';
import { addressWith, goTo } from '../shell/address.ts';
import { useLive } from '../shell/live.ts';
import { type PickUpPointNames, usePickUpPointNames } from '../shell/pick-up-points.ts';
import type { ViewProps } from '../shell/view.ts';
import { Answered, useAnswered } from './answered.tsx';
import { Entry, kinds, named } from './entry.tsx';
import { lookOf } from './entry-look.ts';
import { SinceLine } from './since-line.tsx';
import './inbox.css';
import { t } from '../../../shared/texts/text.ts';

const groups: Readonly<Record<EntryGroup, string>> = {
  urgent: t`Urgent`,
  today: t`Today`,
  later: t`Later`,
  snoozed: t`Snoozed`,
};

/** Who decides for processes answers in every inbox; others in those that they have a right to. */
function canAct(user: ConsoleUser & { readonly inboxes?: readonly string[] }, { task }: WorkEntry): boolean {
  if (user.roles.includes('decide')) return true;
  return task !== undefined && user.inboxes?.includes(task.inbox) === true;
}

/** By what the list can be narrowed: an inbox, a kind, a pick up point. */
const partsOf = ({ task, kind, pupUid }: WorkEntry): readonly (string | null)[] => [
  task?.inbox ?? null,
  kind,
  pupUid,
];

export function Inbox({ user, search }: ViewProps) {
  const dueBefore = useEndOfDay();
  const { data, refusal } = useLive<WorkView>(`/v1/inbox/entries?${new URLSearchParams({ dueBefore })}`);
  useUnread((data?.unread ?? []).map(({ what }) => what));
  const names = usePickUpPointNames();
  const [done, setDone] = useState<string>();
  // Here, and not in its entry, which ends while it is done.
  const [bulk, setBulk] = useState<Bulk>();
  const all = data?.entries ?? [];
  const only = search.get('only');
  const shown = all.filter((entry) => !only || partsOf(entry).includes(only));
  const chosenId = search.get('entry');
  // One that the choice above hides is not shown beside it, either.
  const chosen = shown.find(({ id }) => id === chosenId);
  const isHidden = !chosen && all.some(({ id }) => id === chosenId);
  const choose = (id: string | null) => goTo(addressWith(search, { entry: id }), { replace: true });
  useFirst(data !== undefined && chosenId === null, shown[0]?.id, choose);
  const { answer, keep, next } = useAnswered(shown, { id: chosenId, entry: chosen });
  const goOn = () => {
    choose(next?.id ?? null);
    if (next) focusEntry(next.id);
  };
  const step = (by: 1 | -1) => {
    if (answer && by === 1) return goOn();
    const at = shown.findIndex(({ id }) => id === chosenId);
    const to = shown[at < 0 ? 0 : Math.min(shown.length - 1, Math.max(0, at + by))];
    if (!to) return;
    choose(to.id);
    focusEntry(to.id);
  };
  useShortcut('j', () => step(1));
  useShortcut('k', () => step(-1));
  return (
    <>
      <h1>{t`Work`}</h1>
      <SinceLine name={user.name} />
      <p role="status" class="inbox-done">
        {done}
      </p>
      {!data && <NotYet refusal={refusal} />}
      {data && (
        <>
          <UnreadNotes unread={data.unread} />
          {all.length === 0 && <Nothing isWhole={data.unread.length === 0} />}
          <Narrow all={all} search={search} names={names} />
          <div class={`columns work${chosen || answer ? ' has-chosen' : ''}`}>
            <div class="work-list">
              {all.length > 0 && shown.length === 0 && (
                <p class="card">{t`Nothing here fits these choices.`}</p>
              )}
              {(Object.keys(groups) as EntryGroup[]).map((group) => (
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
            {chosenId && !isHidden && (
              <section class="card entry" aria-label={t`The chosen entry`} data-kind={chosen?.kind}>
                <p class="work-back">
                  <Button press={() => choose(null)}>{t`← All work`}</Button>
                </p>
                {answer ? (
                  <Answered answer={answer} next={next} goOn={goOn} />
                ) : (
                  <Chosen
                    key={chosen?.id}
                    entry={chosen}
                    user={user}
                    names={names}
                    done={setDone}
                    answered={(entry, given) => setDone(keep(entry, given))}
                    begin={setBulk}
                  />
                )}
              </section>
            )}
          </div>
        </>
      )}
      {bulk && <BulkActionDialog {...bulk} close={() => setBulk(undefined)} done={() => undefined} />}
    </>
  );
}

interface ChosenProps extends Omit<Parameters<typeof Entry>[0], 'entry' | 'canAct'> {
  readonly entry: WorkEntry | undefined;
  readonly user: ConsoleUser;
}

const Chosen = ({ entry, user, ...props }: ChosenProps) =>
  entry ? (
    <Entry {...props} entry={entry} canAct={canAct(user, entry)} />
  ) : (
    <p>{t`This is done: it waits for nobody any more.`}</p>
  );

/** Where there is room for both, the first one is open at once. */
function useFirst(isNone: boolean, first: string | undefined, choose: (id: string) => void): void {
  const was = useRef(false);
  useEffect(() => {
    if (was.current || !isNone || first === undefined) return;
    was.current = true;
    if (matchMedia('(min-width: 961px)').matches) choose(first);
  });
}

const focusEntry = (id: string) =>
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`.work-list a[data-entry=${CSS.escape(id)}]`)?.focus(),
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
  return (
    <section aria-labelledby={`work-${group}`}>
      <h2 id={`work-${group}`}>
        {groups[group]} <span class="soft">{entries.length}</span>
      </h2>
      <ol class="card plain inbox">
        {entries.map((entry) => {
          const { id, title, kind, key, task, since, due, asOf, clockAheadMs } = entry;
          const { state, icon } = lookOf(entry);
          return (
            <li key={id} data-kind={kind}>
              <a
                href={addressWith(new URLSearchParams(location.search), { entry: id })}
                data-entry={id}
                class={state && `is-${state}`}
                aria-current={id === chosenId ? 'true' : undefined}
                onClick={(event) => {
                  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                  event.preventDefault();
                  // By Enter, on the one that is chosen.
                  if (event.detail === 0 && id === chosenId && key !== null)
                    goTo(`/process/${encodeURIComponent(key)}`);
                  else choose(id);
                }}
              >
                <span class="tone">
                  <Icon name={icon} />
                </span>
                <span class="work-title">{named(title, entry, names)}</span>
                <span class="row soft work-more">
                  <span>{task ? task.inbox : kinds[kind]}</span>
                  <span>{formatAbout(entry) ?? key}</span>
                  {task?.holder && <span>{t`taken by ${task.holder}`}</span>}
                  {entry.snoozed && (
                    <span>
                      {t`until`} <Time at={entry.snoozed.until} />
                    </span>
                  )}
                  {asOf && (
                    <span class="badge is-offline">
                      {t`not read since`} <Time at={asOf} />
                    </span>
                  )}
                  {due ? (
                    <span>
                      {t`due`} <Ago at={due} aheadMs={clockAheadMs} />
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

interface NarrowProps {
  readonly all: readonly WorkEntry[];
  readonly search: URLSearchParams;
  readonly names: PickUpPointNames;
}

function Narrow({ all, search, names }: NarrowProps) {
  const counts = new Map<string, number>();
  for (const part of all.flatMap(partsOf)) if (part !== null) counts.set(part, (counts.get(part) ?? 0) + 1);
  const only = search.get('only') ?? '';
  // A choice of one narrows nothing.
  if (counts.size < 2 && only === '') return null;
  const named = (part: string) => kinds[part as EntryKind] ?? names.get(part) ?? part;
  return (
    <SelectField
      label={t`Show only`}
      value={only}
      set={(value) => goTo(addressWith(search, { only: value }), { replace: true })}
    >
      <option value="">{t`All work`}</option>
      {[...counts].map(([part, count]) => (
        <option key={part} value={part}>
          {named(part)} ({count})
        </option>
      ))}
    </SelectField>
  );
}

const Nothing = ({ isWhole }: { readonly isWhole: boolean }) => (
  <p class="card">
    {isWhole ? t`Nothing waits for a person.` : t`Nothing that could be read waits for a person.`}
  </p>
);

function UnreadNotes({ unread }: { readonly unread: readonly Unread[] }) {
  return (
    <>
      {unread.map(({ what, why }) => (
        <p class="refusal" role="status" key={what}>{t`Not all is shown: ${what}: ${why}`}</p>
      ))}
    </>
  );
}
