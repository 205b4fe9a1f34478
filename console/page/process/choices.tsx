// What a person may do to the process now: what is to be done first, the rest in a menu. Each choice shows its consequence before
// it is done.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Choice } from '../../decisions/choice-view.ts';
import { ChoiceDialog } from '../decisions/choice-dialog.tsx';
import { Button } from '../parts/button.tsx';
import { useKeys } from '../shell/keys.ts';
import { inOwnWords, midSentence, wordsNow } from '../shell/words.ts';

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
  const words = wordsNow().process.act;
  const keys = useMemo(
    () => [
      {
        ...{ key: 'a', words: words.key },
        run: () => {
          if (menu.current) menu.current.open = true;
          document.querySelector<HTMLElement>('.choices button')?.focus();
        },
      },
    ],
    [],
  );
  useKeys(keys);
  const first = choices.find(({ id }) => id === primary);
  const others = choices.filter((each) => each !== first);
  const choose = (choice: Choice) => {
    if (menu.current) menu.current.open = false;
    setOpen(choice);
  };
  return (
    <div class="acting">
      {choices.length > 0 && (
        <section class="choices" aria-label={words.title}>
          {first && (
            <Button kind="main" press={() => choose(first)}>
              {inOwnWords(first.label)}
            </Button>
          )}
          {others.length > 0 && (
            <details class="more" ref={menu}>
              <summary class="button">{first ? words.more : words.actions}</summary>
              <div class="card">
                {others.map((choice) => (
                  <Button
                    key={choice.id}
                    kind={choice.isDestructive ? 'danger' : undefined}
                    press={() => choose(choice)}
                  >
                    {inOwnWords(choice.label)}
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
            setDone(words.done(midSentence(inOwnWords(open.label))));
            setOpen(undefined);
          }}
        />
      )}
    </div>
  );
}

/** As every menu: with Esc, and when a person goes elsewhere. */
function useClosing(menu: { readonly current: HTMLDetailsElement | null }): void {
  useEffect(() => {
    const close = (event: Event) => {
      const { current } = menu;
      if (!current?.open) return;
      if (event instanceof KeyboardEvent ? event.key !== 'Escape' : current.contains(event.target as Node))
        return;
      current.open = false;
      if (event instanceof KeyboardEvent) current.querySelector('summary')?.focus();
    };
    for (const name of ['click', 'keydown', 'focusin']) document.addEventListener(name, close);
    return () => {
      for (const name of ['click', 'keydown', 'focusin']) document.removeEventListener(name, close);
    };
  }, []);
}
