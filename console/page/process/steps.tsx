// What happened in a process, in sentences, and the slider that goes back through it.
import { useState } from 'preact/hooks';
import type { HappenedRow } from '../../process/glance/glance-view.ts';
import type { ProcessStep, ProcessSteps } from '../../process/process-view.ts';
import { Button } from '../parts/button.tsx';
import { InWords, Time } from '../parts/time.tsx';
import { addressWith, goTo } from '../shell/address.ts';

interface HappenedProps {
  readonly happened: readonly HappenedRow[];
  readonly steps: ProcessSteps | undefined;
  /** Undefined: now. */
  readonly step: ProcessStep | undefined;
  readonly search: URLSearchParams;
  readonly temporalUi: string;
}

/** More would make the page slow; those around the present step are shown. */
const MAX_ROWS = 60;

export function Happened({ happened, steps, step, search, temporalUi }: HappenedProps) {
  const [isTechnical, setTechnical] = useState(false);
  const at = happened.findLastIndex((row) => step !== undefined && row.steps.includes(step.number));
  const middle = at < 0 ? happened.length - 1 : at;
  const first = Math.max(0, Math.min(middle - MAX_ROWS / 2, happened.length - MAX_ROWS));
  const rows = happened.slice(first, first + MAX_ROWS);
  const rowProps = { step, search, temporalUi, isTechnical };
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
      <StepSlider steps={steps} step={step} search={search} />
      {rows.length < happened.length && (
        <p class="soft">
          {first + 1} to {first + rows.length} of {happened.length}.
        </p>
      )}
      <ol class="step-list plain">
        {rows.map((row) => (
          <Row key={`${row.runId} ${row.eventId}`} row={row} {...rowProps} />
        ))}
      </ol>
    </section>
  );
}

interface RowProps extends Pick<HappenedProps, 'step' | 'search' | 'temporalUi'> {
  readonly isTechnical: boolean;
}

function Row({ row, step, search, temporalUi, isTechnical }: RowProps & { readonly row: HappenedRow }) {
  const { at, words, did, by, why, isBad, technical } = row;
  const isPresent = step !== undefined && row.steps.includes(step.number);
  const last = row.steps.at(-1);
  return (
    <li class={isBad ? 'bad' : undefined} aria-current={isPresent ? 'step' : undefined}>
      <Time at={at} />
      <div>
        {last === undefined ? (
          <InWords text={words} />
        ) : (
          <a href={addressWith(search, { step: String(last) })}>
            <InWords text={words} />
          </a>
        )}{' '}
        {by && <span class="pill">by {by}</span>} {why && <span class="soft">because {why}</span>}
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

function StepSlider({ steps, step, search }: Pick<HappenedProps, 'steps' | 'step' | 'search'>) {
  const count = steps?.steps?.length ?? 0;
  const at = step?.number ?? count;
  // Behind the last step is now.
  const go = (to: number, replace = false) =>
    goTo(addressWith(search, { step: to >= count ? null : String(Math.max(0, to)) }), { replace });
  if (!steps) return <p class="soft">Reading the history; the first time takes some seconds …</p>;
  if (!steps.steps) return <p class="note">{steps.why}</p>;
  return (
    <div class="row step-slider">
      <Button press={() => go(at - 1)} disabled={at === 0}>
        Back
      </Button>
      <input
        type="range"
        min={0}
        max={count}
        value={at}
        aria-label="Step of the history"
        aria-valuetext={step ? `step ${step.number + 1} of ${count}` : 'Now'}
        onInput={({ currentTarget }) => go(Number(currentTarget.value), true)}
      />
      <Button press={() => go(at + 1)} disabled={at === count}>
        On
      </Button>
      <Button press={() => go(count)} disabled={!step}>
        Now
      </Button>
    </div>
  );
}

/** The Web UI shows one run. */
const eventAt = (temporalUi: string, { runId }: Pick<HappenedRow, 'runId'>): string =>
  runId === ''
    ? temporalUi
    : temporalUi.replace(/\/[^/]+\/history$/, `/${encodeURIComponent(runId)}/history`);
