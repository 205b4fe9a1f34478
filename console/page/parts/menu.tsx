// What opens below its button. It closes with Esc, and when a person goes elsewhere.
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface MenuProps {
  /** On its button. */
  readonly label: ComponentChildren;
  readonly class?: string;
  /** For who opens or closes it from outside. */
  readonly menu?: RefObject<HTMLDetailsElement | null>;
  readonly children: ComponentChildren;
}

const CLOSING = ['click', 'keydown', 'focusin'];

export function Menu({ label, class: kind = '', menu, children }: MenuProps) {
  const own = useRef<HTMLDetailsElement>(null);
  const details = menu ?? own;
  useEffect(() => {
    const close = (event: Event) => {
      const { current } = details;
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
  return (
    <details class={`menu ${kind}`} ref={details}>
      <summary class="button">{label}</summary>
      <div class="card">{children}</div>
    </details>
  );
}
