// Where a batch is, in words and as a bar, and what can be done to it.

import { t } from '../../../shared/texts/text.ts';
import type { BatchView, BulkOutcome } from '../../processes/processes-view.ts';
import { useSubmission } from '../api.ts';
import { Button } from '../parts/button.tsx';
import { inFigures } from '../parts/format.ts';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { countShort } from './count-short.ts';
import { type Control, controlBatch } from './follow-batch.ts';

const phaseWords = {
  running: t`Running`,
  paused: t`Paused`,
  stopped: t`Stopped by itself`,
  done: t`Done`,
  cancelled: t`Cancelled`,
} as const;

export const countNotDone = ({ refused, unknown }: NotDone): string[] => [
  ...(refused > 0 ? [t`${inFigures(refused)} refused`] : []),
  ...(unknown > 0 ? [t`${inFigures(unknown)} did not answer`] : []),
];

type NotDone = Pick<NonNullable<BatchView['status']>, 'refused' | 'unknown'>;

/** Like "Running: 184 of 287 done, 1 refused". */
export function formatProgress(batch: BatchView, outcomes: readonly BulkOutcome[] = []): string {
  const { status } = batch;
  if (status === null) return t`Not known: no worker answers`;
  const { phase, total, done } = status;
  const counts = [
    total === null ? t`${inFigures(done)} done` : t`${inFigures(done)} of ${inFigures(total)} done`,
    ...countNotDone(status),
    ...countShort(outcomes, actedOn(batch)),
  ];
  return `${phaseWords[phase]}: ${counts.join(', ')}`;
}

/** How many it has acted on. */
export const actedOn = ({ status }: BatchView): number =>
  status ? status.done + status.refused + status.unknown : 0;

interface BatchProgressProps {
  readonly batch: BatchView;
  readonly outcomes?: readonly BulkOutcome[];
}

export function BatchProgress({ batch, outcomes }: BatchProgressProps) {
  const { status } = batch;
  return (
    <>
      <p role="status">{formatProgress(batch, outcomes)}</p>
      {status?.total != null && (
        <progress max={status.total} value={actedOn(batch)} aria-label={t`Progress`} />
      )}
    </>
  );
}

const controlWords: Readonly<Record<Control, string>> = {
  pause: t`Pause`,
  resume: t`Go on`,
  cancel: t`Stop`,
  'retry-failed': t`Try the failed ones again`,
};

/** Those that it takes now. */
function controlsOf({ closedAt, command, status }: BatchView): readonly Control[] {
  if (status === null) return [];
  const { phase, refused, unknown } = status;
  if (closedAt === null)
    return phase === 'cancelled' ? [] : [phase === 'running' ? 'pause' : 'resume', 'cancel'];
  return phase === 'done' && refused + unknown > 0 && command !== 'migrate' ? ['retry-failed'] : [];
}

interface BatchControlsProps {
  readonly batch: BatchView;
  readonly done: (batch: BatchView) => void;
}

export function BatchControls({ batch, done }: BatchControlsProps) {
  const { isBusy, refusal, run } = useSubmission((what: Control) => controlBatch(batch.id, what), done);
  return (
    <>
      {controlsOf(batch).map((what) => (
        <Button
          key={what}
          press={() => run(what)}
          isBusy={isBusy}
          kind={what === 'cancel' ? 'danger' : undefined}
        >
          {controlWords[what]}
        </Button>
      ))}
      {refusal && <RefusalNote refusal={refusal} />}
    </>
  );
}
