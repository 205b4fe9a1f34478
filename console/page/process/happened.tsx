// What happened in a process, in the flows that it has started and at their doors, in sentences.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../../../shared/texts/text.ts';
import type { CaseHistory, DoorHistory } from '../../process/process-view.ts';
import type { QueryResult } from '../api.ts';
import { UndoButton } from '../forms/undo-button.tsx';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { formatDay } from '../parts/moment.ts';
import { NotYet } from '../parts/refusal-note.tsx';
import { Clock, TextWithTimes } from '../parts/time.tsx';
import { dayOf, type FoldedRow, foldedOf } from './folded-rows.ts';
import { filters, merged } from './happened-rows.ts';
import { NoteField } from './note-field.tsx';

interface HappenedProps {
  readonly path: string;
  readonly mayAct: boolean;
  readonly takesNotes: boolean;
  readonly history: Pick<QueryResult<CaseHistory>, 'data' | 'refusal'>;
  readonly doors: Pick<QueryResult<DoorHistory>, 'data' | 'refusal'>;
  /** Whom or what a flow is about that the case has started for one of many. */
  readonly nameOf: (key: string) => string | null;
  readonly undone: () => void;
}

/** More would make the page slow: the newest are shown. */
const MAX_ROWS = 60;

export function Happened(props: HappenedProps) {
  const { path, mayAct, takesNotes, history, doors, nameOf, undone } = props;
  const { data, refusal } = history;
  const [shown, setShown] = useState<keyof typeof filters>('all');
  const happened = data ? merged(data.happened, doors.data) : [];
  const found = happened.filter(filters[shown].isShown);
  const rows = found.slice(-MAX_ROWS);
  const unreadDoors = doors.refusal ? t`What happened at the doors could not be read.` : doors.data?.unread;
  return (
    <section class="card side-steps" aria-labelledby="steps-title">
      <h2 id="steps-title">{t`What happened`}</h2>
      {(refusal || !data) && <NotYet refusal={refusal} words={t`Reading the history …`} />}
      {(data?.unread ?? []).map(({ what, why }) => (
        <p class="note is-offline" key={what}>{t`What happened in ${what} could not be read: ${why}`}</p>
      ))}
      {unreadDoors && <p class="note is-offline">{unreadDoors}</p>}
      <fieldset class="row">
        <legend class="unseen">{t`Show of what happened`}</legend>
        {Object.entries(filters).map(([name, { words }]) => (
          <Button key={name} press={() => setShown(name as typeof shown)} isPressed={shown === name}>
            {words}
          </Button>
        ))}
      </fieldset>
      {mayAct && takesNotes && <NoteField path={path} />}
      {rows.length < found.length && <p class="soft">{t`The last ${rows.length} of ${found.length}.`}</p>}
      {daysOf(foldedOf(rows)).map(({ day, rows: ofDay }) => (
        <section key={day} aria-label={day}>
          <h3 class="day">{day}</h3>
          <ol class="step-list events plain">
            {ofDay.map(({ row, count }) => (
              <Row key={`${row.runId} ${row.eventId}`} row={row} count={count} nameOf={nameOf}>
                {mayAct && row.undo && (
                  <UndoButton path={row.of ? pathOf(row.of.key) : path} undo={row.undo} undone={undone} />
                )}
              </Row>
            ))}
          </ol>
        </section>
      ))}
    </section>
  );
}

/** In the API. */
const pathOf = (key: string): string => `/v1/processes/${encodeURIComponent(key)}`;

interface Day {
  readonly day: string;
  readonly rows: readonly FoldedRow[];
}

function daysOf(folded: readonly FoldedRow[]): Day[] {
  const byDay = new Map<string, FoldedRow[]>();
  for (const each of folded) byDay.set(dayOf(each.row), [...(byDay.get(dayOf(each.row)) ?? []), each]);
  return [...byDay].map(([day, rows]) => ({
    day: day === '' ? t`At an unknown moment` : formatDay(new Date(day), new Date()),
    rows,
  }));
}

interface RowProps extends FoldedRow, Pick<HappenedProps, 'nameOf'> {
  readonly children: ComponentChildren;
}

function Row({ row, count, nameOf, children }: RowProps) {
  const { at, words, did, by, why, isBad, of, from } = row;
  const begin = from === undefined ? words.length : words.lastIndexOf(from);
  return (
    <li class={isBad ? 'is-fault' : undefined}>
      {at ? <Clock at={at} /> : <span>–</span>}
      <div>
        {of && (
          <a class="badge" href={`/process/${encodeURIComponent(of.key)}`}>
            {nameOf(of.key) ?? of.title}
          </a>
        )}{' '}
        {isBad && (
          <span class="tone">
            <Icon name="warning" />{' '}
          </span>
        )}
        <TextWithTimes text={words.slice(0, begin)} />
        {from && <a href={`/process/${encodeURIComponent(from)}`}>{from}</a>}{' '}
        {count > 1 && <span class="soft">{t`(${count} times)`}</span>}{' '}
        {by && <span class="badge">{t`by ${by}`}</span>} {why && <span class="soft">({why})</span>} {children}
        {did.map((each, index) => (
          <p key={index} class="did">
            <TextWithTimes text={each} />
          </p>
        ))}
      </div>
    </li>
  );
}
