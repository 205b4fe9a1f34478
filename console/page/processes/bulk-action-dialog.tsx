// What is done to many processes: first the dry run shows what would become of each, then the person confirms.
import { useState } from 'preact/hooks';
import type { Bulk, BulkAction, BulkOutcome } from '../../processes/processes-view.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/field.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { InWords } from '../parts/time.tsx';
import { getJson, postJson, type Refusal, refusalOf } from '../shell/api.ts';
import { ExtensionFields, readExtension } from './extension-fields.tsx';

/** Between two looks at how far it is. */
const LOOK_EVERY_MS = 300;
/** A dry run only asks; what changes processes goes at the usual rate, since workers have other work too. */
const DRY_RUN_PER_SECOND = 200;

export interface BulkActionDialogProps {
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
  const isBusy = step === 'previewing' || step === 'acting';
  return (
    <Dialog
      title={titleOf(verb, all)}
      close={close}
      closeLabel={step === 'done' ? 'Close' : 'Leave it as it is'}
      buttons={<StepButton step={step} verb={verb} keys={keys} act={act} stop={stop} />}
    >
      {refusal && <RefusalNote refusal={refusal} />}
      {verb === 'cancel' && (
        <p>
          A cancelled process undoes what it has booked, and ends. What lies in a locker stays there until a
          person takes it out; the inbox lists it.
        </p>
      )}
      {step === 'asking' || step === 'previewing' ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            preview(readAction(verb, event.currentTarget as HTMLFormElement));
          }}
        >
          {verb === 'extend' && <ExtensionFields wrong={refusal?.fields ?? {}} />}
          <TextField
            label="Why"
            name="why"
            rows={2}
            required={verb === 'cancel'}
            hint="Each process keeps it, with your name."
            wrong={refusal?.fields?.why}
          />
          <Button kind="main" isBusy={isBusy}>
            Show what would happen
          </Button>
        </form>
      ) : null}
      <p role="status">{stepWords({ step, verb, outcomes, all, begun: keys.length })}</p>
      {outcomes.length > 0 && <Outcomes outcomes={outcomes} />}
    </Dialog>
  );
}

const processesWords = (count: number): string => (count === 1 ? '1 process' : `${count} processes`);

const titleOf = (verb: BulkAction['command'], count: number): string =>
  verb === 'cancel' ? `Cancel ${processesWords(count)}` : `Extend a deadline of ${processesWords(count)}`;

interface StepButtonProps extends Pick<BulkActionDialogProps, 'verb' | 'keys'> {
  readonly step: Step;
  readonly act: () => void;
  readonly stop: () => void;
}

function StepButton({ step, verb, keys, act, stop }: StepButtonProps) {
  if (step === 'acting') return <Button press={stop}>Stop</Button>;
  if (step !== 'previewed' || keys.length === 0) return null;
  const many = processesWords(keys.length);
  return (
    <Button press={act} kind={verb === 'cancel' ? 'danger' : 'main'}>
      {verb === 'cancel' ? `Cancel ${many} now` : `Extend ${many} now`}
    </Button>
  );
}

function readAction(verb: BulkAction['command'], form: HTMLFormElement): BulkAction {
  const why = String(new FormData(form).get('why') ?? '').trim();
  return verb === 'cancel' ? { command: verb, fields: { why } } : readExtension(form);
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
      return `Looked at ${outcomes.length} of ${all}…`;
    case 'previewed':
      return bad > 0
        ? `Nothing is changed yet. As things stand, ${begun} can be ${doneWords[verb]}, and ${bad} cannot: those are left as they are.`
        : 'Nothing is changed yet.';
    case 'acting':
      return `${outcomes.length} of ${begun} done…`;
    case 'done':
      return [
        `${outcomes.length - bad} of ${begun} done`,
        ...(bad > 0 ? [`${bad} refused`] : []),
        ...(left > 0 ? [`${left} not begun`] : []),
        ...(all > begun ? [`${all - begun} left as they are`] : []),
      ].join(', ');
  }
}

const doneWords = { cancel: 'cancelled', extend: 'extended' } as const;

const possibleOf = (outcomes: readonly BulkOutcome[]): string[] =>
  outcomes.filter((each) => !isBad(each)).map(({ key }) => key);

/** More rows nobody reads, and thousands would make each step of the dialog slow. */
const MOST_SHOWN = 200;

const isBad = ({ refusal }: BulkOutcome): boolean => refusal !== null;

/** Those that are refused first: they are what a person must look at. */
function Outcomes({ outcomes }: { readonly outcomes: readonly BulkOutcome[] }) {
  const good = outcomes.filter((each) => !isBad(each));
  const shown = [...outcomes.filter(isBad), ...good].slice(0, MOST_SHOWN);
  const others = outcomes.length - shown.length;
  return (
    <div class="table-frame outcomes">
      <table>
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">Outcome</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ key, refusal, words }) => (
            <tr key={key}>
              <th scope="row">{key}</th>
              <td class={refusal ? 'bad-words' : undefined}>
                <InWords text={refusal?.message ?? words ?? ''} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {others > 0 && <p class="soft">{others} more are not shown here.</p>}
    </div>
  );
}
