// What happened in a process, in sentences.
import { useState } from 'preact/hooks';
import type { HappenedRow } from '../../process/glance/glance-view.ts';
import type { HappenedTimeline } from '../../process/process-view.ts';
import { NotYet } from '../parts/refusal-note.tsx';
import { InWords, Time } from '../parts/time.tsx';
import type { QueryResult } from '../shell/api.ts';

interface HappenedProps {
  readonly history: Pick<QueryResult<HappenedTimeline>, 'data' | 'refusal'>;
  readonly temporalUi: string;
}

/** More would make the page slow: the newest are shown. */
const MAX_ROWS = 60;

export function Happened({ history: { data, refusal }, temporalUi }: HappenedProps) {
  const [isTechnical, setTechnical] = useState(false);
  const happened = data?.happened ?? [];
  const rows = happened.slice(-MAX_ROWS);
  return (
    <section class="card side-steps" aria-labelledby="steps-title">
      <header class="row between">
        <h2 id="steps-title">What happened</h2>
        <label>
          <input
            type="checkbox"
            checked={isTechnical}
            onChange={({ currentTarget }) => setTechnical(currentTarget.checked)}
          />{' '}
          technical
        </label>
      </header>
      {(refusal || !data) && <NotYet refusal={refusal} words="Reading the history …" />}
      {rows.length < happened.length && (
        <p class="soft">
          The last {rows.length} of {happened.length}.
        </p>
      )}
      <ol class="step-list plain">
        {rows.map((row) => (
          <Row
            key={`${row.runId} ${row.eventId}`}
            row={row}
            temporalUi={temporalUi}
            isTechnical={isTechnical}
          />
        ))}
      </ol>
    </section>
  );
}

interface RowProps {
  readonly row: HappenedRow;
  readonly temporalUi: string;
  readonly isTechnical: boolean;
}

function Row({ row, temporalUi, isTechnical }: RowProps) {
  const { at, words, did, by, why, isBad, technical } = row;
  return (
    <li class={isBad ? 'bad' : undefined}>
      <Time at={at} />
      <div>
        <InWords text={words} /> {by && <span class="pill">by {by}</span>}{' '}
        {why && <span class="soft">because {why}</span>}
        {did.map((each, index) => (
          <p key={index} class="did">
            <InWords text={each} />
          </p>
        ))}
        {isTechnical && (
          <ul class="technical">
            {technical.map((each, index) => (
              <li key={index}>{each}</li>
            ))}
            <li>
              <a href={eventAt(temporalUi, row)}>event {row.eventId}</a>
            </li>
          </ul>
        )}
      </div>
    </li>
  );
}

/** The Web UI shows one run. */
const eventAt = (temporalUi: string, { runId }: Pick<HappenedRow, 'runId'>): string =>
  runId === ''
    ? temporalUi
    : temporalUi.replace(/\/[^/]+\/history$/, `/${encodeURIComponent(runId)}/history`);
