// Registers a parcel: a process of the flow Issue, by the fields that a counter needs of it, for a scanner and a keyboard.
import { useEffect, useState } from 'preact/hooks';
import type { DeskToday, FlowForm, FormField } from '../../desk/desk-view.ts';
import type { PickUpPointRow } from '../../walls/walls-view.ts';
import { FormFields } from '../forms/form-fields.tsx';
import type { Values } from '../forms/form-values.ts';
import { goOnWithEnter } from '../forms/go-on.ts';
import { FormRefusal, useForm } from '../forms/use-form.tsx';
import { Button } from '../parts/button.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { postJson, useJson } from '../shell/api.ts';
import { useLive } from '../shell/live.ts';
import { currentMessages } from '../shell/locale.ts';
import { addressOf } from './parcel.tsx';

const PUP = 'request.pupUid';
const TRACKING_NO = 'request.details.referenceNo';
const RECEIVER = 'request.toUserUid';

const asked = [PUP, TRACKING_NO, RECEIVER, 'request.dimension', 'deadlines.issue.pickUp'];
const more = [
  ...['request.lockerUid', 'request.allowLargerLockers', 'request.allowOverflowLockers'],
  ...['request.details.description', 'request.details.referenceCaseNo', 'deadlines.issue.dropOff'],
];

interface RegisterProps {
  readonly pupUid: string;
  readonly choosePoint: (pupUid: string) => void;
  /** What stands in the form at first. */
  readonly values: Values;
  readonly registeredToday: (trackingNo: string) => DeskToday['parcels'][number] | undefined;
  readonly registered: (key: string, values: Values) => void;
}

export function Register(props: RegisterProps) {
  const { register: words } = currentMessages().desk;
  const { data, refusal } = useJson<FlowForm>('/v1/flows/Issue/form');
  return (
    <section class="card form register not-printed" aria-labelledby="register">
      <h2 id="register">{words.title}</h2>
      {refusal && <RefusalNote refusal={refusal} />}
      {data && <ParcelForm {...props} fields={data.fields} />}
    </section>
  );
}

function ParcelForm({
  fields,
  pupUid,
  choosePoint,
  values: before,
  registeredToday,
  registered,
}: RegisterProps & { readonly fields: readonly FormField[] }) {
  const { register: words } = currentMessages().desk;
  const [key] = useState(freshKey);
  const initial = { 'request.allowLargerLockers': 'true', ...before, [PUP]: pupUid };
  const { values, wrong, change, isBusy, refusal, submit } = useForm(
    fields,
    initial,
    async (input, typed) => {
      await postJson('/v1/processes', { ...input, flow: 'Issue', key });
      return typed;
    },
    (typed) => registered(key, typed),
  );
  const bySuite = {
    values,
    wrong,
    labels: words.labels,
    change(changes: Values) {
      change(changes);
      if (changes[PUP] !== undefined) choosePoint(changes[PUP]);
    },
  };
  useOnlyPoint(values[PUP] ?? '', (only) => bySuite.change({ [PUP]: only }));
  useScanner();
  const already = registeredToday((values[TRACKING_NO] ?? '').trim());
  return (
    <form onSubmit={submit} onKeyDown={goOnWithEnter} noValidate>
      <p class="hint">{words.scan}</p>
      <FormFields {...bySuite} fields={chosen(fields, [PUP, TRACKING_NO])} />
      {already && (
        <p class="note" role="status">
          {words.already} <a href={addressOf(already.key)}>{already.to ?? already.referenceNo}</a>
        </p>
      )}
      <FormFields {...bySuite} fields={chosen(fields, asked.slice(2))} />
      <details open={more.some((path) => wrong[path] !== undefined)}>
        <summary>{words.more}</summary>
        <FormFields {...bySuite} fields={chosen(fields, more)} />
      </details>
      <FormRefusal refusal={refusal} fields={chosen(fields, [...asked, ...more])} labels={words.labels} />
      <Button kind="main" isBusy={isBusy}>
        {words.submit}
      </Button>
    </form>
  );
}

/** By their paths, in this order. */
const chosen = (fields: readonly FormField[], paths: readonly string[]): FormField[] =>
  paths.flatMap((path) => fieldAt(fields, path) ?? []);

function fieldAt(fields: readonly FormField[], path: string): FormField | undefined {
  const found = fields.find((each) => path === each.path || path.startsWith(`${each.path}.`));
  return found === undefined || found.path === path ? found : fieldAt(found.children ?? [], path);
}

/** A tenant with one pick up point has nothing to choose. */
function useOnlyPoint(pupUid: string, choose: (pupUid: string) => void): void {
  const { data } = useLive<readonly PickUpPointRow[]>('/api/walls');
  const isThere = data?.some((each) => each.pupUid === pupUid);
  useEffect(() => {
    if (!data || isThere) return;
    // One that is kept in this browser may be gone.
    const [only] = data.length === 1 ? data : [];
    if (only || pupUid !== '') choose(only?.pupUid ?? '');
  }, [data === undefined, isThere]);
}

/** What begins a number: no key of the page does. */
const SCANNED = /^[A-Z\d]$/;

/** The field for the number has the focus at first, and gets it where a scanner types while nothing has it. */
function useScanner(): void {
  useEffect(() => {
    const field = () => document.querySelector<HTMLInputElement>(`[name="${TRACKING_NO}"]`);
    field()?.focus();
    const press = ({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      const isNowhere = target === document.body || (target instanceof HTMLElement && target.id === 'main');
      if (isNowhere && SCANNED.test(key) && !ctrlKey && !metaKey && !altKey) field()?.focus();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Made once for each form, so that a form that is sent twice is one parcel. */
function freshKey(): string {
  // crypto.randomUUID is not there on a page without TLS, which a console in an internal network may be.
  const bytes = crypto.getRandomValues(new Uint8Array(20));
  return `desk-${[...bytes].map((byte) => LETTERS[byte % LETTERS.length]).join('')}`;
}
