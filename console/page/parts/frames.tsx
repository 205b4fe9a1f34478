// What frames things on every page: a card with its title, a table, and a fact with its label.
import type { ComponentChildren } from 'preact';

interface SideProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

export const Side = ({ title, children }: SideProps) => (
  <section class="card">
    <h2>{title}</h2>
    {children}
  </section>
);

interface TableProps {
  readonly head: readonly string[];
  /** Its rows. */
  readonly children: ComponentChildren;
}

export const Table = ({ head, children }: TableProps) => (
  <div class="table-frame">
    <table>
      <thead>
        <tr>
          {head.map((words) => (
            <th key={words} scope="col">
              {words}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);

interface FactProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

/** In a list of facts: what is known. Without it the label is not shown either. */
export const Fact = ({ label, children }: FactProps) =>
  children ? (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  ) : null;
