// What the overview of a process takes from around it: from the flows that it has started, from doors that stayed shut, and from
// walls that are offline.

import { stuckDoorForms } from '../../../processes/action-forms/stuck-door-forms.ts';
import { formatItemToSee } from '../../../processes/views/item-to-see.ts';
import { type SettledItem, whoSettled } from '../../../processes/views/items-out.ts';
import {
  formatOfflineWall,
  isBehindOfflineWall,
  OFFLINE_REMEDY,
  offlineSince,
  REPAIR_WALL,
} from '../../../processes/views/offline-wall.ts';
import { formatReason, type ShutDoor } from '../../../processes/views/shut-doors.ts';
import { t } from '../../../shared/texts/text.ts';
import { together } from './case-parts.ts';
import type { ChildShown, LockerShown, ProcessOverview, Remedy } from './overview-view.ts';
import { MAX_NEXT } from './upcoming-events.ts';

interface Child {
  readonly shown: Pick<ChildShown, 'title' | 'isOpen'>;
  /** Null: it does not say now. */
  readonly overview: ProcessOverview | null;
  readonly urgency: number | null;
}

/** They are one case: what its children wait for, and what is to be done about them, is said of it, too. */
/** @param summaries where it does the same for many: how far that is, in place of where each of them is */
export function withChildren(
  own: ProcessOverview,
  urgency: number | null,
  children: readonly Child[],
  summaries: readonly string[] = [],
): ProcessOverview {
  const isMany = summaries.length > 0;
  const counted = summaries.map((words) => ({ words, pupUid: null }));
  const theirs = children.flatMap(({ overview, shown, urgency: urgent }) =>
    overview === null ? [] : [{ overview, title: shown.title, urgency: urgent ?? 0 }],
  );
  if (theirs.length === 0) return isMany ? { ...own, where: [...counted, ...own.where] } : own;
  const theirNext = theirs.flatMap(({ overview }) => overview.next);
  const next = [...(isMany ? together(theirNext) : theirNext), ...own.next];
  const all = [{ overview: own, title: null, urgency: urgency ?? 0 }, ...theirs].toSorted(
    (one, other) => other.urgency - one.urgency,
  );
  const todo = all.flatMap(({ overview, title }) => {
    if (overview.todo === null) return [];
    return title === null ? overview.todo : `${title}: ${overview.todo}`;
  });
  return {
    ...own,
    // How a process has ended stays its own.
    status: (urgency === null ? own : (all[0]?.overview ?? own)).status,
    where: [...own.where, ...(isMany ? counted : theirs.flatMap(({ overview }) => overview.where))],
    next: next.filter(({ code }) => code !== 'Flow' && !(isMany && code === 'Batch')).slice(0, MAX_NEXT),
    wrong: [...own.wrong, ...theirs.flatMap(({ overview }) => overview.wrong)],
    hasFault: all.some(({ overview }) => overview.hasFault),
    technical: [...new Set(all.flatMap(({ overview }) => overview.technical))],
    desk: [...new Set(all.flatMap(({ overview }) => overview.desk))],
    tried: [...own.tried, ...theirs.flatMap(({ overview }) => overview.tried)],
    doubts: [...own.doubts, ...theirs.flatMap(({ overview }) => overview.doubts)],
    todo: todo.length > 0 ? todo.join(' ') : null,
    primary: all.find(({ overview }) => overview.primary !== null)?.overview.primary ?? null,
    // What is done to a child whole is on its own page.
    remedies: all.flatMap(({ overview }) =>
      overview.remedies.filter(({ kind }) => overview === own || kind === 'act'),
    ),
  };
}

/**
 * Of its own lockers, and of its children's.
 *
 * @param names of pick up points, by pupUid
 * @param isMovable whether the process can have another locker
 */
export function withDoors(
  own: ProcessOverview,
  lockers: readonly LockerShown[],
  shut: readonly ShutDoor[],
  names: ReadonlyMap<string, string>,
  isMovable = false,
): ProcessOverview {
  const its = shut.filter((door) => lockers.some((each) => isAt(each, door)));
  if (its.length === 0) return own;
  const cutOff = its.filter(isBehindOfflineWall);
  const offline = [...new Set(cutOff.map(({ pupUid }) => pupUid ?? ''))].map((pupUid) => {
    const since = offlineSince(cutOff.filter((door) => door.pupUid === pupUid));
    return `${formatOfflineWall(names.get(pupUid) ?? pupUid, since)}.`;
  });
  const stuck = its
    .filter((door) => !isBehindOfflineWall(door))
    .map(
      ({ lockerName, doorFailure }) =>
        t`The door of locker ${lockerName} stayed shut: ${formatReason(doorFailure.reason)}.`,
    );
  // The desk cannot do it either.
  const said = { ...own, wrong: [...offline, ...own.wrong, ...stuck], hasFault: true, desk: [] };
  // Nobody is late who cannot get at it: the wall comes first.
  if (offline.length > 0)
    return {
      ...said,
      remedies: [...own.remedies, ...atTheirDoors(lockers, cutOff)],
      // Who is late has been thought of.
      todo: own.todoCode === null ? joined(OFFLINE_REMEDY(), own.todo) : joined(own.todo, REPAIR_WALL()),
    };
  const doors = its.filter((door) => !isBehindOfflineWall(door));
  const remedies = [
    ...atTheirDoors(lockers, doors),
    ...(isMovable ? [{ kind: 'move', id: null } as const] : []),
    ...doors.flatMap(({ lockerUid, outOfOrder }): Remedy[] =>
      lockerUid === null ? [] : [{ kind: 'act', id: idOfOrder(lockerUid, outOfOrder === true) }],
    ),
  ];
  return {
    ...said,
    todo: joined(
      own.todo,
      doors.every(({ outOfOrder }) => outOfOrder === true)
        ? formatLockedRemedy(lockers.filter((locker) => doors.some((each) => isAt(locker, each))))
        : formatStuckRemedy(isMovable),
    ),
    remedies: [...own.remedies, ...remedies],
  };
}

