// What is done to many processes: first the dry run shows what would become of each, then the person confirms, and a batch does it,
// also if the page is closed. Another batch puts back the ends that it has moved.
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../../shared/texts/text.ts';
import type { BatchView, BulkAction, BulkOutcome, ProcessRow } from '../../processes/processes-view.ts';
import { type RequestError, requestErrorOf } from '../api.ts';
import { ToldBefore, useTold } from '../outreach/told-before.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { actedOn, BatchControls, BatchProgress } from './batch-progress.tsx';
import { BulkForm } from './bulk-form.tsx';
import { isBad, Outcomes } from './bulk-outcomes.tsx';
import { formatStep, type Step } from './bulk-step.ts';
import { isHarmful, type Verb, verbs } from './bulk-verbs.ts';
import { useDryRuns } from './dry-runs.ts';
import { followBatch, followOutcomes, startBatch, undoBatch } from './follow-batch.ts';
import { formatCaseCount } from './format-found.ts';
import { FreeLockers } from './free-lockers.tsx';

export interface BulkActionDialogProps {
  readonly verb: Verb;
  readonly keys: readonly string[];
  /** Whom and what they are about, as far as it is known. */
  readonly abouts: ReadonlyMap<string, ProcessRow['about']>;
  readonly close: () => void;
  readonly done: () => void;
}

export function BulkActionDialog({ verb, keys, abouts, close, done }: BulkActionDialogProps) {
  const bulk = useBulkAction(keys, done);
  const { step, begun, all, outcomes, refusal, batch, preview, act, undo } = bulk;
  const told = useTold(keys, isBeforeMessages(verb, step));
  const { title, note, now } = verbs[verb];
  const isUnderWay = step === 'acting' || step === 'undoing';
  return (
    <Dialog
      title={`${title} ${formatCaseCount(all)}`}
      close={close}
      closeLabel={closeLabels[step] ?? t`Leave it as it is`}
      buttons={
        <>
          {isUnderWay && batch && <BatchControls batch={batch} done={() => undefined} />}
          {step === 'done' && batch?.undoUntil && batch.status && (
            <Button press={() => void undo(batch.id)}>{t`Undo ${formatCaseCount(batch.status.done)}`}</Button>
          )}
          {step === 'previewed' && begun > 0 && (
            <Button
              press={() => void act()}
              kind={isHarmful(verb) ? 'danger' : 'main'}
            >{t`${now} ${formatCaseCount(begun)} now`}</Button>
          )}
        </>
      }
    >
      <ToldBefore told={told} of={keys.length} kind="note" />
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
      {isUnderWay && batch ? (
        <>
          <BatchProgress batch={batch} />
          <p>{t`You can close this, and the page: it goes on, and the list shows it.`}</p>
        </>
      ) : (
        <p role="status">{formatStep({ step, verb, outcomes, batch, all, begun })}</p>
      )}
      {verb === 'startAgain' && step === 'previewed' && <FreeLockers outcomes={outcomes} />}
      <Outcomes
        outcomes={outcomes.map((each) => ({ ...each, about: each.about ?? abouts.get(each.key) }))}
        total={batch ? actedOn(batch) : outcomes.length}
        isHarm={verb === 'shorten' && step !== 'undone'}
      />
    </Dialog>
  );
}

const BEFORE: ReadonlySet<Step> = new Set(['asking', 'previewing', 'previewed']);
const isBeforeMessages = (verb: Verb, step: Step): boolean => verb === 'message' && BEFORE.has(step);

const closeLabels: Readonly<Partial<Record<Step, string>>> = {
  acting: t`Let it go on`,
  undoing: t`Let it go on`,
  done: t`Back to the list`,
  undone: t`Back to the list`,
};

/** Those that were chosen when it was opened; after the dry run those of them that can: what is confirmed is what was shown. */
function useBulkAction(chosen: readonly string[], done: () => void) {
  const [all] = useState(chosen.length);
  const [keys, setKeys] = useState(chosen);
  const [step, setStep] = useState<Step>('asking');
  const [action, setAction] = useState<BulkAction>();
  const [refusal, setRefusal] = useState<RequestError>();
  const { outcomes, run, show } = useDryRuns();
  const [batch, setBatch] = useState<BatchView>();
  /** Which batch is followed: none once nobody looks any more. */
  const turn = useRef(0);
  useEffect(
    () => () => {
      turn.current += 1;
    },
    [],
  );
  const preview = async (what: BulkAction) => {
    setAction(what);
    setRefusal(undefined);
    setStep('previewing');
    const { outcomes: came, refusal: wrong } = await run(keys, what);
    setRefusal(wrong);
    if (!wrong) setKeys(came.filter((each) => !isBad(each)).map(({ key }) => key));
    setStep(wrong ? 'asking' : 'previewed');
  };
  const followed = async (start: () => Promise<string>, [during, after]: readonly [Step, Step]) => {
    turn.current += 1;
    const own = turn.current;
    const isGone = () => turn.current !== own;
    setStep(during);
    setRefusal(undefined);
    setBatch(undefined);
    show([]);
    const end = (outcomes: readonly BulkOutcome[]) => {
      show(outcomes);
      setStep(after);
    };
    try {
      const id = await start();
      done();
      if (!(await followBatch(id, { isGone, look: setBatch }))) return;
      done();
      await followOutcomes(id, { isGone, look: end });
    } catch (error) {
      if (isGone()) return;
      setRefusal(requestErrorOf(error));
      setStep(after);
    }
  };
  const act = async () => {
    if (action) await followed(() => startBatch(keys, action), ['acting', 'done']);
  };
  const undo = (id: string) => followed(() => undoBatch(id), ['undoing', 'undone']);
  return { step, begun: keys.length, all, outcomes, refusal, batch, preview, act, undo };
}
