// A row of the list: for whom it is, the item, where it is, what is next, and by when.
import { dueOf, firstDue, waitOf } from '../../../processes/views/due.ts';
import { formatNext, formatWhere, placeOf } from '../../../processes/views/row-words.ts';
import { t } from '../../../shared/texts/text.ts';
import { phaseWords } from '../../process/overview/phase-words.ts';
import type { ProcessRow } from '../../processes/processes-view.ts';
import { Badge, type State } from '../parts/badge.tsx';
import { midSentence } from '../parts/format.ts';
import { Ago, TextWithTimes, Time } from '../parts/time.tsx';
import { goTo } from '../shell/address.ts';
import type { PickUpPoints } from '../shell/pick-up-points.ts';
import { caseTitle } from './case-name.tsx';

interface ProcessRowProps {
  readonly row: ProcessRow;
  /** What it has started, as far as the list has it. */
  readonly parts: readonly ProcessRow[];
  readonly points: PickUpPoints;
  /** Undefined: nobody may choose it. */
  readonly isChosen: boolean | undefined;
  readonly mayChoose: boolean;
  readonly toggle: (isAdded: boolean) => void;
  /** It stands below the case whose part it is. */
  readonly isPart: boolean;
  readonly isByWaiting: boolean;
}

export function ProcessRowView(props: ProcessRowProps) {
  const { row, parts, points, isChosen, mayChoose, toggle, isPart, isByWaiting } = props;
  const { key, flowName, about, parent, caseNo, summary, note } = row;
  return (
    <tr data-key={key} class={isPart ? 'part' : undefined} onClick={(event) => openRow(event, key)}>
      {isChosen !== undefined && (
        <td class="box">
          <input
            type="checkbox"
            aria-label={t`Choose ${key}`}
            checked={isChosen}
            disabled={!mayChoose}
            onChange={() => toggle(!isChosen)}
          />
        </td>
      )}
      <th scope="row">
        <a href={pathOf(key)}>{caseTitle(row)}</a>
      </th>
      <td class="item">
        {about?.item && <p>{about.item}</p>}
        <p class="soft">
          <span class="key">{key}</span> · {flowName}
          {caseNo && caseNo !== key && t` · case ${caseNo}`}
          {parent && !isPart && ` · ${midSentence(t`Part of ${parent}`)}`}
        </p>
        {note && <RowNote note={note} />}
      </td>
      <td class="where">
        <Where row={row} points={points} />
      </td>
      <td class="next" title={summary?.states.map((each) => each.words).join('; ')}>
        <Next row={row} />
      </td>
      <td class="due">
        <Due rows={[row, ...parts]} of={isByWaiting ? waitOf : dueOf} />
      </td>
    </tr>
  );
}

const pathOf = (key: string): string => `/process/${encodeURIComponent(key)}`;

/** Whoever points anywhere on a row means its case, unless they mark text, or press what is in it. */
function openRow({ target, metaKey, ctrlKey, shiftKey }: MouseEvent, key: string): void {
  if (metaKey || ctrlKey || shiftKey || `${getSelection()}` !== '') return;
  if (target instanceof Element && !target.closest('a, button, input, label, .box')) goTo(pathOf(key));
}

function Where({ row, points }: Pick<ProcessRowProps, 'row' | 'points'>) {
  const pupUid = placeOf(row);
  const point = pupUid === null ? undefined : points.get(pupUid);
  return (
    <>
      {formatWhere(row, point?.name ?? pupUid) ?? '–'}
      {point?.isOffline && ' '}
      {point?.isOffline && <Badge state="offline">{t`offline`}</Badge>}
    </>
  );
}

function Next({ row }: { readonly row: ProcessRow }) {
  const { summary, phase, unanswered } = row;
  if (phase === null) return <End row={row} />;
  return (
    <>
      <p>
        {phase !== 'Open' && <PhasePill row={row} />} {summary && wordsOf(summary)}
        {!summary && !unanswered && t`not known yet`}
      </p>
      {unanswered && (
        <p class="is-offline tone">{summary ? t`could not be read now` : t`could not be read`}</p>
      )}
    </>
  );
}

/** How one has ended. */
export const End = ({ row }: { readonly row: ProcessRow }) => (
  <p>
    <PhasePill row={row} /> {row.failure ? row.failure.words : row.closedAt === null && t`it ends`}
    {row.startedAgain && t` Started again since.`}
  </p>
);

type Summary = NonNullable<ProcessRow['summary']>;

function wordsOf(summary: Summary) {
  const words = formatNext(summary);
  return summary.next?.isForUs ? <strong>{words}</strong> : <TextWithTimes text={words} />;
}

/** By when, or since when somebody waits: the list is in this order. */
function Due({ rows, of }: { readonly rows: readonly ProcessRow[]; readonly of: typeof dueOf }) {
  const first = firstDue(rows, of, Date.now());
  if (!first) return <Time at={rows[0]?.closedAt} />;
  const { kind, at } = first;
  const { summary } = first.row;
  const aheadMs = summary?.clockAheadMs ?? 0;
  if (!summary || kind === 'waiting' || kind === 'since') return <Since at={at} />;
  if (kind === 'due') return <Time at={at} withDays aheadMs={aheadMs} />;
  return (
    <Badge state="late">
      {t`late,`} <Ago at={at} aheadMs={aheadMs} />
    </Badge>
  );
}

const Since = ({ at }: { readonly at: string | null }) => (
  <span class="soft">
    {t`since`} <Time at={at} />
  </span>
);

/** The beginning says whether it is worth opening the process; the whole is a title, and stands on its page. */
const LONGEST_NOTE = 60;

function RowNote({ note: { text, by, onBehalfOf } }: { readonly note: Note }) {
  const characters = [...text];
  const begin = characters.slice(0, LONGEST_NOTE).join('');
  return (
    <p class="row-note" title={`${onBehalfOf ?? by}: ${text}`}>
      “{characters.length > LONGEST_NOTE ? `${begin.trimEnd()}…` : text}”
    </p>
  );
}

type Note = NonNullable<ProcessRow['note']>;

function PhasePill({ row }: { readonly row: ProcessRow }) {
  const phase = phaseOf(row);
  const { words = phase, state } = phases[phase] ?? {};
  return <Badge state={state}>{words}</Badge>;
}

/** The search may not know yet how one has ended. */
const phaseOf = ({ phase, status }: ProcessRow): string => phase ?? (status === 'Running' ? 'Ended' : status);

const phases: Readonly<Record<string, { readonly words: string; readonly state?: State }>> = {
  Open: { words: midSentence(phaseWords().Open.words) },
  Overdue: { words: midSentence(phaseWords().Overdue.words), state: 'late' },
  NeedsPerson: { words: midSentence(phaseWords().NeedsPerson.words), state: 'fault' },
  Ended: { words: t`ended`, state: 'over' },
  Completed: { words: t`ended`, state: 'over' },
  Failed: { words: t`failed`, state: 'fault' },
  Cancelled: { words: t`cancelled`, state: 'over' },
  Terminated: { words: t`terminated`, state: 'fault' },
  TimedOut: { words: t`timed out`, state: 'fault' },
};
