// All flows, built in and published, with what is open and wrong.

import { t } from '../../../shared/texts/text.ts';
import type { FlowList, FlowRow } from '../../flows/flows-view.ts';
import { phaseWords } from '../../process/overview/phase-words.ts';
import { useJson } from '../api.ts';
import { inFigures, listOf } from '../parts/format.ts';
import { Table } from '../parts/frames.tsx';
import { NotYet } from '../parts/refusal-note.tsx';

export function Flows() {
  const { data, refusal } = useJson<FlowList>('/v1/flows?counts=true');
  return (
    <>
      <h1>{t`Flows`}</h1>
      {!data && <NotYet refusal={refusal} words={t`Counting the processes …`} />}
      {data && <FlowTable rows={[...data.items].sort((one, other) => weightOf(other) - weightOf(one))} />}
    </>
  );
}

/** Those in use come first, and stay in their order. */
const weightOf = ({ open, failed }: FlowRow): number => (open || failed ? 1 : 0);

/** The numbers of flows; each that is not zero leads to the processes that it counts. */
export function FlowTable({ rows }: { readonly rows: readonly FlowRow[] }) {
  const head = [
    t`Flow`,
    t`Open`,
    phaseWords().NeedsPerson.words,
    phaseWords().Overdue.words,
    t`Failed in 7 days`,
  ];
  return (
    <Table head={head}>
      {rows.map(({ flow, title, meaning, open = 0, needsPerson = 0, overdue = 0, failed = 0 }) => (
        <tr key={flow} data-flow={flow}>
          <th scope="row">
            <a href={`/flows/${encodeURIComponent(flow)}`}>{title}</a>
            <p class="soft">{meaning}</p>
          </th>
          <Count of={t`Open`} count={open} to={listOf(flow)} />
          <Count
            of={phaseWords().NeedsPerson.words}
            count={needsPerson}
            to={listOf(flow, { phase: 'NeedsPerson' })}
          />
          <Count of={phaseWords().Overdue.words} count={overdue} to={listOf(flow, { phase: 'Overdue' })} />
          <Count
            of={t`Failed in 7 days`}
            count={failed}
            to={listOf(flow, { state: 'failed', endedWithin: '168' })}
          />
        </tr>
      ))}
    </Table>
  );
}

interface CountProps {
  readonly of: string;
  readonly count: number;
  readonly to: string;
}

const Count = ({ of, count, to }: CountProps) => (
  <td>
    {count === 0 ? (
      '–'
    ) : (
      <a href={to} aria-label={`${of}: ${inFigures(count)}`}>
        {inFigures(count)}
      </a>
    )}
  </td>
);
