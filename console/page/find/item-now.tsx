// Where an item is now, as large as its name.
import type { ItemView } from '../../find/person-view.ts';
import { Time } from '../parts/time.tsx';
import { PickUpPoint } from '../process/answers.tsx';
import { PersonLink } from './person-link.tsx';

export function ItemNow({ item: { now, people, unread } }: { readonly item: ItemView }) {
  return (
    <section class="card" aria-label="Where it is now">
      <h2>Where it is now</h2>
      {now === null ? (
        <p class="soft">{unread.length > 0 ? 'Could not be read' : 'It is not known where it is.'}</p>
      ) : (
        <p>
          <span class="big">
            {now.userUid === null ? (
              now.words
            ) : (
              <>
                With <PersonLink userUid={now.userUid} people={people} />
              </>
            )}
            {now.pupUid && (
              <>
                {' at '}
                <PickUpPoint pupUid={now.pupUid} />
              </>
            )}
          </span>{' '}
          {now.since && (
            <span class="soft">
              since <Time at={now.since} />
            </span>
          )}
        </p>
      )}
    </section>
  );
}
