// A note for whoever looks at the process next: one line above its timeline, at whose end it then stands. So what was added is
// shown beside the field, too.
import { useId, useRef, useState } from 'preact/hooks';
import { t } from '../../../shared/texts/text.ts';
import { postJson, useSubmission } from '../api.ts';
import { Button } from '../parts/button.tsx';
import { onSubmit } from '../parts/field.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { useShortcut } from '../parts/shortcut.ts';

const KEY = 'n';

/** @param path of the process, in the API */
export function NoteField({ path }: { readonly path: string }) {
  const [text, setText] = useState('');
  const [added, setAdded] = useState<string | null>(null);
  const outcome = useId();
  const field = useRef<HTMLInputElement>(null);
  useShortcut(KEY, () => field.current?.focus());
  const { isBusy, refusal, run } = useSubmission(
    () => postJson(`${path}/commands/note`, { text }),
    () => {
      setText('');
      setAdded(text.trim());
      field.current?.focus();
    },
  );
  const type = (typed: string) => {
    setText(typed);
    setAdded(null);
  };
  return (
    <>
      <form class="compose" onSubmit={onSubmit(run)}>
        <input
          ref={field}
          type="text"
          aria-label={t`Note`}
          aria-keyshortcuts={KEY}
          aria-describedby={outcome}
          placeholder={t`Add a note to this case`}
          autocomplete="off"
          required
          value={text}
          readOnly={isBusy}
          onInput={({ currentTarget }) => type(currentTarget.value)}
        />
        <Button isBusy={isBusy}>{t`Add note`}</Button>
      </form>
      {refusal && <RefusalNote refusal={refusal} />}
      <p class="small" role="status" id={outcome}>
        {added !== null && (
          <>
            {t`The note is added:`} <bdi>“{added}”</bdi>
          </>
        )}
      </p>
    </>
  );
}
