// At which locker something happened, by the uids that the audit log has of it.
import { t } from '../../shared/texts/text.ts';
import { shipmentAt, unlessUnknown } from '../locker-service.ts';
import type { NameOf, Service } from './wall-log-entry.ts';

export interface Located {
  readonly pupUid: string | null;
  readonly lockerName: string | null;
  /** Now; undefined: only the shipment is known. */
  readonly outOfOrder: boolean | undefined;
  readonly shipmentUids: readonly string[];
}

export const UNKNOWN: Located = { pupUid: null, lockerName: null, outOfOrder: undefined, shipmentUids: [] };

/** Of the locker or the shipment among the uids; undefined: the service does not know it any more. */
export async function lockerOf(
  service: Pick<Service, 'call'>,
  uids: readonly string[],
): Promise<Located | undefined> {
  for (const uid of uids) {
    const page = await unlessUnknown(() =>
      service.call('GetLockers', { pageNo: 1, pageSize: 1, lockerUid: uid }),
    );
    const locker = page?.items.find(({ lockerUid }) => lockerUid === uid);
    if (locker)
      return {
        pupUid: locker.pupUid,
        lockerName: locker.lockerName,
        outOfOrder: locker.outOfOrder === true,
        shipmentUids: uids.filter((each) => each !== uid),
      };
  }
  for (const shipmentUid of uids) {
    const shipment = await unlessUnknown(() => shipmentAt(service, shipmentUid));
    if (shipment) {
      const { pupUid, lockerName } = shipment;
      return { pupUid, lockerName, outOfOrder: undefined, shipmentUids: [shipmentUid] };
    }
  }
  return undefined;
}

/** As in "locker 5 of Central". */
export async function placeIn(
  { pupUid, lockerName }: Pick<Located, 'pupUid' | 'lockerName'>,
  nameOf: NameOf,
): Promise<string> {
  if (lockerName === null) return t`a locker`;
  return t`locker ${lockerName}${pupUid === null ? '' : t` of ${await nameOf(pupUid)}`}`;
}
