// What a person may do to the process now: what is to be done first, the rest in a menu. Each choice shows its consequence before
// it is done.
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Choice } from '../../processes/processes-view.ts';
import { ChoiceDialog } from '../decisions/choice-dialog.tsx';
import { Button } from '../parts/button.tsx';
import { midSentence } from '../parts/format.ts';

interface ChoicesProps {
  readonly choices: readonly Choice[];
  /** The id of the one that is to be done. */
  readonly primary: string | null;
  readonly clockAheadMs: number;
}

export function Choices({ choices, primary, clockAheadMs }: ChoicesProps) {
  const [open, setOpen] = useState<Choice>();
  const [done, setDone] = useState<string>();
  const menu = useRef<HTMLDetailsElement>(null);
  useClosing(menu);
  const first = choices.find(({ id }) => id === primary);
  const others = choices.filter((each) => each !== first);
  const choose = (choice: Choice) => {
    if (menu.current) menu.current.open = false;
    setOpen(choice);
  };
  return (
    <div class="acting">
      {choices.length > 0 && (
        <section class="choices row" aria-label="Act on the process">
          {first && (
            <Button kind="main" press={() => choose(first)}>
              {first.label}
            </Button>
          )}
          {others.length > 0 && (
            <details class="menu" ref={menu}>
              <summary class="button">{first ? 'More' : 'Actions'}</summary>
              <div class="card">
                {others.map((choice) => (
                  <Button
                    key={choice.id}
                    kind={choice.isDestructive ? 'danger' : undefined}
                    press={() => choose(choice)}
                  >
                    {choice.label}
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
        <ChoiceDialog
          choice={open}
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
