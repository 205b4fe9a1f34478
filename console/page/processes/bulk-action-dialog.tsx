// What is done to many processes: first the dry run shows what would become of each, then the person confirms.
import { useState } from 'preact/hooks';
import type { BulkAction, BulkOutcome } from '../../processes/processes-view.ts';
import { type Refusal, refusalOf } from '../api.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Options, onSubmit, SelectField, TextField } from '../parts/field.tsx';
import { inFigures } from '../parts/format.ts';
import { Table } from '../parts/frames.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { TextWithTimes } from '../parts/time.tsx';
import { useForMany } from './for-many.ts';

/** Like "1 process" or "1,200 processes". */
export const formatProcessCount = (count: number): string =>
  `${inFigures(count)} ${count === 1 ? 'process' : 'processes'}`;

/** What is said of each action: in the bar below the list, and in its dialog. */
export const verbs = {
  extend: {
    bar: 'Extend…',
    title: 'Extend the next deadline of',
    now: 'Extend',
    can: 'be extended',
    note: 'A deadline that has passed is open again, and its process is no longer overdue.',
  },
  retry: {
    bar: 'Try again…',
    title: 'Try again for',
    now: 'Try again for',
    can: 'try again',
    note: 'Each process that waits for a decision does again what it could not do.',
  },
  cancel: {
    bar: 'Cancel…',
    title: 'Cancel',
    now: 'Cancel',
    can: 'be cancelled',
    note: 'A cancelled process undoes what it has booked, and ends. What lies in a locker stays there until a person takes it out; Work lists it.',
  },
} as const;

interface BulkActionDialogProps {
  readonly verb: BulkAction['command'];
  readonly keys: readonly string[];
  readonly close: () => void;
  readonly done: () => void;
}

type Step = 'asking' | 'previewing' | 'previewed' | 'acting' | 'done';

export function BulkActionDialog({ verb, keys: chosen, close, done }: BulkActionDialogProps) {
  // Those that were chosen when it was opened; after the dry run those of them that can: what is confirmed is what was shown.
  const [keys, setKeys] = useState(chosen);
  const [all] = useState(chosen.length);
  const [step, setStep] = useState<Step>('asking');
  const [action, setAction] = useState<BulkAction>();
  const [refusal, setRefusal] = useState<Refusal>();
  const { outcomes, run, stop } = useForMany();
  const preview = async (what: BulkAction) => {
    setAction(what);
    setRefusal(undefined);
    setStep('previewing');
    try {
      const came = await run(keys, what, true);
      setKeys(came.filter((each) => !isBad(each)).map(({ key }) => key));
      setStep('previewed');
    } catch (error) {
      setRefusal(refusalOf(error));
      setStep('asking');
    }
  };
  const act = async () => {
    if (!action) return;
    setStep('acting');
    await run(keys, action, false).catch((error) => setRefusal(refusalOf(error)));
    setStep('done');
    done();
  };
  const { title, note, now } = verbs[verb];
  return (
    <Dialog
      title={`${title} ${formatProcessCount(all)}`}
      close={close}
      closeLabel={step === 'done' ? 'Back to the list' : 'Leave it as it is'}
      buttons={
        <>
          {step === 'acting' && <Button press={stop}>Stop</Button>}
          {step === 'previewed' && keys.length > 0 && (
            <Button press={() => void act()} kind={verb === 'cancel' ? 'danger' : 'main'}>
              {now} {formatProcessCount(keys.length)} now
            </Button>
          )}
        </>
      }
    >
      {refusal && <RefusalNote refusal={refusal} />}
      <p>{note}</p>
      {(step === 'asking' || step === 'previewing') && (
        <form onSubmit={onSubmit((form) => void preview(readAction(verb, form)))}>
          {verb === 'extend' && (
            <SelectField label="New deadline" name="fromNow" wrong={refusal?.fields.fromNow}>
              <Options of={lengths} />
            </SelectField>
          )}
          <TextField
            label="Why"
            name="why"
            rows={2}
            required={verb !== 'extend'}
            hint="Each process keeps it, with your name."
            wrong={refusal?.fields.why}
          />
          <Button kind="main" isBusy={step === 'previewing'}>
            Show what would happen
          </Button>
        </form>
      )}
      <p role="status">{formatStep({ step, verb, outcomes, all, begun: keys.length })}</p>
      {outcomes.length > 0 && <Outcomes outcomes={outcomes} />}
    </Dialog>
  );
}

const isBad = ({ refusal }: BulkOutcome): boolean => refusal !== null;

const lengths = [
  ['P1D', '1 day from now'],
  ['PT4H', '4 hours from now'],
  ['P2D', '2 days from now'],
  ['P3D', '3 days from now'],
  ['P7D', '1 week from now'],
  ['P14D', '2 weeks from now'],
] as const;

function readAction(command: BulkAction['command'], form: HTMLFormElement): BulkAction {
  const { why = '', ...end } = Object.fromEntries(new FormData(form)) as Record<string, string>;
  if (command !== 'extend') return { command, fields: { why: why.trim() } };
  // The server checks it again.
  return { command, fields: { next: true, ...end, ...(why.trim() && { why: why.trim() }) } };
}

interface BulkProgress {
  readonly step: Step;
  readonly verb: BulkAction['command'];
  readonly outcomes: readonly BulkOutcome[];
  /** All that were chosen. */
  readonly all: number;
  /** Those of them with which it goes on. */
  readonly begun: number;
}

function formatStep({ step, verb, outcomes, all, begun }: BulkProgress): string {
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

/** More rows nobody reads, and thousands would make each step of the dialog slow. */
const MAX_SHOWN = 200;

/** Those that are refused first: they are what a person must look at. */
function Outcomes({ outcomes }: { readonly outcomes: readonly BulkOutcome[] }) {
  const inOrder = outcomes.toSorted((one, other) => Number(isBad(other)) - Number(isBad(one)));
  const others = outcomes.length - MAX_SHOWN;
  return (
    <div class="outcomes">
      <Table head={['Key', 'Outcome']}>
        {inOrder.slice(0, MAX_SHOWN).map(({ key, refusal, words }) => (
          <tr key={key} data-key={key}>
            <th scope="row">{key}</th>
            <td class={refusal ? 'bad-text' : undefined}>
              <TextWithTimes text={refusal?.message ?? words ?? ''} />
            </td>
          </tr>
        ))}
      </Table>
      {others > 0 && <p class="soft">{inFigures(others)} more are not shown here.</p>}
    </div>
  );
}
