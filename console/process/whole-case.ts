// A process with what is around it, as one case: the flows that it has started, its doors, walls and items. What the process says of
// itself alone is its own overview; this adds the rest, with the forms of what can be done about it.
import type { ChartView } from '../../engine/chart/chart-view.ts';
import { byHandForm } from '../../processes/action-forms/by-hand-form.ts';
import { openLockerForm } from '../../processes/action-forms/desk-forms.ts';
import { putInOrder, takeOutOfOrder } from '../../processes/action-forms/locker-order-forms.ts';
import type { ActionForm } from '../../processes/action-forms/question-forms.ts';
import { stuckDoorForms } from '../../processes/action-forms/stuck-door-forms.ts';
import { isMovable } from '../../processes/commands/movable.ts';
import { settleForms } from '../../processes/inbox/items-out.ts';
import { pickUpPointNames } from '../../processes/pick-up-points.ts';
import { isBehindOfflineWall } from '../../processes/views/offline-wall.ts';
import type { ProcessReader, ProcessSnapshot, ShownProcess } from '../../processes/views/shown-process.ts';
import type { ShutDoor } from '../../processes/views/shut-doors.ts';
import { t } from '../../shared/texts/text.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { type EmptyingForm, type ItemsLeft, openDoorsOf, shutDoorsOf } from './at-lockers.ts';
import { caseChildrenOf } from './case-children.ts';
import { itemsOutOfCase } from './item-out.ts';
import { casePartsOf, summariesOf } from './overview/case-parts.ts';
import { lockersOf } from './overview/lockers.ts';
import { urgencyOf } from './overview/overview.ts';
import {
  idOfOrder,
  withChildren,
  withDoors,
  withItemOut,
  withItemsSettled,
  withItemToSee,
  withOpenDoors,
  withReasonOfLate,
} from './overview/overview-around.ts';
import type { CasePart, ChildShown, LockerShown, ProcessOverview, Remedy } from './overview/overview-view.ts';

interface CaseParts {
  readonly snapshot: ProcessSnapshot;
  /** As it was asked last, if it does not answer now. */
  readonly process: ShownProcess;
  readonly own: ProcessOverview;
  /** Null: not known. */
  readonly chart: ChartView | null;
  readonly items: ItemsLeft;
}

export interface WholeCase {
  readonly overview: ProcessOverview;
  readonly lockers: readonly LockerShown[];
  /** It can have another locker. */
  readonly isMovable: boolean;
  /** Where a mechanic would be sent to; no locker: to the whole wall. */
  readonly doorFault: { readonly pupUid: string; readonly lockerName: string | null } | null;
  readonly children: readonly ChildShown[];
  readonly parts: readonly CasePart[];
  /** Beside those of the process itself. */
  readonly actionForms: readonly ActionForm[];
}

export async function wholeCaseOf(
  parts: ConsoleParts,
  reader: Pick<ProcessReader, 'snapshot'>,
  { snapshot, process, own, chart, items }: CaseParts,
): Promise<WholeCase> {
  const { key, status, progress } = process;
  const { children, unread: ofChildren } = await caseChildrenOf(parts, reader, snapshot, process);
  // What has ended offers no door: whoever has the item now does.
  const lockers = [
    ...(status === 'Running' ? lockersOf(key, progress) : []),
    ...children.flatMap((each) => each.lockers),
  ];
  const [shut, open, itemsOut] = await Promise.all([
    shutDoorsOf(parts, lockers),
    openDoorsOf(parts, lockers),
    itemsOutOfCase(parts, process),
  ]);
  const unread = new Set([
    ...own.unread,
    ...[items.unread, ofChildren, shut.unread, open.unread].flat(),
    ...(itemsOut === null ? ['whether somebody still has its item'] : []),
  ]);
  const offlineAt = shut.answer.filter(isBehindOfflineWall).flatMap(({ pupUid }) => pupUid ?? []);
  const names = await pickUpPointNames(parts, offlineAt);
  const settling = (itemsOut?.out ?? []).flatMap(settlingForms);
  const emptying = [items, ...children].flatMap((each) => each.emptying);
  const late = withReasonOfLate(own, lockersOf(key, progress), shut.answer, names);
  const settled = withItemsSettled(late, itemsOut?.settled ?? []);
  const said = settling.length > 0 ? withItemOut(settled, settling.map(idOf)) : settled;
  const around = children.map((each) => ({
    ...each,
    overview: each.overview && withReasonOfLate(each.overview, each.lockers, shut.answer, names),
  }));
  const ofFlows = children.map(({ shown, overview, lockers: own }) => ({
    key: shown.key,
    overview,
    lockers: own,
  }));
  const caseParts = status === 'Running' ? casePartsOf({ key, progress, children: ofFlows }) : [];
  const summaries = summariesOf(progress, caseParts);
  const family = withChildren(
    { ...said, unread: [...unread] },
    urgencyOf(process, progress),
    around,
    summaries,
  );
  const atDesk = formsAtDesk(lockers, [...shut.answer, ...open.answer]);
  const fetched = {
    ...family,
    // What the desk itself is to do comes before more time for it.
    remedies: [...emptying.flatMap(fetchingOf), ...atDesk.map(actOf), ...family.remedies],
  };
  const seen = progress?.questions.length ? withItemToSee(fetched, lockers) : fetched;
  const isElsewhere = progress !== null && status === 'Running' && isMovable(progress, chart);
  return {
    overview: withOpenDoors(withDoors(seen, lockers, shut.answer, names, isElsewhere), open.answer),
    lockers,
    isMovable: isElsewhere && own.parent === null,
    doorFault: doorFaultOf(lockers, shut.answer),
    children: children.map(({ shown }) => shown),
    parts: caseParts,
    actionForms: [
      ...children.flatMap((each) => each.actionForms),
      ...settling,
      ...emptying.map(({ lockerUid: _, pupUid: _at, ...form }) => form),
      ...atDesk,
      ...doorForms(shut.answer, lockers),
      ...byHandForms(lockers, shut.answer),
      ...orderForms(shut.answer, lockers),
    ],
  };
}

