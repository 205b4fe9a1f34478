// What happened in a process and in the flows that it has started, in sentences.
import type { ComponentChildren } from 'preact';
import type { CaseHistory, HappenedRow } from '../../process/process-view.ts';
import type { QueryResult } from '../api.ts';
import { UndoButton } from '../forms/undo-button.tsx';
import { NotYet } from '../parts/refusal-note.tsx';
import { TextWithTimes, Time } from '../parts/time.tsx';

interface HappenedProps {
  readonly path: string;
  readonly mayAct: boolean;
  readonly history: Pick<QueryResult<CaseHistory>, 'data' | 'refusal'>;
}

/** More would make the page slow: the newest are shown. */
const MAX_ROWS = 60;

export function Happened({ path, mayAct, history: { data, refusal } }: HappenedProps) {
  const happened = data?.happened ?? [];
  const rows = happened.slice(-MAX_ROWS);
  return (
    <section class="card side-steps" aria-labelledby="steps-title">
      <h2 id="steps-title">What happened</h2>
      {(refusal || !data) && <NotYet refusal={refusal} words="Reading the history …" />}
      {(data?.unread ?? []).map(({ what, why }) => (
        <p class="note" key={what}>
          What happened in {what} could not be read: {why}
        </p>
      ))}
      {rows.length < happened.length && (
        <p class="soft">
          The last {rows.length} of {happened.length}.
        </p>
      )}
      <ol class="step-list plain">
        {rows.map((row) => (
          <Row key={`${row.runId} ${row.eventId}`} row={row}>
            {mayAct && row.undo && <UndoButton path={row.of ? pathOf(row.of.key) : path} undo={row.undo} />}
          </Row>
        ))}
      </ol>
    </section>
  );
}

/** In the API. */
const pathOf = (key: string): string => `/v1/processes/${encodeURIComponent(key)}`;

interface RowProps {
  readonly row: HappenedRow;
  readonly children: ComponentChildren;
}

function Row({ row: { at, words, did, by, why, isBad, of }, children }: RowProps) {
  return (
    <li class={isBad ? 'bad' : undefined}>
      <Time at={at} />
      <div>
        {of && (
          <a class="pill" href={`/process/${encodeURIComponent(of.key)}`}>
            {of.title}
          </a>
        )}{' '}
        <TextWithTimes text={words} /> {by && <span class="pill">by {by}</span>}{' '}
        {why && <span class="soft">because {why}</span>} {children}
        {did.map((each, index) => (
          <p key={index} class="did">
            <TextWithTimes text={each} />
          </p>
        ))}
      </div>
    </li>
  );
}
