// What could not be read of Work, with the reason: several with one reason are one sentence.
import { t } from '../../../shared/texts/text.ts';
import type { Unread } from '../../processes/processes-view.ts';

export const UnreadNotes = ({ unread }: { readonly unread: readonly Unread[] }) => (
  <>
    {Object.entries(Object.groupBy(unread, ({ why }) => why)).map(([why, all = []]) => (
      <p class="refusal" role="status" key={why}>
        {t`Not all is shown: ${all.map(({ what }) => what).join(', ')}: ${why}`}
      </p>
    ))}
  </>
);
