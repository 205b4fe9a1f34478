// All flows, built in and published: what is open and wrong, how long it takes, and how many were started each day.
import type { FlowFigures, FlowFiguresView } from '../../flows/flows-view.ts';
import { listOf } from '../parts/format-flow.ts';
import { NotYet, RefusalNote } from '../parts/refusal-note.tsx';
import { inWords, useEndOfDay } from '../parts/time.tsx';
import { useLive } from '../shell/live.ts';
import { common, currentMessages, inFigures } from '../shell/locale.ts';
import { Sparkline } from './sparkline.tsx';
import './flows.css';

export function useFigures() {
  const dayEnds = useEndOfDay();
  return useLive<FlowFiguresView>(`/v1/overview/flows?${new URLSearchParams({ dayEnds })}`);
}

export function Flows() {
  const { flows: words } = currentMessages();
  const { data, refusal } = useFigures();
  const quiet = data?.items.filter(({ isQuiet }) => isQuiet) ?? [];
  const isCounting = data ? data.items.some(({ isQuiet }) => isQuiet === null) : !refusal;
  return (
    <>
      <h1>{currentMessages().shell.navigation['/flows']}</h1>
      <p>
        <a href="/locks">{common().locks}</a> {words.locksAre}
      </p>
      {refusal && <RefusalNote refusal={refusal} />}
      {isCounting && <NotYet words={words.counting} />}
      {data && (
        <ul class="cards plain flow-cards">
          {data.items
            .filter(({ isQuiet }) => isQuiet === false)
            .map((figures) => (
              <li key={figures.flow} class="card" data-flow={figures.flow}>
                <Card figures={figures} />
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

const addressOf = (flow: string): string => `/flows/${encodeURIComponent(flow)}`;

function Card({ figures }: { readonly figures: FlowFigures }) {
  const { flow, title, meaning } = figures;
  return (
    <>
      <h2>
        <a href={addressOf(flow)}>{title}</a>
      </h2>
      <p class="soft">{meaning}</p>
      <Figures figures={figures} />
    </>
  );
}

/** The numbers of a flow; each that is not zero leads to the processes that it counts. */
export function Figures({ figures }: { readonly figures: FlowFigures }) {
  const { flow, open, needsPerson, overdue, failed, started } = figures;
  const { flows: words } = currentMessages();
  return (
    <>
      <dl class="figures">
        <Figure label={words.open} count={open} to={listOf(flow)} />
        <Figure
          label={currentMessages().list.tabs.needsPerson}
          count={needsPerson}
          to={listOf(flow, { phase: 'NeedsPerson' })}
          kind="bad"
        />
        <Figure
          label={currentMessages().list.tabs.overdue}
          count={overdue}
          to={listOf(flow, { phase: 'Overdue' })}
          kind="warn"
        />
        <Figure
          label={words.failed}
          count={failed}
          to={listOf(flow, { state: 'failed', endedWithin: '168' })}
          kind="bad"
        />
      </dl>
      <div class="row between flow-pace">
        <Usual figures={figures} />
        {started && <Sparkline counts={started} />}
      </div>
    </>
  );
}

interface FigureProps {
  readonly label: string;
  /** Null: it is not known yet. */
  readonly count: number | null;
  readonly to: string;
  /** How bad it is that there is any. */
  readonly kind?: 'bad' | 'warn';
}

function Figure({ label, count, to, kind }: FigureProps) {
  const number = count === null ? '…' : inFigures(count);
  return (
    <div class={count && kind ? `figure ${kind}` : 'figure'}>
      <dt>{label}</dt>
      <dd>
        {!count ? (
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

/** What takes less is not said more precisely. */
const SHORTEST_MS = 1_000;

function Usual({ figures: { median, isWhole } }: { readonly figures: FlowFigures }) {
  const { flows: words } = currentMessages();
  if (!median) return <p class="soft">{isWhole && words.noneCompleted}</p>;
  return (
    <p>
      {words.usually(inWords(Math.max(SHORTEST_MS, median.ms)))}{' '}
      <span class="soft">({words.medianOf(median.of)})</span>
    </p>
  );
}
