// What a case is called where many are named: for whom it is, the item, and its key small beside them.
import { formatPeople } from '../../../processes/views/row-words.ts';
import type { ProcessRow } from '../../processes/processes-view.ts';

type Named = Pick<ProcessRow, 'key' | 'about'>;

/** Whom it is for; where nobody has said, or may know, what is sent; else its key. */
export const caseTitle = (named: Named): string => formatPeople(named) ?? named.about?.item ?? named.key;

export function CaseName({ named }: { readonly named: Named }) {
  const { key, about } = named;
  const title = caseTitle(named);
  const item = about?.item && about.item !== title ? about.item : null;
  return (
    <>
      {title}
      {title !== key && (
        <p class="soft">
          {item}
          {item && ' · '}
          <span class="key">{key}</span>
        </p>
      )}
    </>
  );
}
