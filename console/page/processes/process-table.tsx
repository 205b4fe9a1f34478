// The rows of the list: a case is one, and its parts fold out below it.
import { useRef, useState } from 'preact/hooks';
import { t } from '../../../shared/texts/text.ts';
import type { ProcessPage, ProcessRow } from '../../processes/processes-view.ts';
import { Button } from '../parts/button.tsx';
import { usePickUpPoints } from '../shell/pick-up-points.ts';
import { caseRows } from './case-rows.ts';
import { ProcessRowView } from './process-row.tsx';
import { useRowKeys } from './row-keys.ts';

interface ProcessTableProps {
  readonly rows: readonly ProcessRow[];
  /** Undefined for a person who may not decide. */
  readonly chosen?: ReadonlySet<string> | undefined;
  /** Which of them something can be done to. */
  readonly mayChoose?: (row: ProcessRow) => boolean;
  readonly choose?: (keys: ReadonlySet<string>) => void;
  /** By waiting: the last column says since when each stands where it is. */
  readonly sorted?: ProcessPage['sorted'];
}

const columns = [
  [t`For`, 'for'],
  [t`Item`, 'item'],
  [t`Where`, 'where'],
  [t`Next`, 'next'],
  [t`Due, or since`, 'due'],
] as const;

export function ProcessTable(props: ProcessTableProps) {
  const { rows, chosen, mayChoose = () => false, choose = () => undefined, sorted } = props;
  const isByWaiting = sorted === 'waiting';
  const points = usePickUpPoints();
  const table = useRef<HTMLTableElement>(null);
  useRowKeys(table);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const choosable = rows.filter(mayChoose).map(({ key }) => key);
  const isAll = chosen !== undefined && choosable.length > 0 && choosable.every((key) => chosen.has(key));
  const toggle = (keys: readonly string[], isAdded: boolean) => {
    const next = new Set(chosen);
    for (const key of keys)
      if (isAdded) next.add(key);
      else next.delete(key);
    choose(next);
  };
  const rowOf = (row: ProcessRow, isPart: boolean, parts: readonly ProcessRow[] = []) => (
    <ProcessRowView
      key={row.runId}
      row={row}
      parts={parts}
      points={points}
      isChosen={chosen?.has(row.key)}
      mayChoose={mayChoose(row)}
      toggle={(isAdded) => toggle([row.key], isAdded)}
      isPart={isPart}
      isByWaiting={isByWaiting}
    />
  );
  return (
    <div class="table-frame">
      <table ref={table} class="processes">
        <thead>
          <tr>
            {chosen && (
              <td class="box">
                <input
                  type="checkbox"
                  aria-label={t`Choose all on this page`}
                  checked={isAll}
                  disabled={choosable.length === 0}
                  onChange={() => toggle(choosable, !isAll)}
                />
              </td>
            )}
            {columns.map(([title, kind]) => (
              <th key={title} scope="col" class={kind}>
                {kind === 'due' && isByWaiting ? t`Waits since, or due` : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {caseRows(rows).flatMap(({ row, parts }) => [
            rowOf(row, false, parts),
            ...(parts.length === 0
              ? []
              : [
                  <PartsRow
                    key={`parts of ${row.key}`}
                    of={row}
                    count={parts.length}
                    span={columns.length + (chosen ? 1 : 0)}
                    isOpen={open.has(row.key)}
                    toggle={() => setOpen(toggled(open, row.key))}
                  />,
                ]),
            ...(open.has(row.key) ? parts.map((part) => rowOf(part, true)) : []),
          ])}
        </tbody>
      </table>
    </div>
  );
}

function toggled(all: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(all);
  if (!next.delete(key)) next.add(key);
  return next;
}

interface PartsRowProps {
  readonly of: ProcessRow;
  readonly count: number;
  readonly span: number;
  readonly isOpen: boolean;
  readonly toggle: () => void;
}

function PartsRow({ of, count, span, isOpen, toggle }: PartsRowProps) {
  const words = t`${isOpen ? t`Hide` : t`Show`} ${count === 1 ? t`the part` : t`${count} parts`} of this case`;
  return (
    <tr class="parts">
      <td colSpan={span}>
        <Button press={toggle} isExpanded={isOpen} label={`${words}: ${of.key}`}>
          {words}
        </Button>
      </td>
    </tr>
  );
}
