// Where an item is now, as large as its name.

import { t } from '../../../shared/texts/text.ts';
import type { ItemView } from '../../find/person-view.ts';
import { Time } from '../parts/time.tsx';
import { PickUpPoint } from '../process/answers.tsx';
import { PersonLink } from './person-link.tsx';

export function ItemNow({ item: { now, people, unread } }: { readonly item: ItemView }) {
  return (
    <section class="card" aria-label={t`Where it is now`}>
      <h2>{t`Where it is now`}</h2>
      {now === null ? (
        <p class="soft">{unread.length > 0 ? t`Could not be read` : t`It is not known where it is.`}</p>
      ) : (
        <p>
          <span class="big">
            {now.userUid === null ? (
              now.words
            ) : (
              <>
                {t`With`} <PersonLink userUid={now.userUid} people={people} />
              </>
            )}
            {now.pupUid && (
              <>
                {t` at `}
                <PickUpPoint pupUid={now.pupUid} />
              </>
            )}
          </span>{' '}
          {now.since && (
            <span class="soft">
              {now.settled?.became !== 'WrittenOff' && t`since`} <Time at={now.since} />
              {now.settled?.became === 'Back' && t`, said by ${now.settled.by}`}
              {now.settled?.became === 'WrittenOff' && t`, by ${now.settled.by}`}
            </span>
          )}
        </p>
      )}
    </section>
  );
}
