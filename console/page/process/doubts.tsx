// What the locker service has of a booking that is in doubt, in the banner: it was asked for the page, and when is said.

import { t } from '../../../shared/texts/text.ts';
import type { ProcessOverview } from '../../process/overview/overview-view.ts';
import { Icon } from '../parts/icon.tsx';
import { Time } from '../parts/time.tsx';
import { PickUpPoint } from './answers.tsx';

export function Doubts({ doubts }: Pick<ProcessOverview, 'doubts'>) {
  return (
    <>
      {doubts.map((doubt) => (
        <Doubt key={doubt.booking} doubt={doubt} />
      ))}
    </>
  );
}

const counts = [t`no booking`, t`one booking`];

function Doubt({ doubt: { askedAt, found, unread } }: { readonly doubt: ProcessOverview['doubts'][number] }) {
  if (found.length === 0 && unread !== null)
    return (
      <p>
        <span class="badge is-offline">{t`Not known`}</span>{' '}
        {t`The locker service could not say whether it was booked (asked`} <Time at={askedAt} />
        ): {unread}.
      </p>
    );
  return (
    <>
      <p>
        <span class="badge is-verified">
          <Icon name="tick" /> {t`Checked`} <Time at={askedAt} />
        </span>{' '}
        {t`The locker service has`} <strong>{counts[found.length] ?? t`${found.length} bookings`}</strong>{' '}
        {t`with the number of this case${found.length > 0 ? ':' : '.'}`}
      </p>
      {found.map(({ shipmentUid, lockerName, pupUid, since }) => (
        <p key={shipmentUid} class="inset">
          <strong class="big">
            {lockerName === null ? t`A locker that it does not name` : t`Locker ${lockerName}`}
            {pupUid && (
              <>
                , <PickUpPoint pupUid={pupUid} />
              </>
            )}
          </strong>
          {since && (
            <>
              {' '}
              {t`booked`} <Time at={since} />
            </>
          )}
        </p>
      ))}
    </>
  );
}
