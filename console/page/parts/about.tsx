// For whom an entry of Work is, and which item: for those who may act on processes.

import { t } from '../../../shared/texts/text.ts';
import type { WorkEntry } from '../../processes/processes-view.ts';

/** "Skates for Anna Jansen"; null: it is not known, or not theirs to know. */
export function formatAbout({ about }: Pick<WorkEntry, 'about'>): string | null {
  const [person] = about?.people ?? [];
  const words = [about?.item, person && t`for ${person.name ?? person.userUid}`].filter(Boolean).join(' ');
  return words === '' ? null : words;
}

/** The same with links. */
export function About({ entry: { about } }: { readonly entry: WorkEntry }) {
  const { people = [], item = null, reference = null } = about ?? {};
  if (people.length === 0 && item === null) return null;
  return (
    <p class="entry-about">
      {reference !== null && <a href={`/items/${encodeURIComponent(reference)}`}>{item ?? reference}</a>}
      {reference === null && item}
      {people.length > 0 && t` for `}
      {people.map(({ userUid, name }, index) => (
        <span key={userUid}>
          {index > 0 && ', '}
          <a href={`/people/${encodeURIComponent(userUid)}`}>{name ?? userUid}</a>
        </span>
      ))}
    </p>
  );
}
