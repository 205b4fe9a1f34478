// What is done to many processes: first the dry run shows what would become of each, then the person confirms, and a batch does it,
// also if the page is closed. A moved end can be put back for as long as the dialog is open.
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../../shared/texts/text.ts';
import type { BatchView, BulkAction, BulkOutcome, Moved } from '../../processes/processes-view.ts';
import { type Refusal, refusalOf } from '../api.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { inFigures } from '../parts/format.ts';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { BatchControls, BatchProgress } from './batch-progress.tsx';
import { BulkForm } from './bulk-form.tsx';
import { isBad, Outcomes } from './bulk-outcomes.tsx';
import { formatStep, type Step } from './bulk-step.ts';
import { isHarmful, type Verb, verbs } from './bulk-verbs.ts';
import { followBatch, outcomesOf, startBatch } from './follow-batch.ts';
import { useForMany } from './for-many.ts';

/** Like "1 process" or "1,200 processes". */
export const formatProcessCount = (count: number): string =>
  `${inFigures(count)} ${count === 1 ? 'process' : 'processes'}`;

interface BulkActionDialogProps {
  readonly verb: Verb;
  readonly keys: readonly string[];
  readonly close: () => void;
  readonly done: () => void;
}

export function BulkActionDialog({ verb, keys, close, done }: BulkActionDialogProps) {
  const bulk = useBulkAction(keys, done);
  const { step, begun, all, outcomes, refusal, undos, batch, preview, act, undo, stop } = bulk;
  const { title, note, now } = verbs[verb];
  return (
    <Dialog
      title={`${title} ${formatProcessCount(all)}`}
      close={close}
      closeLabel={closeLabels[step] ?? t`Leave it as it is`}
      buttons={
        <>
          {step === 'acting' && batch && <BatchControls batch={batch} done={() => undefined} />}
          {step === 'undoing' && <Button press={stop}>{t`Stop`}</Button>}
          {(step === 'done' || step === 'undone') && undos.size > 0 && (
            <Button press={() => void undo()}>{t`Undo ${formatProcessCount(undos.size)}`}</Button>
          )}
          {step === 'previewed' && begun > 0 && (
            <Button
              press={() => void act()}
              kind={isHarmful(verb) ? 'danger' : 'main'}
            >{t`${now} ${formatProcessCount(begun)} now`}</Button>
          )}
        </>
      }
    >
      {refusal && <RefusalNote refusal={refusal} />}
      <p>{note}</p>
      {(step === 'asking' || step === 'previewing') && (
        <BulkForm
          verb={verb}
          isBusy={step === 'previewing'}
          wrong={refusal?.fields ?? {}}
          send={(action) => void preview(action)}
        />
      )}
      {step === 'acting' && batch ? (
        <>
          <BatchProgress batch={batch} />
          <p>{t`You can close this, and the page: it goes on, and the list shows it.`}</p>
        </>
      ) : (
        <p role="status">{formatStep({ step, verb, outcomes, all, begun })}</p>
      )}
      <Outcomes outcomes={outcomes} isHarm={verb === 'shorten' && step !== 'undone'} />
    </Dialog>
  );
}

const closeLabels: Readonly<Partial<Record<Step, string>>> = {
  acting: t`Let it go on`,
  done: t`Back to the list`,
  undone: t`Back to the list`,
};

/** Those that were chosen when it was opened; after the dry run those of them that can: what is confirmed is what was shown. */
function useBulkAction(chosen: readonly string[], done: () => void) {
  const [all] = useState(chosen.length);
  const [keys, setKeys] = useState(chosen);
  const [step, setStep] = useState<Step>('asking');
  const [action, setAction] = useState<BulkAction>();
  const [refusal, setRefusal] = useState<Refusal>();
  const [undos, setUndos] = useState<Undos>(new Map());
  const { outcomes, run, show, stop } = useForMany();
  const [batch, setBatch] = useState<BatchView>();
  const isGone = useRef(false);
  useEffect(
    () => () => {
      isGone.current = true;
    },
    [],
  );
  const preview = async (what: BulkAction) => {
    setAction(what);
    setRefusal(undefined);
    setStep('previewing');
    const { came, refusal: wrong } = await run(keys, () => what, true);
    setRefusal(wrong);
    if (!wrong) setKeys(came.filter((each) => !isBad(each)).map(({ key }) => key));
    setStep(wrong ? 'asking' : 'previewed');
  };
  const act = async () => {
    if (!action) return;
    setStep('acting');
    show([]);
    try {
      const id = await startBatch(keys, action);
      done();
      const ended = await followBatch(id, { isGone: () => isGone.current, look: setBatch });
      if (!ended) return;
      const came = await outcomesOf(id);
      show(came);
      setUndos(undosOf(came));
    } catch (error) {
      setRefusal(refusalOf(error));
    }
    setStep('done');
    done();
  };
  const undo = async () => {
    setKeys([...undos.keys()]);
    setStep('undoing');
    const undoOf = (key: string): BulkAction => ({ command: 'undoExtension', fields: undos.get(key) ?? {} });
    const { came, refusal: wrong } = await run([...undos.keys()], undoOf, false);
    setRefusal(wrong);
    const isUndone = (key: string) => came.some((each) => each.key === key && each.isDone);
    setUndos(new Map([...undos].filter(([key]) => !isUndone(key))));
    setStep('undone');
    done();
  };
  return { step, begun: keys.length, all, outcomes, refusal, undos, batch, preview, act, undo, stop };
}

/** By the key of the process: what takes back what was done. */
type Undos = ReadonlyMap<string, Readonly<Record<string, string>>>;

const undosOf = (outcomes: readonly BulkOutcome[]): Undos =>
  new Map(
    outcomes.flatMap(({ key, isDone, consequence }) =>
      isDone && isMove(consequence) ? [[key, bodyOf(consequence)] as const] : [],
    ),
  );

const isMove = (consequence: unknown): consequence is Moved =>
  typeof consequence === 'object' && consequence !== null && 'from' in consequence && 'until' in consequence;

function bodyOf({ isAhead: _, ...move }: Moved): Record<string, string> {
  return Object.fromEntries(
    Object.entries(move).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
}
