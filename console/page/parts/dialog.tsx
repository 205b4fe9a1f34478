// A dialog on top of the view: the browser's own, which keeps the focus inside and closes with Esc.
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../../shared/texts/text.ts';
import { Button } from './button.tsx';

interface DialogProps {
  readonly title: string;
  readonly close: () => void;
  readonly children: ComponentChildren;
  /** Beside Close. */
  readonly buttons?: ComponentChildren;
  readonly closeLabel?: string;
}

export function Dialog({ title, close, children, buttons, closeLabel = t`Close` }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Before the next frame: somebody types on at once, and the first letter would be lost.
  useLayoutEffect(() => {
    const { activeElement } = document;
    dialog.current?.showModal();
    return () => {
      // Back to where the person was.
      if (activeElement instanceof HTMLElement) activeElement.focus();
    };
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={close} onCancel={close}>
      <h2 id={id}>{title}</h2>
      <div>{children}</div>
      <div class="row dialog-buttons">
        {buttons}
        <Button press={close}>{closeLabel}</Button>
      </div>
    </dialog>
  );
}
