// Takes back what was done a moment ago, for as long as that is offered: it asks first, with the end that it puts back.
import { useState } from 'preact/hooks';
import { t } from '../../../shared/texts/text.ts';
import type { HappenedRow } from '../../process/process-view.ts';
import { postJson, useSubmission } from '../api.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Fact } from '../parts/frames.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { Time } from '../parts/time.tsx';

interface UndoButtonProps {
  /** The path of the process in the API. */
  readonly path: string;
  readonly undo: NonNullable<HappenedRow['undo']>;
  readonly undone: () => void;
}

export function UndoButton(props: UndoButtonProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button press={() => setAsking(true)}>
        {t`Undo…`}{' '}
        <span class="soft">
          {t`until`} <Time at={props.undo.offeredUntil} />
        </span>
      </Button>
      {isAsking && <UndoDialog {...props} close={() => setAsking(false)} />}
    </>
  );
}

interface UndoDialogProps extends UndoButtonProps {
  readonly close: () => void;
}

function UndoDialog({ path, undo: { fields }, undone, close }: UndoDialogProps) {
  const { isBusy, refusal, run } = useSubmission(
    () => postJson(`${path}/commands/undoExtension`, fields),
    () => {
      undone();
      close();
    },
  );
  const { from = null, until = null } = fields;
  const hasPassed = from !== null && Date.parse(from) < Date.now();
  return (
    <Dialog
      title={t`Put the end back`}
      close={close}
      closeLabel={t`Leave it as it is`}
      buttons={<Button press={run} isBusy={isBusy} kind="main">{t`Put it back`}</Button>}
    >
      <dl class="facts">
        <Fact label={t`Ends now`}>
          <Time at={until} withDays />
        </Fact>
        <Fact label={t`Then again`}>
          {from === null ? t`never: it had no end` : <Time at={from} withDays />}
        </Fact>
      </dl>
      {hasPassed && <p class="note">{t`That has passed: the case is late again.`}</p>}
      {refusal && <RefusalNote refusal={refusal} />}
    </Dialog>
  );
}
