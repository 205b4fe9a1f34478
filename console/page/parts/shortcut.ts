// A key that does something wherever the focus is, but for where somebody types, and where a dialog is open.
import { useEffect, useRef } from 'preact/hooks';

/** @param key as the browser names it, without Ctrl, Alt or Meta */
export function useShortcut(key: string, act: () => void): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isOther = event.key !== key || event.ctrlKey || event.altKey || event.metaKey;
      if (
        isOther ||
        event.defaultPrevented ||
        isTyping(event.target) ||
        document.querySelector('dialog[open]')
      )
        return;
      // Else the field that gets the focus gets the letter, too.
      event.preventDefault();
      latest.current();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [key]);
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), select, textarea'));
