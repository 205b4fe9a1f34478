// The door of a shipment's locker as it is now.
import type { LockerDoor } from '../../process/process-view.ts';
import { useLive } from '../shell/live.ts';

export interface Place {
  readonly pupUid: string | null;
  readonly lockerName: string | null;
}

/** Live, while the process is looked at as it stands; none for a shipment that has no locker any more. */
export function useDoors(key: string, places: readonly Place[]): (place: Place) => LockerDoor | undefined {
  const hasAny = places.some(({ pupUid, lockerName }) => pupUid !== null && lockerName !== null);
  const { data } = useLive<{ readonly items: readonly LockerDoor[] | null }>(
    hasAny ? `/v1/processes/${encodeURIComponent(key)}/doors` : undefined,
  );
  return ({ pupUid, lockerName }) =>
    data?.items?.find((each) => each.pupUid === pupUid && each.lockerName === lockerName);
}

const words: Readonly<Record<string, string>> = {
  Open: 'door open',
  Closed: 'door closed',
  Unknown: 'door out of reach',
};

export function Door({ door }: { readonly door: LockerDoor }) {
  const isBad = door.door === 'Unknown' || door.stayedShut !== null;
  return (
    <p class="door">
      <span class={isBad ? 'pill bad' : 'pill'}>{words[door.door] ?? door.door.toLowerCase()}</span>
      {door.stayedShut !== null && <span class="soft"> stayed shut: {door.stayedShut}</span>}
    </p>
  );
}
