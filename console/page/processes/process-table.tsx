// The rows of the list.

import { phaseWords } from '../../process/glance/phase-words.ts';
import type { ProcessRow } from '../../processes/processes-view.ts';
import { midSentence } from '../parts/format.ts';
import { Ago, TextWithTimes, Time } from '../parts/time.tsx';
import { type PickUpPointNames, usePickUpPointNames } from '../shell/pick-up-points.ts';

interface ProcessTableProps {
  readonly rows: readonly ProcessRow[];
  /** Undefined for a person who may not decide. */
  readonly chosen: ReadonlySet<string> | undefined;
  /** Which of them something can be done to. */
  readonly mayChoose: (row: ProcessRow) => boolean;
  readonly choose: (keys: ReadonlySet<string>) => void;
}

const columns = [
  ['Key', 'name'],
  ['Flow', 'flow'],
  ['State', 'narrow'],
  ['Where it stands', 'stands'],
  ['Deadline', 'narrow'],
  ['Pick up point', 'place'],
  ['Started', 'narrow'],
] as const;

export function ProcessTable({ rows, chosen, mayChoose, choose }: ProcessTableProps) {
  const names = usePickUpPointNames();
  const open = rows.filter(mayChoose).map(({ key }) => key);
  const isAll = chosen !== undefined && open.length > 0 && open.every((key) => chosen.has(key));
  const toggle = (keys: readonly string[], isAdded: boolean) => {
    const next = new Set(chosen);
    for (const key of keys)
      if (isAdded) next.add(key);
      else next.delete(key);
    choose(next);
  };
  return (
    <div class="table-frame">
      <table class="processes">
        <thead>
          <tr>
            {chosen && (
              <td class="box">
                <input
                  type="checkbox"
                  aria-label="Choose all on this page"
                  checked={isAll}
                  disabled={open.length === 0}
                  onChange={() => toggle(open, !isAll)}
                />
              </td>
            )}
            {columns.map(([title, kind]) => (
              <th key={title} scope="col" class={kind}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row
              key={row.runId}
              row={row}
              isChosen={chosen?.has(row.key)}
              mayChoose={mayChoose(row)}
              names={names}
              toggle={(isAdded) => toggle([row.key], isAdded)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  readonly row: ProcessRow;
  readonly isChosen: boolean | undefined;
  readonly mayChoose: boolean;
  readonly names: PickUpPointNames;
  readonly toggle: (isAdded: boolean) => void;
}

function Row({ row, isChosen, mayChoose, names, toggle }: RowProps) {
  const { key, pickUpPoint, summary, parent, caseNo } = row;
  const place = pickUpPoint === null ? '–' : (names.get(pickUpPoint) ?? pickUpPoint);
  return (
    <tr data-key={key}>
      {isChosen !== undefined && (
        <td class="box">
          <input
            type="checkbox"
            aria-label={`Choose ${key}`}
            checked={isChosen}
            disabled={!mayChoose}
            onChange={() => toggle(!isChosen)}
          />
        </td>
      )}
      <th scope="row">
        <div class="cell">
          <a href={`/process/${encodeURIComponent(key)}`}>{key}</a>
          {caseNo && caseNo !== key && <span class="soft">case {caseNo}</span>}
          {parent && <span class="soft">{midSentence(`Part of ${parent}`)}</span>}
        </div>
      </th>
      <td class="flow" title={row.flowName}>
        {row.flowName}
      </td>
      <td class="narrow">
        <PhasePill row={row} />
      </td>
      <td class="stands" title={summary?.states.map((each) => each.words).join('; ')}>
        <Stands row={row} />
        {summary?.note && <RowNote note={summary.note} />}
      </td>
      <td class="narrow">
        {summary?.until ? (
          <Ago at={summary.until} aheadMs={summary.clockAheadMs} />
        ) : (
          <span class="soft">–</span>
        )}
      </td>
      <td title={place} class="place">
        {place}
      </td>
      <td class="narrow">
        <Ago at={row.startedAt} />
      </td>
    </tr>
  );
}

function Stands({
  row: { summary, phase, closedAt, unanswered, startedAgain },
}: {
  readonly row: ProcessRow;
}) {
  if (phase === null && closedAt)
    return (
      <span>
        ended <Time at={closedAt} />
        {startedAgain && ', started again since'}
      </span>
    );
  if (!summary && unanswered && phase !== null) return <span class="warn-text">could not be read</span>;
  if (!summary) return <span class="soft">{phase === null ? 'it ends' : 'not known yet'}</span>;
  const open = summary.states.filter(({ isDone }) => !isDone);
  const shown = open.length > 0 ? open : summary.states;
  return (
    <div class="cell">
      <span>{shown.map((each) => each.words).join('; ')}</span>
      {unanswered && <span class="warn-text">could not be read now</span>}
      {/* The state of a shipment says it already. */}
      {!summary.until && summary.waitingFor && shown.every(({ role }) => role === null) && (
        <span class="soft">
          waiting for <TextWithTimes text={summary.waitingFor} />
        </span>
      )}
    </div>
  );
}

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

type Note = NonNullable<NonNullable<ProcessRow['summary']>['note']>;

function PhasePill({ row }: { readonly row: ProcessRow }) {
  const phase = phaseOf(row);
  const { words = phase, colour = '' } = phases[phase] ?? {};
  return <span class={`pill ${colour}`}>{words}</span>;
}

/** The search may not know yet how one has ended. */
const phaseOf = ({ phase, status }: ProcessRow): string => phase ?? (status === 'Running' ? 'Ended' : status);

const phases: Readonly<Record<string, { readonly words: string; readonly colour?: string }>> = {
  Open: { words: midSentence(phaseWords.Open.words) },
  Overdue: { words: midSentence(phaseWords.Overdue.words), colour: 'warn' },
  NeedsPerson: { words: midSentence(phaseWords.NeedsPerson.words), colour: 'bad' },
  Ended: { words: 'ended' },
  Completed: { words: 'ended', colour: 'good' },
  Failed: { words: 'failed', colour: 'bad' },
  Cancelled: { words: 'cancelled' },
  Terminated: { words: 'terminated', colour: 'bad' },
  TimedOut: { words: 'timed out', colour: 'bad' },
};
