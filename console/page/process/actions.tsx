// What a person may do to the process now. What is to be done first is a button beside what is wrong, if something is, else beside
// what is next; the rest is in a menu. Each form shows its consequence before it is done.
import { useState } from 'preact/hooks';
import type { ActionForm } from '../../processes/processes-view.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import { Button } from '../parts/button.tsx';
import { midSentence } from '../parts/format.ts';
import { Menu } from '../parts/menu.tsx';

interface ActionsProps {
  readonly actionForms: readonly ActionForm[];
  /** The id of the one that is to be done. */
  readonly primary: string | null;
  readonly clockAheadMs: number;
}

/** The buttons may move while a dialog is open: it stands by itself, as does what was done. */
export function useActions({ actionForms, primary, clockAheadMs }: ActionsProps) {
  const [open, setOpen] = useState<ActionForm>();
  const [done, setDone] = useState<string>();
  const first = actionForms.find(({ id }) => id === primary);
  const others = actionForms.filter((each) => each !== first);
  return {
    first: first && (
      <span class="action-forms">
        <Button kind="main" press={() => setOpen(first)}>
          {first.label}
        </Button>
      </span>
    ),
    others: others.length > 0 && (
      <div class="action-forms acting">
        <Menu label={first ? 'More' : 'Actions'}>
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
            done={() => {
              setDone(`Done: ${midSentence(open.label)}.`);
              setOpen(undefined);
            }}
          />
        )}
      </>
    ),
  };
}
