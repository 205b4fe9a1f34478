// The history of a process, step by step: a slider, and a list with what came and what it made the process do.
import { useMemo } from 'preact/hooks';
import type { ProcessStep, ProcessSteps } from '../../process/process-view.ts';
import { Button } from '../parts/button.tsx';
import { InWords, Time } from '../parts/time.tsx';
import { addressWith, goTo } from '../shell/address.ts';
import { useKeys } from '../shell/keys.ts';

interface StepsProps {
  readonly steps: ProcessSteps | undefined;
  /** Undefined: now. */
  readonly step: ProcessStep | undefined;
  readonly search: URLSearchParams;
}

export function StepSlider({ steps, step, search }: StepsProps) {
  const count = steps?.steps?.length ?? 0;
  const at = step?.number ?? count;
  // Behind the last step is now.
  const go = (to: number, replace = false) =>
    goTo(addressWith(search, { step: to >= count ? null : String(Math.max(0, to)) }), { replace });
  const keys = useMemo(
    () => [
      { key: '[', words: 'one step back in the history', run: () => count > 0 && go(at - 1) },
      { key: ']', words: 'one step on in the history', run: () => count > 0 && go(at + 1) },
      { key: 'n', words: 'back to now', run: () => go(count) },
    ],
    [at, count, search],
  );
  useKeys(keys);
  if (!steps) return <p class="soft">Reading the history; the first time takes some seconds …</p>;
  if (!steps.steps) return <p class="note">{steps.why}</p>;
  const words = step ? `after step ${step.number} of ${count - 1}: ${step.what}` : 'now';
  return (
    <div class="step-slider">
      <Button press={() => go(at - 1)} disabled={at === 0} title="Key [">
        Step back
      </Button>
      <input
        type="range"
        min={0}
        max={count}
        value={at}
        aria-label="Step of the history"
        aria-valuetext={words}
        onInput={({ currentTarget }) => go(Number(currentTarget.value), true)}
      />
      <Button press={() => go(at + 1)} disabled={at === count} title="Key ]">
        Step on
      </Button>
      <Button press={() => go(count)} disabled={!step} title="Key n">
        Now
      </Button>
      <p class="step-words" aria-live="polite">
        {step ? `Step ${step.number} of ${count - 1}: ${step.what}` : 'Now'}
      </p>
    </div>
  );
}

/** More rows would make the page slow; those around the present step are shown. */
const MOST_ROWS = 60;

export function StepList({ steps, step, search, temporalUi }: StepsProps & { readonly temporalUi: string }) {
  const all = steps?.steps ?? [];
  if (all.length === 0) return null;
  const middle = step?.number ?? all.length - 1;
  const first = Math.max(0, Math.min(middle - MOST_ROWS / 2, all.length - MOST_ROWS));
  const rows = all.slice(first, first + MOST_ROWS);
  return (
    <section class="card side-steps" aria-labelledby="steps-title">
      <h2 id="steps-title">What happened</h2>
      {rows.length < all.length && (
        <p class="soft">
          Steps {first} to {first + rows.length - 1} of {all.length - 1}.
        </p>
      )}
      <ol class="step-list" start={first}>
        {rows.map((each) => (
          <li key={each.number} aria-current={each.number === step?.number ? 'step' : undefined}>
            <a href={addressWith(search, { step: String(each.number) })}>
              <Time at={each.at} /> <InWords text={each.what} />
            </a>
            {each.by && <span class="pill">by {each.by}</span>}
            {each.did.length > 0 && (
              <ul>
                {each.did.map((words) => (
                  <li key={words}>{words}</li>
                ))}
              </ul>
            )}
            {each.eventId && (
              <a class="soft event-link" href={eventAt(temporalUi, each)}>
                event {each.eventId}
              </a>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The Web UI shows one run. */
const eventAt = (temporalUi: string, { runId }: ProcessStep): string =>
  runId === ''
    ? temporalUi
    : temporalUi.replace(/\/[^/]+\/history$/, `/${encodeURIComponent(runId)}/history`);
