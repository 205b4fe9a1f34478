// Starts any flow: its input as a form, with what is wrong at the fields.
import { useState } from 'preact/hooks';
import type { FlowForm } from '../../desk/desk-view.ts';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { goTo } from '../shell/address.ts';
import { postJson, Refusal, useDoing, useJson } from '../shell/api.ts';
import type { ViewProps } from '../shell/view.ts';
import { FormFields } from './form-fields.tsx';
import { inputOf, type Values } from './form-values.ts';

export function StartFlow({ params, user }: ViewProps) {
  const { flow = '' } = params;
  const { data, refusal } = useJson<FlowForm>(`/v1/flows/${encodeURIComponent(flow)}/form`);
  return (
    <>
      <h1>Start {flow}</h1>
      {refusal && <RefusalNote refusal={refusal} />}
      {data?.description && <p>{data.description}</p>}
      {data && <Form key={flow} form={data} canStart={user.roles.includes('decide')} />}
    </>
  );
}

function Form({ form, canStart }: { readonly form: FlowForm; readonly canStart: boolean }) {
  const [key, setKey] = useState('');
  const [values, setValues] = useState<Values>({});
  const { isBusy, refusal, run } = useDoing(
    async () => {
      const { input, wrong } = inputOf(form.fields, values);
      if (Object.keys(wrong).length > 0)
        throw new Refusal(0, 'InvalidRequest', 'Some fields are not JSON.', wrong);
      return await postJson<{ key: string }>('/v1/processes', { ...input, flow: form.name, key: key.trim() });
    },
    (answer) => goTo(`/process/${encodeURIComponent(answer.key)}`),
  );
  const send = (event: Event) => {
    event.preventDefault();
    run(undefined);
  };
  return (
    <form class="card desk-form" onSubmit={send} noValidate>
      <Field
        label="Business key"
        hint="your own name of this process, like order-1042; a second start with it is the same process"
        name="key"
        value={key}
        autocomplete="off"
        onInput={({ currentTarget }) => setKey(currentTarget.value)}
        wrong={refusal?.fields.key}
      />
      <FormFields
        fields={form.fields}
        values={values}
        wrong={refusal?.fields ?? {}}
        change={(path, value) => setValues((before) => ({ ...before, [path]: value }))}
      />
      {refusal && <RefusalNote refusal={refusal} />}
      <Button
        kind="main"
        isBusy={isBusy}
        disabled={!canStart}
        title={canStart ? undefined : 'This needs the role decide'}
      >
        Start {form.name}
      </Button>
    </form>
  );
}
