// What is done to many processes: first the dry run shows what would become of each, then the person confirms.
import { useState } from 'preact/hooks';
import type { Bulk, BulkAction, BulkOutcome } from '../../processes/processes-view.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field, Options, onSubmit, SelectField, TextField } from '../parts/field.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { getJson, postJson, type Refusal, refusalOf } from '../shell/api.ts';
import { common, currentMessages, inFigures } from '../shell/locale.ts';
import { isBad, Outcomes } from './bulk-outcomes.tsx';

/** Between two looks at how far it is. */
const LOOK_EVERY_MS = 300;
/** A dry run only asks; what changes processes goes at the usual rate, since workers have other work too. */
const DRY_RUN_PER_SECOND = 200;

interface BulkActionDialogProps {
  readonly verb: BulkAction['command'];
  readonly keys: readonly string[];
  readonly close: () => void;
  readonly done: () => void;
  /** Back to the list, with these chosen. */
  readonly chooseAgain: (keys: readonly string[]) => void;
}

type Step = 'asking' | 'previewing' | 'previewed' | 'acting' | 'done';

export function BulkActionDialog({ verb, keys: chosen, close, done, chooseAgain }: BulkActionDialogProps) {
  // Those that were chosen when it was opened; after the dry run those of them that can: what is confirmed is what was shown.
  const [keys, setKeys] = useState(chosen);
  const [all] = useState(chosen.length);
  const [step, setStep] = useState<Step>('asking');
  const [action, setAction] = useState<BulkAction>();
  const [outcomes, setOutcomes] = useState<readonly BulkOutcome[]>([]);
  const [refusal, setRefusal] = useState<Refusal>();
  const [running, setRunning] = useState<string>();
  const go = async (what: BulkAction, during: Step, after: Step) => {
    setStep(during);
    setRefusal(undefined);
    setOutcomes([]);
    try {
      const pace = after === 'previewed' && { dryRun: true, perSecond: DRY_RUN_PER_SECOND };
      let bulk = await postJson<Bulk>('/v1/bulk', { ...what, processes: { keys }, ...pace });
      setRunning(bulk.id);
      while (bulk.state === 'Running') {
        await new Promise((later) => setTimeout(later, LOOK_EVERY_MS));
        bulk = await getJson<Bulk>(`/v1/bulk/${bulk.id}`);
        setOutcomes(bulk.outcomes);
      }
      setOutcomes(bulk.outcomes);
      if (after === 'previewed') setKeys(possibleOf(bulk.outcomes));
      setStep(after);
    } catch (error) {
      setRefusal(refusalOf(error));
      setStep(after === 'done' ? 'done' : 'asking');
    }
  };
  const preview = (what: BulkAction) => {
    setAction(what);
    void go(what, 'previewing', 'previewed');
  };
  const act = () => {
    if (action) void go(action, 'acting', 'done').finally(done);
  };
  const stop = () => void postJson(`/v1/bulk/${running}/stop`).catch((error) => setRefusal(refusalOf(error)));
  const back = () => {
    setKeys(chosen);
    setOutcomes([]);
    setStep('asking');
  };
  const refused = outcomes.filter(isBad).map(({ key }) => key);
  const { bulk: words, verbs } = currentMessages().list;
  const { title, note, can, did } = verbs[verb];
  const isBusy = step === 'previewing' || step === 'acting';
  return (
    <Dialog
      title={title(all)}
      close={close}
      closeLabel={step === 'done' ? words.toList : words.leave}
      buttons={
        <StepButtons
          step={step}
          verb={verb}
          keys={keys}
          refused={refused}
          act={act}
          stop={stop}
          back={back}
          chooseAgain={chooseAgain}
        />
      }
    >
      {refusal && <RefusalNote refusal={refusal} />}
      <p>{note}</p>
      {step === 'asking' || step === 'previewing' ? (
        <PreviewForm verb={verb} wrong={refusal?.fields ?? {}} isBusy={isBusy} preview={preview} />
      ) : null}
      <p role="status">{stepWords({ step, verb, outcomes, all, begun: keys.length })}</p>
      {outcomes.length > 0 && <Outcomes outcomes={outcomes} good={isDoneIn(step) ? did : can} />}
    </Dialog>
  );
}

interface PreviewFormProps {
  readonly verb: BulkActionDialogProps['verb'];
  readonly wrong: Readonly<Record<string, string>>;
  readonly isBusy: boolean;
  preview(action: BulkAction): void;
}

