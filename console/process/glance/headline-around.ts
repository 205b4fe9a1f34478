// What the headline of a process takes from around it: from the flows that it has started, from doors that stayed shut, and from
// walls that are offline.
import type { ShutDoor } from '../../../processes/inbox/at-lockers.ts';
import {
  formatOfflineWall,
  isBehindOfflineWall,
  OFFLINE_REMEDY,
  offlineSince,
} from '../../../processes/inbox/offline-wall.ts';
import type { Headline, LockerShown } from './glance-view.ts';
import { MAX_NEXT } from './upcoming-events.ts';

interface Child {
  /** Null: it does not say now. */
  readonly headline: Headline | null;
}

/** What its children wait for happens next in it, too. */
export function withChildren(own: Headline, children: readonly Child[]): Headline {
  const theirs = children.flatMap(({ headline }) => headline ?? []);
  if (theirs.length === 0) return own;
  const next = [...theirs.flatMap((each) => each.next), ...own.next];
  return {
    ...own,
    where: [...own.where, ...theirs.flatMap(({ where }) => where)],
    next: next.filter(({ code }) => code !== 'Flow').slice(0, MAX_NEXT),
    wrong: [...own.wrong, ...theirs.flatMap(({ wrong }) => wrong)],
  };
}

/**
 * Of its own lockers, and of its children's.
 *
 * @param names of pick up points, by pupUid
 */
export function withDoors(
  own: Headline,
  lockers: readonly LockerShown[],
  shut: readonly ShutDoor[],
  names: ReadonlyMap<string, string>,
): Headline {
  const isIts = ({ pupUid, lockerName }: ShutDoor) =>
    lockers.some((each) => each.pupUid === pupUid && each.lockerName === lockerName);
  const its = shut.filter(isIts);
  if (its.length === 0) return own;
  const cutOff = its.filter(isBehindOfflineWall);
  const offline = [...new Set(cutOff.map(({ pupUid }) => pupUid ?? ''))].map((pupUid) => {
    const since = offlineSince(cutOff.filter((door) => door.pupUid === pupUid));
    return `${formatOfflineWall(names.get(pupUid) ?? pupUid, since)}.`;
  });
  const stuck = its
    .filter((door) => !isBehindOfflineWall(door))
    .map(
      ({ lockerName, doorFailure }) => `The door of locker ${lockerName} stayed shut: ${doorFailure.reason}.`,
    );
  const remedy = offline.length > 0 ? OFFLINE_REMEDY : 'Let somebody go there, and open it again.';
  return { ...own, wrong: [...own.wrong, ...offline, ...stuck], todo: own.todo ?? remedy };
}
