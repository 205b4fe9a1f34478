// A door that stands open now, in a sentence: since when, and whose item is inside.

import { t } from '../../../shared/texts/text.ts';
import type { OpenDoor, WallLocker, WallView } from '../../walls/walls-view.ts';
import { Icon } from '../parts/icon.tsx';
import { Ago, Time } from '../parts/time.tsx';
import { hasItem, presentOf } from '../parts/wall.tsx';
import { wallAddress } from '../shell/address.ts';

interface OpenDoorProps {
  readonly pupUid: string;
  readonly door: Omit<OpenDoor, 'since'> & {
    /** Null: the service does not tell. */
    readonly since: string | null;
  };
}

export function OpenDoorSentence({ pupUid, door }: OpenDoorProps) {
  const { lockerUid, lockerName, since, isInside, isBooked, about, key: processKey } = door;
  const { people = [], item = null } = about ?? {};
  const whose = [item ?? t`an item`, people.length > 0 && t`for ${people.join(', ')}`]
    .filter(Boolean)
    .join(' ');
  return (
    <>
      <span class="is-fault tone">
        <Icon name="door" />
      </span>{' '}
      <a href={wallAddress(pupUid, lockerUid)}>{t`Locker ${lockerName}`}</a> {t`stands open`}
      {since && (
        <>
          {' '}
          {t`since`} <Time at={since} /> (<Ago at={since} />)
        </>
      )}
      {isInside && t`, with ${whose} inside`}
      {!isInside && isBooked && t`, booked for ${whose}`}
      {processKey && (
        <>
          : <a href={`/process/${encodeURIComponent(processKey)}`}>{t`its case`}</a>
        </>
      )}
    </>
  );
}

/** The doors of a wall that stand open, the one that has for longest first. */
export function openDoorsOf({ lockers, abouts }: WallView): OpenDoorProps['door'][] {
  return lockers
    .filter(({ door }) => door === 'Open')
    .map((locker) => ({
      lockerUid: locker.lockerUid,
      lockerName: locker.lockerName,
      since: locker.doorOpenSince,
      isInside: hasItem(locker),
      isBooked: locker.shipments.length > 0,
      key: keyOf(locker),
      about: abouts[uidOf(locker)] ?? null,
    }))
    .sort((one, other) => (one.since ?? '').localeCompare(other.since ?? ''));
}

const uidOf = ({ shipments, leftShipmentUid }: WallLocker): string =>
  presentOf(shipments)?.shipmentUid ?? leftShipmentUid ?? '';

const keyOf = ({ shipments, leftWorkflowId }: WallLocker): string | null =>
  shipments.find(({ workflowId }) => workflowId !== null)?.workflowId ?? leftWorkflowId;
