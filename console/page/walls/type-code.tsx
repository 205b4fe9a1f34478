// Form that stands in for the keypad of a simulated wall (staging only).
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
  const [confirmation, setConfirmation] = useState<string>();
  const submission = useDoing(
    () => postJson<{ done: string }>('/api/walls/type-code', { pupUid, lockerName, code }),
    ({ done }) => {
      setConfirmation(done);
      setCode('');
    },
  );
  const send = () => {
    setConfirmation(undefined);
    submission.run();
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
        wrong={submission.refusal?.fields.code}
      />
      <Button kind="main" isBusy={submission.isBusy}>
        {common().open}
      </Button>
      <p role="status">{confirmation && inOwnWords(confirmation)}</p>
      {submission.refusal && <RefusalNote refusal={submission.refusal} />}
    </form>
  );
}
