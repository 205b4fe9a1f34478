// A button. In a form without `press` it sends the form.
import type { ComponentChildren } from 'preact';

interface ButtonProps {
  readonly children: ComponentChildren;
  readonly press?: () => void;
  /** main: the one thing to do here. danger: it cannot be undone. */
  readonly kind?: 'main' | 'danger' | undefined;
  readonly isBusy?: boolean;
  /** Whether it is the chosen one of several. */
  readonly isPressed?: boolean;
  readonly disabled?: boolean | undefined;
  readonly title?: string | undefined;
}

export function Button(props: ButtonProps) {
  const { children, press, kind, isBusy = false, isPressed, disabled = false, title } = props;
  return (
    <button
      type={press ? 'button' : 'submit'}
      class={kind ? `button ${kind}` : 'button'}
      onClick={press}
      disabled={disabled || isBusy}
      aria-busy={isBusy}
      aria-pressed={isPressed}
      title={title}
    >
      {children}
    </button>
  );
}
