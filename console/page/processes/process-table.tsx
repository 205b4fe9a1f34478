// The rows of the list.
import { useEffect, useRef } from 'preact/hooks';
import type { ProcessRow } from '../../processes/processes-view.ts';
import { midSentence } from '../parts/format.ts';
import { Ago, InWords, Time } from '../parts/time.tsx';
import { type PickUpPointNames, usePickUpPointNames } from '../shell/pick-up-points.ts';

interface ProcessTableProps {
  readonly rows: readonly ProcessRow[];
  /** Undefined for a person who may not decide. */
  readonly chosen: ReadonlySet<string> | undefined;
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

export function ProcessTable({ rows, chosen, choose }: ProcessTableProps) {
  const last = useRef<string | undefined>(undefined);
  const names = usePickUpPointNames();
  const open = rows.filter(({ phase }) => phase !== null).map(({ key }) => key);
  // From the one that was chosen last up to this one, as in other lists.
  const toggle = (key: string, isRange: boolean) => {
    const next = new Set(chosen);
    const isAdded = !next.has(key);
    const [from, to] = [open.indexOf(isRange ? (last.current ?? key) : key), open.indexOf(key)];
    const some = from < 0 ? [key] : open.slice(Math.min(from, to), Math.max(from, to) + 1);
    for (const each of some)
      if (isAdded) next.add(each);
      else next.delete(each);
    last.current = key;
    choose(next);
  };
  const depths = depthsOf(rows);
  return (
    <div class="table-frame">
      <table class="processes">
        <thead>
          <tr>
            {chosen && (
              <td class="box">
                <ChooseAll open={open} chosen={chosen} choose={choose} />
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
              depth={depths.get(row.key) ?? 0}
              isChosen={chosen?.has(row.key)}
              names={names}
              toggle={toggle}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Parents stand before their children. */
function depthsOf(rows: readonly ProcessRow[]): ReadonlyMap<string, number> {
  const depths = new Map<string, number>();
  for (const { key, parent } of rows) {
    const above = parent === null ? undefined : depths.get(parent);
    depths.set(key, above === undefined ? 0 : above + 1);
  }
  return depths;
}

interface ChooseAllProps {
  readonly open: readonly string[];
  readonly chosen: ReadonlySet<string>;
  readonly choose: (keys: ReadonlySet<string>) => void;
}

function ChooseAll({ open, chosen, choose }: ChooseAllProps) {
  const box = useRef<HTMLInputElement>(null);
  const count = open.filter((key) => chosen.has(key)).length;
  const isAll = count > 0 && count === open.length;
  useEffect(() => {
    if (box.current) box.current.indeterminate = count > 0 && !isAll;
  }, [count, isAll]);
  const toggle = () => {
    const next = new Set(chosen);
    for (const key of open)
      if (isAll) next.delete(key);
      else next.add(key);
    choose(next);
  };
  return (
    <input
      ref={box}
      type="checkbox"
      aria-label="Choose all on this page"
      checked={isAll}
      disabled={open.length === 0}
      onChange={toggle}
    />
  );
}

interface RowProps {
  readonly row: ProcessRow;
  readonly depth: number;
  readonly isChosen: boolean | undefined;
  readonly names: PickUpPointNames;
  readonly toggle: (key: string, isRange: boolean) => void;
}

function Row({ row, depth, isChosen, names, toggle }: RowProps) {
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
            disabled={row.phase === null}
            // A click by keyboard has shiftKey too.
            onClick={(event) => toggle(key, event.shiftKey)}
          />
        </td>
      )}
      <th scope="row" style={depth > 0 ? `--depth: ${Math.min(depth, 4)}` : undefined}>
        <div class="cell">
          {depth > 0 && (
            <span
              class="child"
              role="img"
              title={`Part of ${parent ?? ''}`}
              aria-label={`Part of ${parent ?? ''}`}
            />
          )}
          <a href={`/process/${encodeURIComponent(key)}`}>{key}</a>
          {caseNo && caseNo !== key && <span class="soft">case {caseNo}</span>}
          {depth === 0 && parent && <span class="soft">{midSentence(`Part of ${parent}`)}</span>}
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

function Stands({ row: { summary, phase, closedAt } }: { readonly row: ProcessRow }) {
  if (phase === null && closedAt)
    return (
      <span>
        ended <Time at={closedAt} />
      </span>
    );
  if (!summary) return <span class="soft">{phase === null ? 'it ends' : 'not known yet'}</span>;
  const open = summary.states.filter(({ isDone }) => !isDone);
  const shown = open.length > 0 ? open : summary.states;
  return (
    <div class="cell">
      <span>{shown.map((each) => each.words).join('; ')}</span>
      {/* The state of a shipment says it already. */}
      {!summary.until && summary.awaits && shown.every(({ role }) => role === null) && (
        <span class="soft">
          awaits <InWords text={summary.awaits} />
        </span>
      )}
    </div>
  );
}

function PhasePill({ row }: { readonly row: ProcessRow }) {
  const phase = phaseOf(row);
  const { words = phase, colour = '' } = phases[phase] ?? {};
  return <span class={`pill ${colour}`}>{words}</span>;
}

/** The search may not know yet how one has ended. */
const phaseOf = ({ phase, status }: ProcessRow): string => phase ?? (status === 'Running' ? 'Ended' : status);

const phases: Readonly<Record<string, { readonly words: string; readonly colour?: string }>> = {
  Open: { words: 'on its way' },
  Overdue: { words: 'overdue', colour: 'warn' },
  NeedsPerson: { words: 'needs a person', colour: 'bad' },
  Ended: { words: 'ended' },
  Completed: { words: 'ended', colour: 'good' },
  Failed: { words: 'failed', colour: 'bad' },
  Cancelled: { words: 'cancelled' },
  Terminated: { words: 'terminated', colour: 'bad' },
  TimedOut: { words: 'timed out', colour: 'bad' },
};
