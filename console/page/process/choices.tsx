// What a person may do to the process now. Each choice shows its consequence before it is done.
import { useMemo, useState } from 'preact/hooks';
import type { Choice } from '../../decisions/choice-view.ts';
import { ChoiceDialog } from '../decisions/choice-dialog.tsx';
import { Button } from '../parts/button.tsx';
import { useKeys } from '../shell/keys.ts';

export interface ChoicesProps {
  readonly choices: readonly Choice[];
  readonly clockAheadMs: number;
}

export function Choices({ choices, clockAheadMs }: ChoicesProps) {
  const [open, setOpen] = useState<Choice>();
  const [done, setDone] = useState<string>();
  const keys = useMemo(
    () => [
      {
        ...{ key: 'a', words: 'act on the process' },
        run: () => document.querySelector<HTMLElement>('.choices button')?.focus(),
      },
    ],
    [],
  );
  useKeys(keys);
  return (
    <>
      {choices.length > 0 && (
        <section class="choices" aria-label="Act on the process">
          {choices.map((choice) => (
            <Button
              key={choice.id}
              kind={choice.isDestructive ? 'danger' : undefined}
              press={() => setOpen(choice)}
            >
              {choice.label}
            </Button>
          ))}
        </section>
      )}
      <p class="done-words" role="status">
        {done}
      </p>
      {open && (
        <ChoiceDialog
          choice={open}
          clockAheadMs={clockAheadMs}
          close={() => setOpen(undefined)}
          done={() => {
            setDone(`Done: ${open.label.toLowerCase()}.`);
            setOpen(undefined);
          }}
        />
      )}
    </>
  );
}
