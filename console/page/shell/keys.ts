// The keyboard: each view says which keys it takes and what they do; `?` lists them all.
import { useEffect } from 'preact/hooks';

export interface Key {
  /** One key like j or ?, two in a row like "g i", or one with Ctrl (or the command key of a Mac) like Ctrl-k. */
  readonly key: string;
  /** What it does, as in "go to the inbox". */
  readonly words: string;
  readonly run: () => void;
}

/** The second key of two is awaited so long. */
const SECOND_WITHIN_MS = 1_500;

const taken = new Set<readonly Key[]>();
let before = '';
let beforeAt = 0;

/** Takes these keys while the component is on the screen. */
export function useKeys(keys: readonly Key[]): void {
  useEffect(() => {
    taken.add(keys);
    return () => {
      taken.delete(keys);
    };
  }, [keys]);
}

export const allKeys = (): readonly Key[] => [...taken].flat();

const isTyping = (target: EventTarget | null): boolean => {
  // Nobody types into a box: the keys go on after somebody has ticked one.
  if (target instanceof HTMLInputElement && ['checkbox', 'radio'].includes(target.type)) return false;
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
  );
};

/** Also while somebody types. */
function withCtrl(event: KeyboardEvent): void {
  const found = allKeys().find(({ key }) => key === `Ctrl-${event.key.toLowerCase()}`);
  if (!found) return;
  event.preventDefault();
  if (!document.querySelector('dialog[open]')) found.run();
}

export function hearKeys(): () => void {
  const hear = (event: KeyboardEvent) => {
    if (event.altKey || event.defaultPrevented) return;
    if (event.ctrlKey || event.metaKey) return withCtrl(event);
    if (isTyping(event.target) || document.querySelector('dialog[open]')) return;
    const now = performance.now();
    const two = now - beforeAt < SECOND_WITHIN_MS ? `${before} ${event.key}` : '';
    const keys = allKeys();
    // The one that came last: a view's key goes before the shell's.
    const found = keys.findLast(({ key }) => key === two) ?? keys.findLast(({ key }) => key === event.key);
    before = event.key;
    beforeAt = now;
    if (!found) return;
    event.preventDefault();
    before = '';
    found.run();
  };
  document.addEventListener('keydown', hear);
  return () => document.removeEventListener('keydown', hear);
}
