// The buttons that start an ended process again, and move an open one to another locker, and their dialog: what it was started with,
// what of it is to change, and what would follow, before anything is started.
import { useEffect, useState } from 'preact/hooks';
import { t } from '../../../shared/texts/text.ts';
import type { FlowForm, FormField } from '../../desk/desk-view.ts';
import type { ProcessDetails } from '../../process/process-view.ts';
import type { MovePreview, StartAgainOutcome, StartAgainPreview } from '../../processes/processes-view.ts';
import { postJson, postQuietly, useJson, useSubmission } from '../api.ts';
import { FormFields } from '../forms/form-fields.tsx';
import { inputOf, type Values, type WrongValues } from '../forms/form-values.ts';
import { changeableOf, changeOf, valuesOf } from '../forms/start-again-fields.ts';
import { useChangeTexts } from '../forms/use-change-texts.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field, onSubmit, TextField } from '../parts/field.tsx';
import { Table } from '../parts/frames.tsx';
import { NotYet, RefusalNote } from '../parts/refusal-note.tsx';
import { goTo } from '../shell/address.ts';

type Ended = Pick<ProcessDetails, 'key' | 'runId' | 'flow' | 'status'>;

const verbs = {
  startAgain: {
    button: t`Start again…`,
    title: (key: string) => t`Start ${key} again`,
    now: t`Start it again now`,
    same: t`It starts again with all that it was started with.`,
    changed: t`It starts again with what it was started with, but:`,
  },
  move: {
    button: t`Move to another locker…`,
    title: (key: string) => t`Move ${key} to another locker`,
    now: t`Move it now`,
    same: t`A new case books another locker; once it has one, this one is cancelled.`,
    changed: t`A new case books another locker; once it has one, this one is cancelled. It is as it was, but:`,
  },
} as const;

interface StartAgainProps {
  readonly process: Ended;
  /** Whether it is the first thing to do. */
  readonly isMain?: boolean;
}

export function StartAgain({ process, isMain = false }: StartAgainProps) {
  const verb = verbOf(process);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind={isMain ? 'main' : undefined} press={() => setOpen(true)}>
        {verbs[verb].button}
      </Button>
      {isOpen && <StartAgainDialog process={process} close={() => setOpen(false)} />}
    </>
  );
}

const verbOf = ({ status }: Ended): keyof typeof verbs => (status === 'Running' ? 'move' : 'startAgain');

const pathOf = (process: Ended): string =>
  `/v1/processes/${encodeURIComponent(process.key)}/commands/${verbOf(process)}`;

interface DialogProps {
  readonly process: Ended;
  readonly close: () => void;
}

function StartAgainDialog({ process, close }: DialogProps) {
  const { key, flow, status } = process;
  const form = useJson<FlowForm>(`/v1/flows/${encodeURIComponent(flow)}/form`);
  const before = useInput(process);
  const refusal = form.refusal ?? before.refusal;
  const input = before.outcome?.consequence?.input;
  return (
    <Dialog title={verbs[verbOf(process)].title(key)} close={close} closeLabel={t`Do nothing`}>
      {status === 'Completed' && (
        <p>{t`It has ended with a result, and keeps its key: the new one needs another.`}</p>
      )}
      {before.outcome?.refusal && <RefusalNote refusal={before.outcome.refusal} />}
      {refusal && <RefusalNote refusal={refusal} />}
      {!refusal && !before.outcome && (
        <NotYet refusal={undefined} words={t`Reading what it was started with …`} />
      )}
      {form.data && input && (
        <StartAgainForm process={process} fields={changeableOf(form.data.fields)} input={input} />
      )}
    </Dialog>
  );
}

/** What it was started with: nothing is judged yet but whether that can be read, and its flow be started. */
function useInput(process: Ended) {
  const [outcome, setOutcome] = useState<StartAgainOutcome>();
  const { refusal, run } = useSubmission(
    () =>
      postQuietly<StartAgainOutcome>(`${pathOf(process)}?dryRun=true`, {
        ...(process.status === 'Running' ? { change: {} } : { evenIfBooked: true }),
        // Any that nothing has: it is not used.
        ...(process.status === 'Completed' && { newKey: `${process.key}-${Date.now()}` }),
      }),
    setOutcome,
  );
  useEffect(() => void run(), []);
  return { outcome, refusal };
}

interface FormProps {
  readonly process: Ended;
  readonly fields: readonly FormField[];
  /** With which it was started. */
  readonly input: Readonly<Record<string, unknown>>;
}

