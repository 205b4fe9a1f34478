// The rows of the list. A row that has not changed is not drawn again.
import { Component, Fragment } from 'preact';
import type { ProcessRow } from '../../processes/processes-view.ts';
import { Ago, InWords, Time } from '../parts/time.tsx';

export interface ProcessTableProps {
  readonly rows: readonly ProcessRow[];
  /** Undefined for a person who may not decide. */
  readonly chosen: ReadonlySet<string> | undefined;
  readonly choose: (keys: ReadonlySet<string>) => void;
}

export function ProcessTable({ rows, chosen, choose }: ProcessTableProps) {
  const toggle = (key: string) => {
    const next = new Set(chosen);
    if (!next.delete(key)) next.add(key);
    choose(next);
  };
  return (
    <div class="table-frame">
      <table class="processes">
        <thead>
          <tr>
            {chosen && (
              <td>
                <span class="unseen">Choose</span>
              </td>
            )}
            <th scope="col">Key</th>
            <th scope="col">Flow</th>
            <th scope="col">Phase</th>
            <th scope="col">Where it stands</th>
            <th scope="col">Pick up point</th>
            <th scope="col">Case</th>
            <th scope="col">Started</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row
              key={row.runId}
              row={row}
              text={JSON.stringify(row)}
              isChosen={chosen?.has(row.key)}
              toggle={toggle}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  readonly row: ProcessRow;
  /** The row as text, to tell whether it has changed. */
  readonly text: string;
  readonly isChosen: boolean | undefined;
  readonly toggle: (key: string) => void;
}

class Row extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    return next.text !== this.props.text || next.isChosen !== this.props.isChosen;
  }

  override render({ row, isChosen }: RowProps) {
    return (
      <tr data-key={row.key}>
        {isChosen !== undefined && (
          <td>
            <input
              type="checkbox"
              aria-label={`Choose ${row.key}`}
              checked={isChosen}
              disabled={row.phase === null}
              // The newest: the row may not have been drawn since.
              onChange={() => this.props.toggle(row.key)}
            />
          </td>
        )}
        <th scope="row">
          <a href={`/process/${encodeURIComponent(row.key)}`}>{row.key}</a>
        </th>
        <td>
          <Humps name={row.flow} />
        </td>
        <td>
          <span class={`pill ${colours[phaseOf(row)] ?? ''}`}>{words[phaseOf(row)] ?? phaseOf(row)}</span>
        </td>
        <td class="stands">
          <Stands row={row} />
        </td>
        <td class="case">{row.pickUpPoint ?? '–'}</td>
        <td class="case">{row.caseNo ?? '–'}</td>
        <td>
          <Ago at={row.startedAt} />
        </td>
      </tr>
    );
  }
}

/** A long name may go on in the next line before each capital letter. */
function Humps({ name }: { readonly name: string }) {
  const [first, ...others] = name.split(/(?=[A-Z])/);
  return (
    <>
      {first}
      {others.map((hump, index) => (
        <Fragment key={index}>
          <wbr />
          {hump}
        </Fragment>
      ))}
    </>
  );
}

function Stands({ row }: { readonly row: ProcessRow }) {
  const { summary } = row;
  if (row.phase === null && row.closedAt)
    return (
      <>
        ended <Time at={row.closedAt} />
      </>
    );
  if (!summary) return <span class="soft">{row.phase === null ? 'it ends' : 'not known yet'}</span>;
  return (
    <>
      <ul class="states">
        {summary.states.map(({ role, state, lockerName, isDone }) => (
          <li key={`${role} ${state}`} class={isDone ? 'soft' : undefined}>
            {role && <span class="role">{role} </span>}
            {state}
            {lockerName && ` in locker ${lockerName}`}
          </li>
        ))}
      </ul>
      {summary.until && (
        <span class="soft">
          deadline <Ago at={summary.until} aheadMs={summary.clockAheadMs} />
        </span>
      )}
      {!summary.until && summary.awaits && (
        <span class="soft">
          awaits <InWords text={summary.awaits} />
        </span>
      )}
    </>
  );
}

/** The search may not know yet how one has ended. */
const phaseOf = ({ phase, status }: ProcessRow): string => phase ?? (status === 'Running' ? 'Ended' : status);

const words: Readonly<Record<string, string>> = {
  Open: 'on its way',
  Overdue: 'overdue',
  NeedsPerson: 'needs a person',
  Completed: 'ended',
  TimedOut: 'timed out',
};

const colours: Readonly<Record<string, string>> = {
  Overdue: 'warn',
  NeedsPerson: 'bad',
  Completed: 'good',
  Failed: 'bad',
  Terminated: 'bad',
};
