// What the locker service has for a person and no case knows: parcels of another shop, or of a program that books by itself. Nobody is
// reminded of them, but one may lie there to be picked up.
import { t } from '../../../shared/texts/text.ts';
import type { PersonView } from '../../find/person-view.ts';
import type { ProcessRow } from '../../processes/processes-view.ts';
import { inFigures } from '../parts/format.ts';
import { Time } from '../parts/time.tsx';
import { PickUpPoint } from '../process/answers.tsx';
import { Codes } from '../walls/locker-access.tsx';

interface WithoutCaseProps {
  readonly shipments: PersonView['shipments'];
  /** All their open cases. */
  readonly rows: readonly ProcessRow[];
}

export function WithoutCase({ shipments, rows }: WithoutCaseProps) {
  const known = new Set(rows.flatMap(({ shipmentUids }) => shipmentUids));
  const left = shipments.filter(({ shipmentUid, hasEnded }) => !hasEnded && !known.has(shipmentUid));
  if (left.length === 0) return null;
  return (
    <section class="card" aria-label={t`Without a case`}>
      <h2>{t`Without a case, ${inFigures(left.length)}`}</h2>
      <ul class="plain">
        {left.map((shipment) => (
          <li key={shipment.shipmentUid} class="row">
            <Shipment shipment={shipment} />
            <Codes shipmentUid={shipment.shipmentUid} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const Shipment = ({
  shipment: { title, reference, stateWords, pupUid, lockerName, stateStart },
}: {
  readonly shipment: PersonView['shipments'][number];
}) => (
  <span>
    {reference === null ? (
      (title ?? t`An item`)
    ) : (
      <a href={`/items/${encodeURIComponent(reference)}`}>{title ?? reference}</a>
    )}
    : {lockerName === null ? stateWords : t`${stateWords}, locker ${lockerName}`}
    {pupUid && (
      <>
        {t` at `}
        <PickUpPoint pupUid={pupUid} />
      </>
    )}{' '}
    <span class="soft">
      {t`since`} <Time at={stateStart} />
    </span>
  </span>
);
