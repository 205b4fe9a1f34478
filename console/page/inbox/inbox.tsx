// Work: what waits for a person, in groups beside the chosen entry. The choice is in the address.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { EntryKind, WorkEntry, WorkView } from '../../processes/processes-view.ts';
import type { ConsoleUser } from '../../sign-in/sign-in-view.ts';
import { Button } from '../parts/button.tsx';
import { SelectField } from '../parts/field.tsx';
import { NotYet } from '../parts/refusal-note.tsx';
import { useShortcut } from '../parts/shortcut.ts';
import { useEndOfDay } from '../parts/time.tsx';
import { BulkActionDialog } from '../processes/bulk-action-dialog.tsx';
import type { Bulk } from '../processes/many.tsx';
import { useUnread } from '../readings.ts';
import { addressWith, goTo } from '../shell/address.ts';
import { useLive } from '../shell/live.ts';
import { type PickUpPointNames, usePickUpPointNames } from '../shell/pick-up-points.ts';
import type { ViewProps } from '../shell/view.ts';
import { Answered, useAnswered } from './answered.tsx';
import { Entry, kinds } from './entry.tsx';
import { Rows, useRows, withMembers } from './rows.tsx';
import { SinceLine } from './since-line.tsx';
import { UnreadNotes } from './unread-notes.tsx';
import './inbox.css';
import { t } from '../../../shared/texts/text.ts';

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
  const { rows, unfold, toggle } = useRows(shown, chosenId);
  // One that the choice above hides is not shown beside it, either.
  const chosen = rows.find(({ id }) => id === chosenId);
  const isHidden = !chosen && all.flatMap(withMembers).some(({ id }) => id === chosenId);
  const choose = (id: string | null) => {
    unfold(id);
    goTo(addressWith(search, { entry: id }), { replace: true });
  };
  const chooseRow = (id: string) => {
    choose(id);
    focusEntry(id);
  };
  useFirst(data !== undefined && chosenId === null, shown[0]?.id, choose);
  const { answer, keep, next } = useAnswered(rows, { id: chosenId, entry: chosen });
  const goOn = () => (next ? chooseRow(next.id) : choose(null));
  const place = useRef(0);
  const at = rows.findIndex(({ id }) => id === chosenId);
  if (at >= 0) place.current = at;
  const step = (by: 1 | -1) => {
    if (answer && by === 1) return goOn();
    // Where the chosen one has gone, the next one stands in its place.
    const to = at < 0 && by === 1 ? place.current : place.current + by;
    const row = rows[Math.min(rows.length - 1, Math.max(0, to))];
    if (row) chooseRow(row.id);
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
              <Rows shown={shown} rows={rows} {...{ chosenId, choose, toggle, names }} />
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
                    choose={chooseRow}
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
    <p>{t`This is done, and no longer in Work.`}</p>
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