const idOf = ({ id }: ActionForm): string => id;

/** Its door is opened on the page of its wall; then it is said to be empty. */
const fetchingOf = ({ id, lockerUid, pupUid }: EmptyingForm): Remedy[] => [
  { kind: 'wall', id: lockerUid, pupUid },
  { kind: 'act', id },
];

const settlingForms = (shipmentUid: string): ActionForm[] =>
  settleForms(shipmentUid).map((form) => ({ ...form, id: `${form.id}:${shipmentUid}` }));

const actOf = ({ id }: ActionForm): Remedy => ({ kind: 'act', id });

/** More are no longer buttons that one reads: each locker has its own below. */
const MOST_AT_DESK = 3;

/** That open the doors at which the desk is to do something, unless a door is what is wrong. */
function formsAtDesk(
  lockers: readonly LockerShown[],
  faulty: readonly Pick<ShutDoor, 'pupUid' | 'lockerName'>[],
): ActionForm[] {
  const own = lockers.filter((each) => each.isForDesk && !faulty.some((door) => isSameDoor(each, door)));
  if (own.length > MOST_AT_DESK) return [];
  return own.flatMap(({ goal, ...locker }) => (goal === null ? [] : [openLockerForm({ ...locker, goal })]));
}

const doorForms = (shut: readonly ShutDoor[], lockers: readonly LockerShown[]): ActionForm[] =>
  lockers.flatMap(({ goal, ...locker }) => {
    const door = shut.find((each) => isSameDoor(locker, each));
    return door && goal !== null ? stuckDoorForms({ shipmentUid: locker.shipmentUid, goal }, door) : [];
  });

/** Where nothing is wrong with the door, but its key was used, or it stands open. */
function byHandForms(lockers: readonly LockerShown[], shut: readonly ShutDoor[]): ActionForm[] {
  const own = lockers.flatMap(({ goal, ...locker }) =>
    goal === null || shut.some((door) => isSameDoor(locker, door)) ? [] : [{ ...locker, goal }],
  );
  if (own.length > MOST_AT_DESK) return [];
  return own.map(({ shipmentUid, lockerName, goal }) => {
    const form = byHandForm({ shipmentUid, goal, isStuck: false });
    return own.length === 1 ? form : { ...form, label: t`${form.label}: locker ${lockerName}` };
  });
}

/** Of the stuck doors of the case: the sentence about them names it. */
function orderForms(shut: readonly ShutDoor[], lockers: readonly LockerShown[]): ActionForm[] {
  const its = shut.filter(
    (door) => !isBehindOfflineWall(door) && lockers.some((each) => isSameDoor(each, door)),
  );
  return its.flatMap(({ lockerUid, outOfOrder }) => {
    if (lockerUid === null) return [];
    const isOut = outOfOrder === true;
    return [{ ...(isOut ? putInOrder : takeOutOfOrder)(lockerUid), id: idOfOrder(lockerUid, isOut) }];
  });
}

/** The first as the command sendMechanic takes it. */
function doorFaultOf(lockers: readonly LockerShown[], shut: readonly ShutDoor[]): WholeCase['doorFault'] {
  for (const locker of lockers) {
    const fault = shut.find((door) => isSameDoor(locker, door));
    if (!fault || locker.pupUid === null) continue;
    const { pupUid } = locker;
    return { pupUid, lockerName: isBehindOfflineWall(fault) ? null : locker.lockerName };
  }
  return null;
}

const isSameDoor = (
  locker: Pick<LockerShown, 'pupUid' | 'lockerName'>,
  door: Pick<ShutDoor, 'pupUid' | 'lockerName'>,
): boolean => locker.pupUid === door.pupUid && locker.lockerName === door.lockerName;
