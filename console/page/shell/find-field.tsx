// The field in the header that finds anything: by its key / from everywhere. What is found stands below it, in groups; arrow keys
// choose, Enter opens, Esc goes back to where one was.
import { useRef } from 'preact/hooks';
import { useShortcut } from '../parts/shortcut.ts';
import { goTo } from './address.ts';
import { FoundList } from './found-list.tsx';
import { useFind } from './use-find.ts';
import './find.css';
import { t } from '../../../shared/texts/text.ts';

const LABEL = t`Find a person, item, number or locker`;
const KEY = '/';

export function FindField() {
  const field = useRef<HTMLInputElement>(null);
  const frame = useRef<HTMLElement>(null);
  /** Where Esc goes back to. */
  const before = useRef<Element | null>(null);
  const find = useFind((address) => {
    field.current?.blur();
    goTo(address);
  });
  useShortcut(KEY, () => {
    before.current = document.activeElement;
    field.current?.focus();
    field.current?.select();
  });
  const leave = () => {
    find.close();
    if (before.current instanceof HTMLElement && before.current !== document.body) before.current.focus();
    else field.current?.blur();
    before.current = null;
  };
  const actions: Readonly<Record<string, () => void>> = {
    Escape: leave,
    ArrowDown: () => find.move(1),
    ArrowUp: () => find.move(-1),
    Enter: find.enter,
  };
  const isShown = find.isOpen && (find.data !== undefined || find.refusal !== undefined);
  return (
    <search
      ref={frame}
      class="find"
      onFocusOut={({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node) || !frame.current?.contains(relatedTarget)) find.setOpen(false);
      }}
    >
      <input
        ref={field}
        type="search"
        list={undefined}
        // biome-ignore lint/a11y/noRedundantRoles: without a list it is none by itself
        role="combobox"
        aria-expanded={isShown}
        aria-controls={isShown ? 'found' : undefined}
        aria-autocomplete="list"
        aria-activedescendant={isShown ? find.chosen?.id : undefined}
        aria-label={LABEL}
        aria-keyshortcuts={KEY}
        placeholder={LABEL}
        autocomplete="off"
        spellcheck={false}
        maxLength={200}
        value={find.typed}
        onFocus={() => find.setOpen(true)}
        onInput={({ currentTarget }) => find.type(currentTarget.value)}
        onKeyDown={(event) => {
          const act = actions[event.key];
          if (!act) return;
          event.preventDefault();
          act();
        }}
      />
      {isShown && <FoundList find={find} open={(hit) => find.open(hit.href)} />}
    </search>
  );
}
