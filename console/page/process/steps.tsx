// The history of a process, step by step: a slider, and the timeline with what came and what the process did then.
import { useMemo } from 'preact/hooks';
import type { ProcessStep, ProcessSteps, Timeline, TimelineEntry } from '../../process/process-view.ts';
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

export interface HappenedProps extends StepsProps {
  readonly history: Timeline | undefined;
  readonly temporalUi: string;
}

/** The timeline of the process, as the command line has it: what came, and below it what the process did then. */
export function Happened({ history, steps, step, search, temporalUi }: HappenedProps) {
  const all = useMemo(() => happenings(history?.entries ?? [], steps?.steps ?? []), [history, steps]);
  if (all.length === 0) return null;
  const at = all.findLastIndex(({ steps: own }) => own.some(({ number }) => number === step?.number));
  const middle = at < 0 ? all.length - 1 : at;
  const first = Math.max(0, Math.min(middle - MOST_ROWS / 2, all.length - MOST_ROWS));
  const rows = all.slice(first, first + MOST_ROWS);
  return (
    <section class="card side-steps" aria-labelledby="steps-title">
      <h2 id="steps-title">What happened</h2>
      {rows.length < all.length && (
        <p class="soft">
          {first + 1} to {first + rows.length} of {all.length}.
        </p>
      )}
      <ol class="step-list" start={first + 1}>
        {rows.map(({ entry, did, steps: own }) => (
          <li
            key={`${entry.runId} ${entry.eventId}`}
            aria-current={own.some(({ number }) => number === step?.number) ? 'step' : undefined}
          >
            <What entry={entry} own={own} search={search} />
            {entry.by && <span class="pill">by {entry.by}</span>}
            {did.length > 0 && (
              <ul>
                {did.map((words, index) => (
                  <li key={index}>
                    <InWords text={words} />
                  </li>
                ))}
              </ul>
            )}
            <a class="soft event-link" href={eventAt(temporalUi, entry)}>
              event {entry.eventId}
            </a>
          </li>
        ))}
      </ol>
    </section>
  );
}

interface WhatProps extends Pick<StepsProps, 'search'> {
  readonly entry: TimelineEntry;
  readonly own: readonly ProcessStep[];
}

/** A link to the process as it stood then, where it took a step. */
function What({ entry: { at, what }, own, search }: WhatProps) {
  const words = (
    <>
      <Time at={at} /> <InWords text={what} />
    </>
  );
  const last = own.at(-1);
  return last ? (
    <a href={addressWith(search, { step: String(last.number) })}>{words}</a>
  ) : (
    <span>{words}</span>
  );
}

interface Happening {
  readonly entry: TimelineEntry;
  /** The steps that the process took then. */
  readonly steps: readonly ProcessStep[];
  readonly did: readonly string[];
}

/** What the steps tell of what the process did is more than its history has; without them that must do. */
function happenings(entries: readonly TimelineEntry[], steps: readonly ProcessStep[]): Happening[] {
  const all: { entry: TimelineEntry; steps: ProcessStep[]; noted: string[] }[] = [];
  const byEvent = new Map<string, (typeof all)[number]>();
  for (const entry of entries) {
    const last = all.at(-1);
    if (entry.kind === 'did' && last) last.noted.push(entry.what);
    else {
      const one = { entry, steps: [], noted: [] };
      all.push(one);
      byEvent.set(`${entry.runId} ${entry.eventId}`, one);
    }
  }
  let last = all[0];
  for (const step of steps) {
    // A step without an event of its own follows from the one before.
    last = byEvent.get(`${step.runId} ${step.eventId}`) ?? last;
    last?.steps.push(step);
  }
  return all.map(({ entry, steps: own, noted }) => {
    const told = own.flatMap(({ what, did }) => [...(what === entry.what ? [] : [what]), ...did]);
    return { entry, steps: own, did: told.length > 0 ? told : noted };
  });
}

/** The Web UI shows one run. */
const eventAt = (temporalUi: string, { runId }: Pick<TimelineEntry, 'runId'>): string =>
  runId === ''
    ? temporalUi
    : temporalUi.replace(/\/[^/]+\/history$/, `/${encodeURIComponent(runId)}/history`);
