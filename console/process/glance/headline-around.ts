// What the headline of a process takes from around it: from the flows that it has started, and from doors that stayed shut.
import type { ShutDoor } from '../../../processes/inbox/at-lockers.ts';
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

/** Of its own lockers, and of its children's. */
export function withDoors(
  own: Headline,
  lockers: readonly LockerShown[],
  shut: readonly ShutDoor[],
): Headline {
  const isIts = ({ pupUid, lockerName }: ShutDoor) =>
    lockers.some((each) => each.pupUid === pupUid && each.lockerName === lockerName);
  const wrong = shut
    .filter(isIts)
    .map(
      ({ lockerName, doorFailure }) => `The door of locker ${lockerName} stayed shut: ${doorFailure.reason}.`,
    );
  if (wrong.length === 0) return own;
  return {
    ...own,
    wrong: [...own.wrong, ...wrong],
    todo: own.todo ?? 'Let somebody go there, and open it again.',
  };
}
