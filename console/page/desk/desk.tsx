// The desk: one finds what lies in a locker, and starts a flow for a person by its form. What becomes of it is on the page of the
// process.
import { useState } from 'preact/hooks';
import { formatFlowName } from '../../../processes/views/format-names.ts';
import { t } from '../../../shared/texts/text.ts';
import type { FlowForm, FormField } from '../../desk/desk-view.ts';
import type { FlowList } from '../../flows/flows-view.ts';
import type { ProcessPage } from '../../processes/processes-view.ts';
import { getJson, postJson, useJson } from '../api.ts';
import { FormFields } from '../forms/form-fields.tsx';
import { ItemSearch } from '../forms/search-fields.tsx';
import { FormRefusal, useForm } from '../forms/use-form.tsx';
import { isWithoutDeadline } from '../forms/without-deadline.ts';
import { Button } from '../parts/button.tsx';
import { Side } from '../parts/frames.tsx';
import { NotYet } from '../parts/refusal-note.tsx';
import { goTo } from '../shell/address.ts';
import type { ViewProps } from '../shell/view.ts';

export function Desk({ user, params: { flow } }: ViewProps) {
  if (user.roles.includes('decide'))
    return flow === undefined ? <Overview /> : <Start key={flow} flow={flow} />;
  return (
    <>
      <h1>{t`Desk`}</h1>
      <p class="card">{t`The desk shows people and codes, so it needs the role decide. Ask whoever keeps the file of users.`}</p>
    </>
  );
}

function Overview() {
  const { data, refusal } = useJson<FlowList>('/v1/flows');
  return (
    <>
      <h1>{t`Desk`}</h1>
      <div class="cards">
        <Side title={t`Find a parcel`}>
          <ItemSearch
            kind="parcel"
            label={t`Tracking number, description or locker`}
            hint={t`Scan or type; Enter opens it.`}
            none={t`Nothing is found.`}
            take={({ shipmentUid }) => void open(shipmentUid)}
          />
        </Side>
        <Side title={t`Start a case`}>
          {!data && <NotYet refusal={refusal} />}
          <dl>
            {data?.items.map(({ flow, title, meaning }) => (
              <div key={flow}>
                <dt>
                  <a href={`/desk/start/${encodeURIComponent(flow)}`}>{title}</a>
                </dt>
                <dd class="soft">{meaning}</dd>
              </div>
            ))}
          </dl>
        </Side>
      </div>
    </>
  );
}

/** The process that has the shipment; where none has it, the list says so. */
async function open(shipmentUid: string): Promise<void> {
  const search = `find=${encodeURIComponent(shipmentUid)}&state=all`;
  const { items } = await getJson<ProcessPage>(`/v1/processes?${search}&summaries=false`);
  goTo(items[0] ? `/process/${encodeURIComponent(items[0].key)}` : `/processes?${search}`);
}

function Start({ flow }: { readonly flow: string }) {
  const { data, refusal } = useJson<FlowForm>(`/v1/flows/${encodeURIComponent(flow)}/form`);
  return (
    <>
      <h1>
        {t`Start:`} {data?.title ?? formatFlowName(flow)}
      </h1>
      {!data && <NotYet refusal={refusal} />}
      {data?.description && <p>{data.description}</p>}
      {data && <Form form={data} />}
    </>
  );
}

function Form({ form: { name, fields: ofFlow } }: { readonly form: FlowForm }) {
  const [initial] = useState(() => ({ key: freshKey() }));
  const key: FormField = {
    path: 'key',
    kind: 'text',
    isRequired: true,
    label: t`Business key`,
    description: t`Your own name of this case, like order-1042. A second start with it is the same case.`,
  };
  const fields = [...ofFlow, key];
  const { values, wrong, change, isBusy, refusal, submit } = useForm(
    fields,
    initial,
    (input) => postJson<{ key: string }>('/v1/processes', { ...input, flow: name }),
    (answer) => goTo(`/process/${encodeURIComponent(answer.key)}`),
  );
  return (
    <form class="card form" onSubmit={submit} noValidate>
      <FormFields fields={fields} values={values} wrong={wrong} change={change} />
      {isWithoutDeadline(fields, values) && (
        <p class="note is-late">{t`Without a deadline it never becomes late, and nobody is reminded.`}</p>
      )}
      <FormRefusal refusal={refusal} fields={fields} />
      <Button kind="main" isBusy={isBusy}>{t`Start`}</Button>
    </form>
  );
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Made once for each form, so that a form that is sent twice is one process. */
function freshKey(): string {
  // crypto.randomUUID is not there on a page without TLS, which a console in an internal network may be.
  const bytes = crypto.getRandomValues(new Uint8Array(20));
  return `desk-${[...bytes].map((byte) => LETTERS[byte % LETTERS.length]).join('')}`;
}
