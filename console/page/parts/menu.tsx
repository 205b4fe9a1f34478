// What opens below a button. It closes with Esc, which leads back to the button, and when a person goes elsewhere.
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface MenuProps {
  readonly label: ComponentChildren;
  readonly isQuiet?: boolean;
  readonly children: ComponentChildren;
}

export function Menu({ label, isQuiet = false, children }: MenuProps) {
  const menu = useRef<HTMLDetailsElement>(null);
  useClosing(menu);
  return (
    <details class="menu" ref={menu} onToggle={() => menu.current?.open && placeBelow(menu.current)}>
      <summary class={isQuiet ? 'button quiet' : 'button'}>{label}</summary>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: what is pressed is a button in it */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a button is clicked by its keys, too */}
      <div
        onClick={() => {
          menu.current?.querySelector('summary')?.focus();
          if (menu.current) close(menu.current);
        }}
      >
        {children}
      </div>
    </details>
  );
}

const close = (menu: HTMLDetailsElement): void => {
  menu.open = false;
};

/** Pixels to the edges of the window. */
const EDGE = 8;

/** Whole within the window, whatever it lies in: below the button, or above it where there is no room. */
function placeBelow(menu: HTMLDetailsElement): void {
  const panel = menu.lastElementChild as HTMLElement;
  const { top, bottom, right } = menu.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = panel;
  const fits = bottom + offsetHeight + EDGE <= innerHeight;
  panel.style.left = `${Math.max(EDGE, Math.min(right, innerWidth - EDGE) - offsetWidth)}px`;
  panel.style.top = `${fits ? bottom + 4 : Math.max(EDGE, top - offsetHeight - 4)}px`;
}

const CLOSING = ['click', 'keydown', 'focusin', 'scroll'];

function useClosing(menu: RefObject<HTMLDetailsElement | null>): void {
  useEffect(() => {
    const closing = (event: Event) => {
      const { current } = menu;
      if (!current?.open) return;
      const isKey = event instanceof KeyboardEvent;
      if (isKey ? event.key !== 'Escape' : current.contains(event.target as Node)) return;
      close(current);
      if (isKey) current.querySelector('summary')?.focus();
    };
    // What scrolls says it to nobody around it.
    for (const name of CLOSING) document.addEventListener(name, closing, name === 'scroll');
    return () => {
      for (const name of CLOSING) document.removeEventListener(name, closing, name === 'scroll');
    };
  }, []);
}
