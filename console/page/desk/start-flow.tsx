// The start of any flow, by the same fields as the desk's form.
import type { FlowForm, FormField } from '../../desk/desk-view.ts';
import { FormFields } from '../forms/form-fields.tsx';
import { goOnWithEnter } from '../forms/go-on.ts';
import { FormRefusal, useForm } from '../forms/use-form.tsx';
import { Button } from '../parts/button.tsx';
import { formatFlow } from '../parts/format-flow.ts';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { goTo } from '../shell/address.ts';
import { postJson, useJson } from '../shell/api.ts';
import { currentMessages } from '../shell/locale.ts';
import type { ViewProps } from '../shell/view.ts';

export function StartFlow({ params, user }: ViewProps) {
  const { start: words } = currentMessages().desk;
  const { flow = '' } = params;
  const canStart = user.roles.includes('decide');
  const { data, refusal } = useJson<FlowForm>(
    canStart ? `/v1/flows/${encodeURIComponent(flow)}/form` : undefined,
  );
  return (
    <>
      <h1>{words.of(data?.title ?? formatFlow(flow))}</h1>
      {!canStart && <p class="card">{words.needsRole}</p>}
      {refusal && <RefusalNote refusal={refusal} />}
      {data?.description && <p>{data.description}</p>}
      {data && <Form key={flow} form={data} />}
    </>
  );
}

function Form({ form: { name, fields: ofFlow } }: { readonly form: FlowForm }) {
  const { start: words } = currentMessages().desk;
  const key: FormField = {
    path: 'key',
    kind: 'text',
    isRequired: true,
    label: words.key,
    description: words.keyHint,
  };
  const fields = [key, ...ofFlow];
  const { values, wrong, change, isBusy, refusal, submit } = useForm(
    fields,
    {},
    (input) => postJson<{ key: string }>('/v1/processes', { ...input, flow: name }),
    (answer) => goTo(`/process/${encodeURIComponent(answer.key)}`),
  );
  return (
    <form class="card form" onSubmit={submit} onKeyDown={goOnWithEnter} noValidate>
      <FormFields fields={fields} values={values} wrong={wrong} change={change} />
      <FormRefusal refusal={refusal} fields={fields} />
      <Button kind="main" isBusy={isBusy}>
        {words.submit}
      </Button>
    </form>
  );
}
