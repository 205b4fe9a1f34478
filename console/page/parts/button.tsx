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
  /** Whether what it shows and hides is shown. */
  readonly isExpanded?: boolean;
  /** In place of its text, for whoever hears the page. */
  readonly label?: string;
  readonly disabled?: boolean | undefined;
  readonly title?: string | undefined;
}

export function Button(props: ButtonProps) {
  const {
    children,
    press,
    kind,
    isBusy = false,
    isPressed,
    isExpanded,
    label,
    disabled = false,
    title,
  } = props;
  return (
    <button
      type={press ? 'button' : 'submit'}
      class={kind ? `button ${kind}` : 'button'}
      onClick={press}
      disabled={disabled || isBusy}
      aria-busy={isBusy}
      aria-pressed={isPressed}
      aria-expanded={isExpanded}
      aria-label={label}
      title={title}
    >
      {children}
    </button>
  );
}
