// One thing beside the chart, with its title.
import type { ComponentChildren } from 'preact';
import './side.css';

interface SideProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

export function Side({ title, children }: SideProps) {
  return (
    <section class="card">
      <h2>{title}</h2>
      {children}
    </section>
  );
}
