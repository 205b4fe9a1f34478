// A sentence of the catalogue with something of the page in it: each # is the place of one.
import type { ComponentChildren } from 'preact';

interface FilledProps {
  readonly text: string;
  /** In the order of their places. */
  readonly children: ComponentChildren;
}

export function Filled({ text, children }: FilledProps) {
  const given = Array.isArray(children) ? children : [children];
  return (
    <>
      {text.split('#').map((part, index) => (
        <>
          {index > 0 && given[index - 1]}
          {part}
        </>
      ))}
    </>
  );
}
