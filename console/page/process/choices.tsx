// What a person may do to the process now: what is to be done first, the rest in a menu. Each choice shows its consequence before
// it is done.
import { useRef, useState } from 'preact/hooks';
import type { Choice } from '../../processes/processes-view.ts';
import { ChoiceDialog } from '../decisions/choice-dialog.tsx';
import { Button } from '../parts/button.tsx';
import { Menu } from '../parts/menu.tsx';
import { common, currentMessages, midSentence } from '../shell/locale.ts';

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
  const words = currentMessages().process.act;
  const first = choices.find(({ id }) => id === primary);
  const others = choices.filter((each) => each !== first);
  const choose = (choice: Choice) => {
    if (menu.current) menu.current.open = false;
    setOpen(choice);
  };
  return (
    <div class="acting">
      {choices.length > 0 && (
        <section class="choices row" aria-label={words.title}>
          {first && (
            <Button kind="main" press={() => choose(first)}>
              {first.label}
            </Button>
          )}
          {others.length > 0 && (
            <Menu label={first ? words.more : common().actions} menu={menu}>
              {others.map((choice) => (
                <Button
                  key={choice.id}
                  kind={choice.isDestructive ? 'danger' : undefined}
                  press={() => choose(choice)}
                >
                  {choice.label}
                </Button>
              ))}
            </Menu>
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
            setDone(words.done(midSentence(open.label)));
            setOpen(undefined);
          }}
        />
      )}
    </div>
  );
}
