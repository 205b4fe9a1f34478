// Takes back what was done a moment ago, for as long as that is offered.
import type { HappenedRow } from '../../process/process-view.ts';
import { postJson, useSubmission } from '../api.ts';
import { Button } from '../parts/button.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { Time } from '../parts/time.tsx';

interface UndoButtonProps {
  /** The path of the process in the API. */
  readonly path: string;
  readonly undo: NonNullable<HappenedRow['undo']>;
}

export function UndoButton({ path, undo: { fields, offeredUntil } }: UndoButtonProps) {
  const { isBusy, refusal, run } = useSubmission(
    () => postJson(`${path}/commands/undoExtension`, fields),
    () => undefined,
  );
  return (
    <>
      <Button press={run} isBusy={isBusy}>
        Undo{' '}
        <span class="soft">
          until <Time at={offeredUntil} />
        </span>
      </Button>
      {refusal && <RefusalNote refusal={refusal} />}
    </>
  );
}
