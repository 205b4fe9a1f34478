// The shipments of a person or of an item, as the locker service has them: it keeps them longer than Temporal keeps cases.

import { t } from '../../../shared/texts/text.ts';
import type { ItemView, ShipmentShown } from '../../find/person-view.ts';
import { Table } from '../parts/frames.tsx';
import { Time } from '../parts/time.tsx';
import { type PickUpPoints, usePickUpPoints } from '../shell/pick-up-points.ts';

interface ShipmentsProps {
  readonly of: Pick<ItemView, 'shipments' | 'isComplete'>;
  readonly people: ItemView['people'];
}

export function Shipments({ of: { shipments, isComplete }, people }: ShipmentsProps) {
  const points = usePickUpPoints();
  if (shipments.length === 0) return null;
  const names = new Map(people.map(({ userUid, name }) => [userUid, name]));
  return (
    <details>
      <summary>{t`${isComplete ? '' : t`The last `}${shipments.length} ${shipments.length === 1 ? t`shipment` : t`shipments`} at the locker service, also from before the cases`}</summary>
      <Table head={[t`Item`, t`For`, t`State`, t`Where`, t`Since`, t`Case`]}>
        {shipments.map((shipment) => (
          <Row key={shipment.shipmentUid} shipment={shipment} names={names} points={points} />
        ))}
      </Table>
    </details>
  );
}

interface RowProps {
  readonly shipment: ShipmentShown;
  readonly names: ReadonlyMap<string, string>;
  readonly points: PickUpPoints;
}

function Row({ shipment, names, points }: RowProps) {
  const { title, toUserUid, stateWords, pupUid, lockerName, stateStart, caseNo } = shipment;
  const name = toUserUid === null ? undefined : names.get(toUserUid);
  const place = pupUid === null ? '' : (points.get(pupUid)?.name ?? pupUid);
  return (
    <tr>
      <th scope="row">{title ?? '–'}</th>
      <td>{name && toUserUid ? <a href={`/people/${encodeURIComponent(toUserUid)}`}>{name}</a> : '–'}</td>
      <td>{stateWords}</td>
      <td>{[place, lockerName].filter(Boolean).join(' ') || '–'}</td>
      <td>
        <Time at={stateStart} />
      </td>
      <td>{caseNo ? <a href={`/search?${new URLSearchParams({ text: caseNo })}`}>{caseNo}</a> : '–'}</td>
    </tr>
  );
}