const atTheirDoors = (lockers: readonly LockerShown[], doors: readonly ShutDoor[]): Remedy[] =>
  lockers.flatMap(({ shipmentUid, goal, ...locker }): Remedy[] => {
    const door = doors.find((each) => isAt(locker, each));
    if (!door || goal === null) return [];
    return stuckDoorForms({ shipmentUid, goal }, door).map(({ id }) => ({ kind: 'act', id }));
  });

/**
 * Who is late at a door that does not open cannot help it. Before the overviews of a case are put together.
 *
 * @param lockers those of this process
 * @param names of pick up points, by pupUid
 */
export function withReasonOfLate<Late extends Pick<ProcessOverview, 'todo' | 'todoCode'>>(
  own: Late,
  lockers: readonly LockerShown[],
  shut: readonly ShutDoor[],
  names: ReadonlyMap<string, string>,
): Late {
  const its = shut.filter((door) => lockers.some((each) => isAt(each, door)));
  const door = its.find(isBehindOfflineWall) ?? its[0];
  if (own.todoCode === null || !door) return own;
  const pupUid = door.pupUid ?? '';
  const what = isBehindOfflineWall(door)
    ? t`${names.get(pupUid) ?? pupUid} is offline`
    : t`the door of locker ${door.lockerName} is stuck`;
  const verb = own.todoCode === 'PickUpIsLate' ? t`fetch it` : t`put it in`;
  return { ...own, todo: t`They cannot ${verb} while ${what}: extend the deadline, and tell them.` };
}

const isAt = (
  { pupUid, lockerName }: Pick<LockerShown, 'pupUid' | 'lockerName'>,
  door: Pick<ShutDoor, 'pupUid' | 'lockerName'>,
): boolean => pupUid === door.pupUid && lockerName === door.lockerName;

/** Of the form that takes the locker out of order, or puts it in order again, among those of the case. */
export const idOfOrder = (lockerUid: string, isOut: boolean): string =>
  `${isOut ? 'inOrder' : 'outOfOrder'}:${lockerUid}`;

/** Of what lies in a locker that is out of order, or is to be brought to it. */
function formatLockedRemedy(lockers: readonly Pick<LockerShown, 'goal'>[]): string {
  if (lockers.some(({ goal }) => goal === 'PickUp'))
    return t`The locker is out of order: have the door opened with its key, and say here that the item was handed out.`;
  return lockers.some(({ goal }) => goal === 'DropOff')
    ? t`The item is to be brought to a locker that is out of order: have it mended and put it in order again. If only the key opens the door, say here that the item was put in.`
    : t`The locker is out of order, and is booked for later: have it mended, and put it in order again.`;
}

const formatStuckRemedy = (isMovable: boolean): string =>
  isMovable
    ? t`Let somebody go there, and open it again, or with the key, and say here what became of the item; or move it to another locker.`
    : t`Let somebody go there, and open it again. If only the key opens it, say what became of the item, and take the locker out of order.`;

/** @param open among the lockers of the process and of its children */
export function withOpenDoors(
  own: ProcessOverview,
  open: readonly { readonly lockerName: string | null; readonly doorOpenSince?: string | null | undefined }[],
): ProcessOverview {
  if (open.length === 0) return own;
  const words = open.map(
    ({ lockerName, doorOpenSince }) =>
      t`The door of locker ${lockerName} stands open since ${doorOpenSince}Z.`,
  );
  return {
    ...own,
    wrong: [...own.wrong, ...words],
    hasFault: true,
    todo: joined(t`Let somebody go there, look inside and shut the door.`, own.todo),
  };
}

/** Whoever is asked about an item that lies in a locker may have to see it. */
export function withItemToSee(own: ProcessOverview, lockers: readonly LockerShown[]): ProcessOverview {
  const [locker, ...others] = lockers.filter(({ goal }) => goal === 'PickUp');
  if (own.todo === null || !locker || others.length > 0) return own;
  return { ...own, todo: joined(own.todo, formatItemToSee(`${locker.lockerName}`)) };
}

/**
 * Its process has ended, and somebody still has its item.
 *
 * @param settling the ids of the forms that say what became of it
 */
export const withItemOut = (own: ProcessOverview, settling: readonly string[]): ProcessOverview => ({
  ...own,
  where: [{ words: t`Still out: nobody has brought it back`, pupUid: null, isWithPerson: true }],
  hasFault: true,
  wrong: [...own.wrong, t`Its item is still out, and nobody waits for it any more.`],
  todo: joined(t`Ask whoever has it to bring it back. Once it is back, or lost, say so here.`, own.todo),
  remedies: [...settling.map((id): Remedy => ({ kind: 'act', id })), ...own.remedies],
});

/** Its process has ended while somebody had its item, and a person has said since what became of that. */
export const withItemsSettled = <Own extends Pick<ProcessOverview, 'where'>>(
  own: Own,
  settled: readonly SettledItem[],
): Own =>
  settled.length === 0
    ? own
    : { ...own, where: settled.map((each) => ({ words: formatSettled(each), pupUid: null })) };

function formatSettled(item: SettledItem): string {
  const [who, at] = [whoSettled(item), item.at];
  return item.became === 'Back' ? t`Back, said by ${who} ${at}` : t`Written off by ${who} ${at}`;
}

const joined = (...sentences: readonly (string | null)[]): string =>
  sentences.filter((each) => each !== null).join(' ');
