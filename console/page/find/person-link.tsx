// A person among those of an item, as a link to their page.

import { t } from '../../../shared/texts/text.ts';
import type { ItemView } from '../../find/person-view.ts';

interface PersonLinkProps {
  /** Null: who looks may not know it. */
  readonly userUid: string | null;
  readonly people: ItemView['people'];
}

export function PersonLink({ userUid, people }: PersonLinkProps) {
  if (userUid === null) return <>{t`somebody`}</>;
  const name = people.find((each) => each.userUid === userUid)?.name;
  return (
    <a href={`/people/${encodeURIComponent(userUid)}`}>
      <bdi>{name ?? userUid}</bdi>
    </a>
  );
}