function PreviewForm({ verb, wrong, isBusy, preview }: PreviewFormProps) {
  const words = currentMessages().list.bulk;
  return (
    <form onSubmit={onSubmit((form) => preview(readAction(verb, form)))}>
      {verb === 'extend' && <ExtensionFields wrong={wrong} />}
      <TextField
        label={common().why}
        name="why"
        rows={2}
        required={verb !== 'extend'}
        hint={words.whyHint}
        wrong={wrong.why}
      />
      <Button kind="main" isBusy={isBusy}>
        {words.preview}
      </Button>
    </form>
  );
}

const isDoneIn = (step: Step): boolean => step === 'acting' || step === 'done';

interface StepButtonProps extends Pick<BulkActionDialogProps, 'verb' | 'keys' | 'chooseAgain'> {
  readonly step: Step;
  /** The keys of those that were. */
  readonly refused: readonly string[];
  readonly back: () => void;
  readonly act: () => void;
  readonly stop: () => void;
}

function StepButtons({ step, verb, keys, refused, act, stop, back, chooseAgain }: StepButtonProps) {
  const words = currentMessages().list.bulk;
  if (step === 'acting') return <Button press={stop}>{words.stop}</Button>;
  if (step === 'done' && refused.length > 0)
    return (
      <Button press={() => chooseAgain(refused)}>{words.chooseRefused(inFigures(refused.length))}</Button>
    );
  if (step !== 'previewed') return null;
  return (
    <>
      <Button press={back}>{words.back}</Button>
      {keys.length > 0 && (
        <Button press={act} kind={verb === 'cancel' ? 'danger' : 'main'}>
          {currentMessages().list.verbs[verb].now(keys.length)}
        </Button>
      )}
    </>
  );
}

function readAction(verb: BulkAction['command'], form: HTMLFormElement): BulkAction {
  const why = String(new FormData(form).get('why') ?? '').trim();
  return verb === 'extend' ? readExtension(form) : { command: verb, fields: { why } };
}

interface StepWords {
  readonly step: Step;
  readonly verb: BulkAction['command'];
  readonly outcomes: readonly BulkOutcome[];
  /** All that were chosen. */
  readonly all: number;
  /** Those of them with which it goes on. */
  readonly begun: number;
}

function stepWords({ step, verb, outcomes, all, begun }: StepWords): string {
  const bad = outcomes.filter(isBad).length;
  const left = begun - outcomes.length;
  const words = currentMessages().list.bulk;
  switch (step) {
    case 'asking':
      return '';
    case 'previewing':
      return words.looked(inFigures(outcomes.length), inFigures(all));
    case 'previewed':
      return bad > 0
        ? currentMessages().list.verbs[verb].may(inFigures(begun), inFigures(bad))
        : words.unchanged;
    case 'acting':
      return words.acting(inFigures(outcomes.length), inFigures(begun));
    case 'done':
      return [
        words.done(inFigures(outcomes.length - bad), inFigures(begun)),
        ...(bad > 0 ? [words.refused(inFigures(bad))] : []),
        ...(left > 0 ? [words.notBegun(inFigures(left))] : []),
        ...(all > begun ? [words.left(inFigures(all - begun))] : []),
      ].join(', ');
  }
}

const possibleOf = (outcomes: readonly BulkOutcome[]): string[] =>
  outcomes.filter((each) => !isBad(each)).map(({ key }) => key);

function ExtensionFields({ wrong }: { readonly wrong: Readonly<Record<string, string>> }) {
  const [length, setLength] = useState<string>('P1D');
  const words = currentMessages().list.extension;
  return (
    <div class="row">
      <SelectField label={words.length} name="length" value={length} set={setLength} wrong={wrong.fromNow}>
        <Options of={words.lengths} />
      </SelectField>
      {length === 'until' && (
        <Field
          label={words.until}
          hint={words.zone}
          name="until"
          type="datetime-local"
          required
          wrong={wrong.until}
        />
      )}
    </div>
  );
}

function readExtension(form: HTMLFormElement): BulkAction {
  const given = Object.fromEntries(new FormData(form)) as Record<string, string>;
  const { length = '', until = '', why = '' } = given;
  const end = length === 'until' ? { until: new Date(until).toISOString() } : { fromNow: length };
  // The server checks it again.
  const because = why.trim() === '' ? {} : { why: why.trim() };
  return { command: 'extend', fields: { next: true, ...end, ...because } } as BulkAction;
}
