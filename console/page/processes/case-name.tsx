// What a case is called where many are named: for whom it is, the item, and its key small beside them.
import { t } from '../../../shared/texts/text.ts';
import type { ProcessRow } from '../../processes/processes-view.ts';

type Named = Pick<ProcessRow, 'key' | 'about'>;

/** Whom it is for; where nobody has said, or may know, what is sent; else its key. */
export function titleOf({ key, about }: Named): string {
  const [first, ...others] = about?.people ?? [];
  if (!first) return about?.item ?? key;
  const name = first.name ?? first.userUid;
  return others.length > 0 ? t`${name} and ${others.length} more` : name;
}

export function CaseName({ named }: { readonly named: Named }) {
  const { key, about } = named;
  const title = titleOf(named);
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
