// The list of Work: what is urgent first. A group of one cause is one row; unfolded, its members stand below it, each a row with its own
// actions when it is chosen.
import { useState } from 'preact/hooks';
import { t } from '../../../shared/texts/text.ts';
import type { EntryGroup, WorkEntry } from '../../processes/processes-view.ts';
import { formatAbout } from '../parts/about.tsx';
import { Icon } from '../parts/icon.tsx';
import { Ago, Time } from '../parts/time.tsx';
import { addressWith, goTo } from '../shell/address.ts';
import type { PickUpPointNames } from '../shell/pick-up-points.ts';
import { kinds, named } from './entry.tsx';
import { lookOf } from './entry-look.ts';

const groups: Readonly<Record<EntryGroup, string>> = {
  urgent: t`Urgent`,
  today: t`Today`,
  later: t`Later`,
  snoozed: t`Snoozed`,
};

const membersOf = ({ many }: WorkEntry): readonly WorkEntry[] => many?.members ?? [];
export const withMembers = (entry: WorkEntry): WorkEntry[] => [entry, ...membersOf(entry)];

/** Those that one can choose now: all entries, and the members of groups that are unfolded. */
export function useRows(shown: readonly WorkEntry[], chosenId: string | null) {
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const has = (entry: WorkEntry, wanted: string | null) => membersOf(entry).some(({ id }) => id === wanted);
  const rows = shown.flatMap((entry) =>
    unfolded.has(entry.id) || has(entry, chosenId) ? withMembers(entry) : [entry],
  );
  const set = (id: string, isUnfolded: boolean) =>
    setUnfolded(
      (before) => new Set(isUnfolded ? [...before, id] : [...before].filter((each) => each !== id)),
    );
  return {
    rows,
    toggle: (id: string) => set(id, !unfolded.has(id)),
    /** The group that a member is in. */
    unfold: (member: string | null) => {
      const group = shown.find((entry) => has(entry, member));
      if (group) set(group.id, true);
    },
  };
}

interface RowsProps {
  readonly shown: readonly WorkEntry[];
  readonly rows: readonly WorkEntry[];
  readonly chosenId: string | null;
  readonly choose: (id: string) => void;
  /** Unfolds a group, or folds it. */
  readonly toggle: (id: string) => void;
  readonly names: PickUpPointNames;
}

export function Rows({ shown, rows, ...props }: RowsProps) {
  const entries = new Set(shown);
  return (
    <>
      {(Object.keys(groups) as EntryGroup[]).map((group) => {
        const own = rows.filter((each) => each.group === group);
        if (own.length === 0) return null;
        return (
          <section key={group} aria-labelledby={`work-${group}`}>
            <h2 id={`work-${group}`}>
              {groups[group]} <span class="soft">{own.filter((each) => entries.has(each)).length}</span>
            </h2>
            <ol class="card plain inbox">
              {own.map((entry, index) => (
                <Row
                  key={entry.id}
                  {...props}
                  entry={entry}
                  isMember={!entries.has(entry)}
                  isUnfolded={membersOf(entry)[0] && membersOf(entry)[0] === own[index + 1]}
                />
              ))}
            </ol>
          </section>
        );
      })}
    </>
  );
}

interface RowProps extends Omit<RowsProps, 'shown' | 'rows'> {
  readonly entry: WorkEntry;
  readonly isMember: boolean;
  /** Undefined: it is no group. */
  readonly isUnfolded: boolean | undefined;
}

function Row({ entry, isMember, isUnfolded, chosenId, choose, toggle, names }: RowProps) {
  const { id, title, kind, key, task, since, due, asOf, clockAheadMs } = entry;
  const { state, icon } = lookOf(entry);
  const open = () => {
    if (isUnfolded !== undefined) toggle(id);
    else if (key !== null) goTo(`/process/${encodeURIComponent(key)}`);
  };
  return (
    <li data-kind={kind} class={isMember ? 'is-member' : undefined}>
      <a
        href={addressWith(new URLSearchParams(location.search), { entry: id })}
        data-entry={id}
        class={state && `is-${state}`}
        aria-current={id === chosenId ? 'true' : undefined}
        aria-expanded={isUnfolded}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          // By Enter, on the one that is chosen; a group also by another click.
          if (id === chosenId && (event.detail === 0 || isUnfolded !== undefined)) open();
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
}
