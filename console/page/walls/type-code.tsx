// In staging: the person at the wall types a code here.
import { useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { Field, onSubmit } from '../parts/field.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { postJson, useDoing } from '../shell/api.ts';
import { common, currentMessages, inOwnWords } from '../shell/locale.ts';

interface TypeCodeProps {
  readonly pupUid: string;
  readonly lockerName: string;
}

export function TypeCode({ pupUid, lockerName }: TypeCodeProps) {
  const [code, setCode] = useState('');
  const [said, setSaid] = useState<string>();
  const typing = useDoing(
    () => postJson<{ done: string }>('/api/walls/type-code', { pupUid, lockerName, code }),
    ({ done }) => {
      setSaid(done);
      setCode('');
    },
  );
  const send = () => {
    setSaid(undefined);
    typing.run();
  };
  const words = currentMessages().walls.code;
  return (
    <form class="type-code" onSubmit={onSubmit(send)} noValidate>
      <h3>{words.title}</h3>
      <Field
        label={words.field}
        name="code"
        value={code}
        set={setCode}
        inputMode="numeric"
        autocomplete="off"
        maxLength={6}
        wrong={typing.refusal?.fields.code}
      />
      <Button kind="main" isBusy={typing.isBusy}>
        {common().open}
      </Button>
      <p role="status">{said && inOwnWords(said)}</p>
      {typing.refusal && <RefusalNote refusal={typing.refusal} />}
    </form>
  );
}
