// All flows, built in and published, with what is open and wrong.
import type { FlowList, FlowRow } from '../../flows/flows-view.ts';
import { listOf } from '../parts/format-flow.ts';
import { NotYet } from '../parts/refusal-note.tsx';
import { useJson } from '../shell/api.ts';
import { currentMessages, inFigures } from '../shell/locale.ts';
import './flows.css';

export function Flows() {
  const { flows: words } = currentMessages();
  const { data, refusal } = useJson<FlowList>('/v1/flows?counts=true');
  const quiet = data?.items.filter(isQuiet) ?? [];
  return (
    <>
      <h1>{currentMessages().shell.navigation['/flows']}</h1>
      {!data && <NotYet refusal={refusal} words={words.counting} />}
      {data && (
        <ul class="cards plain flow-cards">
          {data.items
            .filter((row) => !isQuiet(row))
            .map((row) => (
              <li key={row.flow} class="card" data-flow={row.flow}>
                <Card row={row} />
              </li>
            ))}
        </ul>
      )}
      {quiet.length > 0 && (
        <details class="quiet-flows">
          <summary>{words.quiet(quiet.length)}</summary>
          <dl>
            {quiet.map(({ flow, title, meaning }) => (
              <div key={flow}>
                <dt>
                  <a href={addressOf(flow)}>{title}</a>
                </dt>
                <dd class="soft">{meaning}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </>
  );
}

const isQuiet = ({ open, failed }: FlowRow): boolean => !open && !failed;

const addressOf = (flow: string): string => `/flows/${encodeURIComponent(flow)}`;

function Card({ row }: { readonly row: FlowRow }) {
  const { flow, title, meaning } = row;
  return (
    <>
      <h2>
        <a href={addressOf(flow)}>{title}</a>
      </h2>
      <p class="soft">{meaning}</p>
      <Figures {...row} />
    </>
  );
}

/** The numbers of a flow; each that is not zero leads to the processes that it counts. */
export function Figures({
  flow,
  open = 0,
  needsPerson = 0,
  overdue = 0,
  failed,
}: Pick<FlowRow, 'flow' | 'open' | 'needsPerson' | 'overdue' | 'failed'>) {
  const { flows: words } = currentMessages();
  const { tabs } = currentMessages().list;
  return (
    <dl class="figures">
      <Figure label={words.open} count={open} to={listOf(flow)} />
      <Figure
        label={tabs.needsPerson}
        count={needsPerson}
        to={listOf(flow, { phase: 'NeedsPerson' })}
        kind="bad"
      />
      <Figure label={tabs.overdue} count={overdue} to={listOf(flow, { phase: 'Overdue' })} kind="warn" />
      {failed !== undefined && (
        <Figure
          label={words.failed}
          count={failed}
          to={listOf(flow, { state: 'failed', endedWithin: '168' })}
          kind="bad"
        />
      )}
    </dl>
  );
}

interface FigureProps {
  readonly label: string;
  readonly count: number;
  readonly to: string;
  /** How bad it is that there is any. */
  readonly kind?: 'bad' | 'warn';
}

function Figure({ label, count, to, kind }: FigureProps) {
  const number = inFigures(count);
  return (
    <div class={count > 0 && kind ? `figure ${kind}` : 'figure'}>
      <dt>{label}</dt>
      <dd>
        {count === 0 ? (
          number
        ) : (
          <a href={to} aria-label={`${label}: ${number}`}>
            {number}
          </a>
        )}
      </dd>
    </div>
  );
}
