// What a person may do to the process now: what is to be done first, the rest in a menu. Each form shows its consequence before
// it is done.
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ActionForm } from '../../processes/processes-view.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import { Button } from '../parts/button.tsx';
import { midSentence } from '../parts/format.ts';

interface ActionsProps {
  readonly actionForms: readonly ActionForm[];
  /** The id of the one that is to be done. */
  readonly primary: string | null;
  readonly clockAheadMs: number;
}

export function Actions({ actionForms, primary, clockAheadMs }: ActionsProps) {
  const [open, setOpen] = useState<ActionForm>();
  const [done, setDone] = useState<string>();
  const menu = useRef<HTMLDetailsElement>(null);
  useClosing(menu);
  const first = actionForms.find(({ id }) => id === primary);
  const others = actionForms.filter((each) => each !== first);
  const choose = (form: ActionForm) => {
    if (menu.current) menu.current.open = false;
    setOpen(form);
  };
  return (
    <div class="acting">
      {actionForms.length > 0 && (
        <section class="action-forms row" aria-label="Act on the process">
          {first && (
            <Button kind="main" press={() => choose(first)}>
              {first.label}
            </Button>
          )}
          {others.length > 0 && (
            <details class="menu" ref={menu}>
              <summary class="button">{first ? 'More' : 'Actions'}</summary>
              <div class="card">
                {others.map((form) => (
                  <Button
                    key={form.id}
                    kind={form.isDestructive ? 'danger' : undefined}
                    press={() => choose(form)}
                  >
                    {form.label}
                  </Button>
                ))}
              </div>
            </details>
          )}
        </section>
      )}
      <p class="done-words" role="status">
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
    </div>
  );
}

const CLOSING = ['click', 'keydown', 'focusin'];

/** The menu closes with Esc, and when a person goes elsewhere. */
function useClosing(menu: RefObject<HTMLDetailsElement | null>): void {
  useEffect(() => {
    const close = (event: Event) => {
      const { current } = menu;
      if (!current?.open) return;
      const isKey = event instanceof KeyboardEvent;
      if (isKey ? event.key !== 'Escape' : current.contains(event.target as Node)) return;
      current.open = false;
      if (isKey) current.querySelector('summary')?.focus();
    };
    for (const name of CLOSING) document.addEventListener(name, close);
    return () => {
      for (const name of CLOSING) document.removeEventListener(name, close);
    };
  }, []);
}