function StartAgainForm({ process, fields, input }: FormProps) {
  const [values, setValues] = useState(() => valuesOf(fields, input));
  const [wrong, setWrong] = useState<WrongValues>({});
  const [preview, setPreview] = useState<Preview>();
  const [mayBook, setMayBook] = useState(false);
  const path = pathOf(process);
  const verb = verbOf(process);
  const asking = useSubmission(
    async (body: Body) => ({ body, ...(await postQuietly<StartAgainOutcome>(`${path}?dryRun=true`, body)) }),
    (answer) => {
      setPreview(answer);
      if (answer.refusal?.code === 'MayBookTwice') setMayBook(true);
    },
  );
  const doing = useSubmission(
    (body: Body) => postJson<StartAgainDone>(path, body),
    ({ consequence }) => goTo(`/process/${encodeURIComponent(consequence.key)}`),
  );
  // What is confirmed is what was shown.
  const change = (changes: Values) => {
    setPreview(undefined);
    setValues((now) => ({ ...now, ...changes }));
  };
  const ask = (form: HTMLFormElement) => {
    const { input: after, wrong: mistakes } = inputOf(fields, values);
    setWrong(mistakes);
    if (Object.keys(mistakes).length > 0) return;
    const { runId } = process;
    asking.run({
      ...(verb === 'startAgain' && { runId }),
      change: changeOf(fields, input, after),
      ...reasonsIn(form),
    });
  };
  const refusal = doing.refusal ?? asking.refusal;
  const isPossible = preview?.refusal === null;
  return (
    <form onSubmit={onSubmit(ask)} onInput={() => setPreview(undefined)} noValidate>
      <FormFields fields={fields} values={values} wrong={wrong} change={change} />
      {process.status === 'Completed' && (
        <Field label={t`New key`} name="newKey" value={`${process.key}-2`} wrong={refusal?.fields.newKey} />
      )}
      <TextField
        label={t`Why`}
        name="why"
        rows={2}
        hint={t`The new case keeps it, with your name.`}
        wrong={refusal?.fields.why}
      />
      {verb === 'move' && (
        <label class="of-many">
          <input type="checkbox" name="outOfOrder" /> {t`Take the present locker out of order`}
        </label>
      )}
      {mayBook && (
        <label class="of-many">
          <input type="checkbox" name="evenIfBooked" />{' '}
          {t`It has no locker any more, or may have a second one`}
        </label>
      )}
      <div role="status">
        {preview?.refusal && <RefusalNote refusal={preview.refusal} />}
        {isPossible && preview.consequence && (
          <>
            <Changes verb={verb} fields={fields} {...preview.consequence} />
            <DeadlinesAnew deadlines={preview.consequence.deadlines ?? []} />
            {preview.body.outOfOrder && <p>{t`The locker that it has now is out of order then.`}</p>}
          </>
        )}
      </div>
      {refusal && <RefusalNote refusal={refusal} />}
      <div class="row" ref={(row) => void (isPossible && row?.scrollIntoView({ block: 'nearest' }))}>
        <Button
          kind={isPossible ? undefined : 'main'}
          isBusy={asking.isBusy}
        >{t`Show what would happen`}</Button>
        {isPossible && (
          <Button kind="main" press={() => doing.run(preview.body)} isBusy={doing.isBusy}>
            {verbs[verb].now}
          </Button>
        )}
      </div>
    </form>
  );
}

interface Body {
  readonly runId?: string;
  readonly change: object;
  readonly why: string;
  readonly newKey?: string;
  readonly evenIfBooked?: true;
  readonly outOfOrder?: true;
}

interface Preview extends StartAgainOutcome {
  /** By which it was asked for. */
  readonly body: Body;
}

interface StartAgainDone {
  readonly consequence: { readonly key: string };
}

function reasonsIn(form: HTMLFormElement): Omit<Body, 'runId' | 'change'> {
  const { why, newKey, evenIfBooked, outOfOrder } = Object.fromEntries(new FormData(form)) as Record<
    string,
    string
  >;
  return {
    why: why?.trim() ?? '',
    ...(newKey && { newKey: newKey.trim() }),
    ...(evenIfBooked && { evenIfBooked: true as const }),
    ...(outOfOrder && { outOfOrder: true as const }),
  };
}

interface ChangesProps extends Pick<StartAgainPreview, 'changes' | 'place'> {
  readonly verb: keyof typeof verbs;
  readonly fields: readonly FormField[];
}

function Changes({ verb, fields, changes, place }: ChangesProps) {
  const textsOf = useChangeTexts(fields);
  if (changes.length === 0 && !place) return <p>{verbs[verb].same}</p>;
  const rows = changes.filter(({ field }) => !place || field !== 'request.lockerUid').map(textsOf);
  if (place) rows.unshift({ field: 'place', title: t`Locker`, ...place });
  return (
    <>
      <p>{verbs[verb].changed}</p>
      <Table head={[t`What`, t`Before`, t`Now`]}>
        {rows.map(({ field, title, from, to }) => (
          <tr key={field}>
            <th scope="row">{title}</th>
            <td>{from}</td>
            <td>{to}</td>
          </tr>
        ))}
      </Table>
    </>
  );
}

function DeadlinesAnew({ deadlines }: Pick<MovePreview, 'deadlines'>) {
  if (deadlines.length === 0) return null;
  return (
    <>
      <p>{t`Its deadlines begin anew, however long they have run:`}</p>
      <ul class="plain">
        {deadlines.map(({ role, stage, words }) => (
          <li key={`${role} ${stage}`}>{words}</li>
        ))}
      </ul>
    </>
  );
}
