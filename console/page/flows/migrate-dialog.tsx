// Brings processes to another version: first the dry run says what would become of them, then the person confirms.
import { useState } from 'preact/hooks';
import type { MigrationForeseen } from '../../flows/flows-view.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { onSubmit, SelectField, TextField } from '../parts/field.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { postJson, type Refusal, useDoing } from '../shell/api.ts';
import { Groups } from './migrations.tsx';

/** What the form begins with. */
export interface Migrating {
  readonly to: number;
  readonly from?: number;
  readonly isBack: boolean;
}

interface MigrateDialogProps {
  /** Where the API has the migrations of the flow. */
  readonly path: string;
  readonly flow: string;
  /** The newest first. */
  readonly versions: readonly number[];
  readonly migrating: Migrating;
  readonly close: () => void;
}

type MigrationFields = Readonly<Record<string, unknown>>;

export function MigrateDialog({ path, flow, versions, migrating, close }: MigrateDialogProps) {
  const [request, setRequest] = useState<MigrationFields>();
  const [foreseen, setForeseen] = useState<MigrationForeseen>();
  const [plan, setPlan] = useState('');
  const asking = useDoing(
    (what: MigrationFields) => postJson<MigrationForeseen>(path, { ...what, dryRun: true }),
    (found) => {
      setForeseen(found);
      // Never over what somebody has written.
      if (plan.trim() === '' && found.plan !== null) setPlan(found.plan);
    },
  );
  const starting = useDoing((what: MigrationFields) => postJson(path, what), close);
  const refusal = asking.refusal ?? starting.refusal;
  const ask = (form: HTMLFormElement) => {
    const what = readForm(form, migrating.isBack);
    setRequest(what);
    setForeseen(undefined);
    asking.run(what);
  };
  const carried = foreseen?.carried ?? 0;
  return (
    <Dialog
      title={migrating.isBack ? `Take processes of ${flow} back` : `Migrate processes of ${flow}`}
      close={close}
      closeLabel="Leave it as it is"
      buttons={
        foreseen &&
        carried > 0 && (
          <Button press={() => request && starting.run(request)} kind="main" isBusy={starting.isBusy}>
            Migrate {carried} {carried === 1 ? 'process' : 'processes'} now
          </Button>
        )
      }
    >
      {refusal && <RefusalNote refusal={refusal} />}
      {/* What was foreseen is of the form as it was then. */}
      <form onSubmit={onSubmit(ask)} onInput={() => setForeseen(undefined)} noValidate>
        <Fields versions={versions} migrating={migrating} refusal={refusal} />
        <TextField
          label="Plan"
          hint="What the new version does not say itself, as YAML. If one is needed, its gaps appear here: replace each TODO."
          name="plan"
          rows={plan === '' ? 2 : 8}
          spellcheck={false}
          value={plan}
          set={setPlan}
          wrong={refusal?.fields?.plan}
        />
        <Button kind={foreseen ? undefined : 'main'} isBusy={asking.isBusy}>
          Show what would happen
        </Button>
      </form>
      <p role="status">{asking.isBusy ? 'Asking each process …' : foreseen && foreseenWords(foreseen)}</p>
      {foreseen && <Foreseen foreseen={foreseen} />}
    </Dialog>
  );
}

interface FieldsProps extends Pick<MigrateDialogProps, 'versions' | 'migrating'> {
  readonly refusal: Refusal | undefined;
}

function Fields({ versions, migrating: { to, from, isBack }, refusal }: FieldsProps) {
  const wrong = refusal?.fields ?? {};
  const all = [...new Set([to, ...(from === undefined ? [] : [from]), ...versions])];
  const numbers = all.sort((one, other) => other - one);
  const options = (chosen: number | undefined) =>
    numbers.map((version) => (
      <option key={version} value={version} selected={version === chosen}>
        {version}
      </option>
    ));
  return (
    <>
      <div class="row">
        <SelectField label="From version" name="from" wrong={wrong.from}>
          <option value="" selected={from === undefined}>
            any other
          </option>
          {options(from)}
        </SelectField>
        <SelectField label="To version" name="to" wrong={wrong.to}>
          {options(to)}
        </SelectField>
      </div>
      {!isBack && (
        <>
          <label>
            <input type="checkbox" name="held" /> only those held by a step that failed: each takes its event
            again
          </label>
          <label>
            <input type="checkbox" name="wait" /> come back to those that cannot be carried where they are now
          </label>
        </>
      )}
      <TextField
        label="Why"
        hint="Each process keeps it, with your name."
        name="why"
        rows={2}
        required
        wrong={wrong.why}
      />
    </>
  );
}

function readForm(form: HTMLFormElement, isBack: boolean): MigrationFields {
  const given = new FormData(form);
  const text = (name: string) => String(given.get(name) ?? '').trim();
  // What is no number goes as it is: the answer says at the field what is expected.
  const number = (name: string) => (Number.isFinite(Number(text(name))) ? Number(text(name)) : text(name));
  return {
    to: number('to'),
    why: text('why'),
    back: isBack,
    ...(text('from') !== '' && { from: number('from') }),
    held: given.has('held'),
    wait: given.has('wait'),
    ...(text('plan') !== '' && { plan: text('plan') }),
  };
}

function foreseenWords({ carried, overdue }: MigrationForeseen): string {
  const due = overdue > 0 ? `; ${overdue} of them have a deadline that would be due at once` : '';
  return `Nothing is changed yet. ${carried} would be carried${due}.`;
}

function Foreseen({ foreseen: { groups, notes } }: { readonly foreseen: MigrationForeseen }) {
  const said = Object.entries(notes);
  return (
    <>
      <Groups groups={groups} />
      {said.length > 0 && (
        <ul>
          {said.map(([note, count]) => (
            <li key={note}>
              {count}: {note}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
