// Takes back what a batch did, for as long as that is offered: it asks first, for the reason too.
import { useState } from 'preact/hooks';
import { t } from '../../../shared/texts/text.ts';
import type { BatchView } from '../../processes/processes-view.ts';
import { useSubmission } from '../api.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { onSubmit, TextField } from '../parts/field.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { Time } from '../parts/time.tsx';
import { goTo } from '../shell/address.ts';
import { undoBatch } from './follow-batch.ts';

interface UndoBatchProps {
  readonly batch: BatchView;
  readonly pathOf: (id: string) => string;
}

export function UndoBatch({ batch, pathOf }: UndoBatchProps) {
  const [isAsking, setAsking] = useState(false);
  if (batch.undoUntil === null) return null;
  return (
    <>
      <Button press={() => setAsking(true)}>
        {t`Undo…`}{' '}
        <span class="soft">
          {t`until`} <Time at={batch.undoUntil} />
        </span>
      </Button>
      {isAsking && <UndoBatchDialog batch={batch} pathOf={pathOf} close={() => setAsking(false)} />}
    </>
  );
}

function UndoBatchDialog({ batch, pathOf, close }: UndoBatchProps & { readonly close: () => void }) {
  const { isBusy, refusal, run } = useSubmission(
    (why: string) => undoBatch(batch.id, why),
    (id) => goTo(pathOf(id)),
  );
  return (
    <Dialog title={t`Put the ends back`} close={close} closeLabel={t`Leave it as it is`}>
      <p>{t`Each end is again what it was. One moved again meanwhile stays; where one has passed, the case is late again.`}</p>
      <form onSubmit={onSubmit((form) => run(`${new FormData(form).get('why') ?? ''}`.trim()))}>
        <TextField label={t`Why`} name="why" rows={2} hint={t`Each case keeps it, with your name.`} />
        <Button kind="main" isBusy={isBusy}>{t`Put them back`}</Button>
      </form>
      {refusal && <RefusalNote refusal={refusal} />}
    </Dialog>
  );
}
