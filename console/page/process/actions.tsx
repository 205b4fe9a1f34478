// What a person may do to the process now, in a menu; what is to be done first is in the banner (remedies.tsx). Each form shows its
// consequence before it is done.
import { useState } from 'preact/hooks';
import { t } from '../../../shared/texts/text.ts';
import type { ActionForm } from '../../processes/processes-view.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import { Button } from '../parts/button.tsx';
import { midSentence } from '../parts/format.ts';
import { Menu } from '../parts/menu.tsx';

interface ActionsProps {
  readonly actionForms: readonly ActionForm[];
  /** The ids of those that are shown elsewhere. */
  readonly apart: ReadonlySet<string | null>;
  readonly clockAheadMs: number;
}

/** The buttons may move while a dialog is open: it stands by itself, as does what was done. */
export function useActions({ actionForms, apart, clockAheadMs }: ActionsProps) {
  const [open, setOpen] = useState<ActionForm>();
  const [done, setDone] = useState<string>();
  const others = actionForms.filter(({ id }) => !apart.has(id));
  return {
    press: setOpen,
    say: setDone,
    others: others.length > 0 && (
      <div class="action-forms acting">
        <Menu label={t`More`}>
          {others.map((form) => (
            <Button
              key={form.id}
              kind={form.isDestructive ? 'danger' : undefined}
              press={() => setOpen(form)}
            >
              {form.label}
            </Button>
          ))}
        </Menu>
      </div>
    ),
    outcome: (
      <>
        <p class="done-words is-verified tone" role="status">
          {done}
        </p>
        {open && (
          <ActionDialog
            form={open}
            clockAheadMs={clockAheadMs}
            close={() => setOpen(undefined)}
            done={(answer) => {
              setDone(answer.done ?? t`Done: ${midSentence(open.label)}.`);
              setOpen(undefined);
            }}
          />
        )}
      </>
    ),
  };
}
