// What is done to many processes: first the dry run shows what would become of each, then the person confirms.
import { useState } from 'preact/hooks';
import type { BulkAction, BulkOutcome } from '../../processes/processes-view.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field, Options, onSubmit, SelectField, TextField } from '../parts/field.tsx';
import { inFigures } from '../parts/format.ts';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { type Refusal, refusalOf } from '../shell/api.ts';
import { isBad, Outcomes } from './bulk-outcomes.tsx';
import { useForMany } from './for-many.ts';

/** Like "1 process" or "1,200 processes". */
export const processWords = (count: number): string =>
  `${inFigures(count)} ${count === 1 ? 'process' : 'processes'}`;

/** What is said of each action: in the bar below the list, and in its dialog. */
export const verbs = {
  extend: {
    bar: 'Extend…',
    barTitle: 'Extend a deadline',
    note: 'A deadline that has passed is open again, and its process is no longer overdue.',
    title: (processes: string) => `Extend a deadline of ${processes}`,
    now: (processes: string) => `Extend ${processes} now`,
    can: 'be extended',
    did: 'extended',
  },
  retry: {
    bar: 'Try again…',
    barTitle: 'Do again what they could not do',
    note: 'Each process that waits for a decision does again what it could not do.',
    title: (processes: string) => `Try again for ${processes}`,
    now: (processes: string) => `Try again for ${processes} now`,
    can: 'try again',
    did: 'tries again',
  },
  cancel: {
    bar: 'Cancel…',
    barTitle: 'Cancel them',
    note: 'A cancelled process undoes what it has booked, and ends. What lies in a locker stays there until a person takes it out; Work lists it.',
    title: (processes: string) => `Cancel ${processes}`,
    now: (processes: string) => `Cancel ${processes} now`,
    can: 'be cancelled',
    did: 'cancelled',
  },
};

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
  const [refusal, setRefusal] = useState<Refusal>();
  const { outcomes, run, stop, forget } = useForMany();
  const go = async (what: BulkAction, during: Step, after: Step) => {
    setStep(during);
    setRefusal(undefined);
    try {
      const came = await run(keys, what, after === 'previewed');
      if (after === 'previewed') setKeys(possibleOf(came));
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
  const back = () => {
    setKeys(chosen);
    forget();
    setStep('asking');
  };
  const refused = outcomes.filter(isBad).map(({ key }) => key);
  const { title, note, can, did } = verbs[verb];
  const isBusy = step === 'previewing' || step === 'acting';
  return (
    <Dialog
      title={title(processWords(all))}
      close={close}
      closeLabel={step === 'done' ? 'Back to the list' : 'Leave it as it is'}
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
      {outcomes.length > 0 && (
        <Outcomes outcomes={outcomes} good={isDoneIn(step) ? `Done: ${did}` : `Can ${can}`} />
      )}
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
  return (
    <form onSubmit={onSubmit((form) => preview(readAction(verb, form)))}>
      {verb === 'extend' && <ExtensionFields wrong={wrong} />}
      <TextField
        label="Why"
        name="why"
        rows={2}
        required={verb !== 'extend'}
        hint="Each process keeps it, with your name."
        wrong={wrong.why}
      />
      <Button kind="main" isBusy={isBusy}>
        Show what would happen
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
  if (step === 'acting') return <Button press={stop}>Stop</Button>;
  if (step === 'done' && refused.length > 0)
    return (
      <Button press={() => chooseAgain(refused)}>
        Choose again what was refused ({inFigures(refused.length)})
      </Button>
    );
  if (step !== 'previewed') return null;
  return (
    <>
      <Button press={back}>Back</Button>
      {keys.length > 0 && (
        <Button press={act} kind={verb === 'cancel' ? 'danger' : 'main'}>
          {verbs[verb].now(processWords(keys.length))}
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
  switch (step) {
    case 'asking':
      return '';
    case 'previewing':
      return `Looked at ${inFigures(outcomes.length)} of ${inFigures(all)}…`;
    case 'previewed':
      return bad > 0
        ? `Nothing is changed yet. As things stand, ${inFigures(begun)} can ${verbs[verb].can}, and ${inFigures(bad)} cannot: those are left as they are.`
        : 'Nothing is changed yet.';
    case 'acting':
      return `${inFigures(outcomes.length)} of ${inFigures(begun)} done…`;
    case 'done':
      return [
        `${inFigures(outcomes.length - bad)} of ${inFigures(begun)} done`,
        ...(bad > 0 ? [`${inFigures(bad)} refused`] : []),
        ...(left > 0 ? [`${inFigures(left)} not begun`] : []),
        ...(all > begun ? [`${inFigures(all - begun)} left as they are`] : []),
      ].join(', ');
  }
}

const possibleOf = (outcomes: readonly BulkOutcome[]): string[] =>
  outcomes.filter((each) => !isBad(each)).map(({ key }) => key);

const lengths = [
  ['PT4H', '4 hours from now'],
  ['P1D', '1 day from now'],
  ['P2D', '2 days from now'],
  ['P3D', '3 days from now'],
  ['P7D', '1 week from now'],
  ['P14D', '2 weeks from now'],
  ['until', 'a date and time'],
] as const;

function ExtensionFields({ wrong }: { readonly wrong: Readonly<Record<string, string>> }) {
  const [length, setLength] = useState<string>('P1D');
  return (
    <div class="row">
      <SelectField label="New deadline" name="length" value={length} set={setLength} wrong={wrong.fromNow}>
        <Options of={lengths} />
      </SelectField>
      {length === 'until' && (
        <Field
          label="Date and time"
          hint="In your own time zone"
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
