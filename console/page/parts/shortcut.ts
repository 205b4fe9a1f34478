// A key, or two one after the other, that does something wherever the focus is, but for where somebody types, and where a dialog is
// open.
import { useEffect, useRef } from 'preact/hooks';

/** Between two keys that are one shortcut. */
const WITHIN_MS = 1_500;

/** @param keys `/`, or `g h`: as the browser names them, without Ctrl, Alt or Meta */
export function useShortcut(keys: string, act: () => void): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const [key, first] = keys.split(' ').reverse();
    /** When the first of two was pressed. */
    let begun = Number.NEGATIVE_INFINITY;
    const press = (event: KeyboardEvent) => {
      const isBegun = first === undefined || event.timeStamp - begun < WITHIN_MS;
      begun = event.key === first && !isTyping(event.target) ? event.timeStamp : Number.NEGATIVE_INFINITY;
      const isOther = event.key !== key || !isBegun || event.ctrlKey || event.altKey || event.metaKey;
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
  }, [keys]);
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), select, textarea'));
