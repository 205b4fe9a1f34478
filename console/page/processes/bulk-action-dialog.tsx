// What is done to many processes: first the dry run shows what would become of each, then the person confirms.
import { useState } from 'preact/hooks';
import type { BulkAction, BulkOutcome } from '../../processes/processes-view.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/field.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { InWords } from '../parts/time.tsx';
import { postJson, type Refusal, refusalOf } from '../shell/api.ts';
import { ExtensionFields, readExtension } from './extension-fields.tsx';

/** Asked for at once; the dialog shows how far it is between them. */
const AT_ONCE = 25;

export interface BulkActionDialogProps {
  readonly verb: BulkAction['verb'];
  readonly keys: readonly string[];
  readonly close: () => void;
  readonly done: () => void;
}

type Step = 'asking' | 'previewing' | 'previewed' | 'acting' | 'done';

export function BulkActionDialog({ verb, keys: chosen, close, done }: BulkActionDialogProps) {
  // Those that were chosen when it was opened: what is confirmed is what was shown.
  const [keys] = useState(chosen);
  const [step, setStep] = useState<Step>('asking');
  const [action, setAction] = useState<BulkAction>();
  const [outcomes, setOutcomes] = useState<readonly BulkOutcome[]>([]);
  const [refusal, setRefusal] = useState<Refusal>();
  const many = keys.length === 1 ? '1 process' : `${keys.length} processes`;
  const go = async (path: string, what: BulkAction, during: Step, after: Step) => {
    setStep(during);
    setRefusal(undefined);
    setOutcomes([]);
    try {
      for (let from = 0; from < keys.length; from += AT_ONCE) {
        const body = { keys: keys.slice(from, from + AT_ONCE), action: what };
        const answer = await postJson<{ outcomes: BulkOutcome[] }>(path, body);
        setOutcomes((before) => [...before, ...answer.outcomes]);
      }
      setStep(after);
    } catch (error) {
      setRefusal(refusalOf(error));
      setStep(after === 'done' ? 'done' : 'asking');
    }
  };
  const preview = (what: BulkAction) => {
    setAction(what);
    void go('/api/processes/preview', what, 'previewing', 'previewed');
  };
  const act = () => {
    if (action) void go('/api/processes/action', action, 'acting', 'done').finally(done);
  };
  const isBusy = step === 'previewing' || step === 'acting';
  return (
    <Dialog
      title={verb === 'cancel' ? `Cancel ${many}` : `Extend a deadline of ${many}`}
      close={close}
      closeLabel={step === 'done' ? 'Close' : 'Leave it as it is'}
      buttons={
        step === 'previewed' && (
          <Button press={act} kind={verb === 'cancel' ? 'danger' : 'main'}>
            {verb === 'cancel' ? `Cancel ${many} now` : `Extend ${many} now`}
          </Button>
        )
      }
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
            wrong={refusal?.fields?.['action.why']}
          />
          <Button kind="main" isBusy={isBusy}>
            Show what would happen
          </Button>
        </form>
      ) : null}
      <p role="status">{stepWords(step, outcomes, keys.length)}</p>
      {outcomes.length > 0 && <Outcomes outcomes={outcomes} />}
    </Dialog>
  );
}

function readAction(verb: BulkAction['verb'], form: HTMLFormElement): BulkAction {
  const why = String(new FormData(form).get('why') ?? '').trim();
  return verb === 'cancel' ? { verb, why } : { ...readExtension(form), ...(why !== '' && { why }) };
}

function stepWords(step: Step, outcomes: readonly BulkOutcome[], all: number): string {
  const bad = outcomes.filter(({ isGood }) => !isGood).length;
  if (step === 'previewing') return `Looked at ${outcomes.length} of ${all}…`;
  if (step === 'previewed')
    return bad > 0
      ? `Nothing is changed yet. ${bad} of ${all} would be refused, as things stand.`
      : 'Nothing is changed yet.';
  if (step === 'acting') return `${outcomes.length} of ${all} done…`;
  if (step === 'done') return `${outcomes.length - bad} of ${all} done${bad > 0 ? `, ${bad} refused` : ''}.`;
  return '';
}

/** More rows nobody reads, and thousands would make each step of the dialog slow. */
const MOST_SHOWN = 200;

/** Those that are refused first: they are what a person must look at. */
function Outcomes({ outcomes }: { readonly outcomes: readonly BulkOutcome[] }) {
  const isBad = ({ isGood }: BulkOutcome) => !isGood;
  const shown = [...outcomes.filter(isBad), ...outcomes.filter(({ isGood }) => isGood)].slice(0, MOST_SHOWN);
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
          {shown.map(({ key, isGood, words }) => (
            <tr key={key}>
              <th scope="row">{key}</th>
              <td class={isGood ? undefined : 'bad-words'}>
                <InWords text={words} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {others > 0 && <p class="soft">{others} more are not shown here.</p>}
    </div>
  );
}
