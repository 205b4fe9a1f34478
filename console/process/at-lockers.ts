// What the locker service knows of the lockers of a process: items that are still there, doors that stayed shut, walls that are
// offline. A service may not list lockers: then nothing more is known.
import type { BookingProgress } from '../../contract/flows/booking-progress.ts';
import type { ProcessProgress, Progress } from '../../contract/flows/flow-answers.ts';
import { isInside } from '../../contract/wire/states.ts';
import type { ActionForm } from '../../processes/action-forms/question-forms.ts';
import { emptiedForm } from '../../processes/inbox/items-left.ts';
import { forgottenOpen, standingOpen } from '../../processes/inbox/open-doors.ts';
import { type BeingPutInAt, isBeingPutIn } from '../../processes/views/being-put-in.ts';
import { leftItems } from '../../processes/views/left-items.ts';
import { shipmentsIn, wholeBooking } from '../../processes/views/progress.ts';
import type { ShownProcess } from '../../processes/views/shown-process.ts';
import { type ShutDoor, shutDoors } from '../../processes/views/shut-doors.ts';
import { LockerApiError } from '../../shared/locker-api/index.ts';
import { t } from '../../shared/texts/text.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { EMPTIED as EMPTIED_OPERATION } from './door-rows.ts';
import type { LockerShown } from './overview/overview-view.ts';

/** As often as a page asks again. */
const SHARED_MS = 2_000;

export interface AtLockers<Answer> {
  readonly answer: Answer;
  /** What the service did not say, as in "the doors could not be read". */
  readonly unread: readonly string[];
}

export interface EmptyingForm extends ActionForm {
  readonly lockerUid: string;
  readonly pupUid: string;
}

export interface ItemsLeft extends AtLockers<ProcessProgress | null> {
  /** That say that a locker is empty. */
  readonly emptying: readonly EmptyingForm[];
  /** Items that were left, and are in their lockers no more. */
  readonly fetched: readonly { readonly words: string; readonly pupUid: string | null }[];
}

/** What an ended process says last does not know what was fetched since. */
export async function withItemsStillLeft(
  parts: ConsoleParts,
  { status, progress }: Pick<ShownProcess, 'status' | 'progress'>,
): Promise<ItemsLeft> {
  const items = (progress?.bookings ?? []).flatMap(({ itemsLeft }) => itemsLeft);
  if (status === 'Running' || !progress || items.length === 0)
    return { answer: progress, unread: [], emptying: [], fetched: [] };
  const pupUids = [...new Set(items.flatMap(({ pupUid }) => pupUid ?? []))];
  const leftAt = (pupUid: string) =>
    parts.shared.of(`items left at ${pupUid}`, SHARED_MS, () => leftItems(parts.service, { pupUid }));
  const asking = pupUids.map(async (pupUid) => [pupUid, await asked(leftAt(pupUid))] as const);
  const at = new Map(await Promise.all(asking));
  const isUnread = [...at.values()].some((each) => each.isAway);
  const stillLeft = <Booking extends Pick<BookingProgress, 'itemsLeft'>>(booking: Booking): Booking => ({
    ...booking,
    itemsLeft: booking.itemsLeft.filter(
      ({ pupUid, shipmentUid }) => at.get(pupUid ?? '')?.answer?.has(shipmentUid) ?? true,
    ),
  });
  const own = wholeBooking(progress) && stillLeft(progress as Progress);
  const stillIn = new Map([...at.values()].flatMap((each) => [...(each.answer ?? [])]));
  const bookings = progress.bookings.map(stillLeft);
  const left = bookings.flatMap(({ itemsLeft }) => itemsLeft);
  const gone = items.filter((item) => !left.some(({ shipmentUid }) => shipmentUid === item.shipmentUid));
  const fetched = await Promise.all(
    gone.map(async ({ shipmentUid, lockerName, pupUid }) => ({
      words: t`Fetched from locker ${lockerName}${await whoFetched(parts, shipmentUid)}`,
      pupUid,
    })),
  );
  return {
    answer: { ...progress, ...own, bookings },
    fetched,
    emptying: left.flatMap(({ shipmentUid, pupUid }) => {
      const lockerUid = stillIn.get(shipmentUid)?.lockerUid;
      const form = lockerUid && { ...emptiedForm(lockerUid), id: `${EMPTIED}:${lockerUid}` };
      return form && pupUid !== null ? [{ ...form, lockerUid, pupUid }] : [];
    }),
    unread: isUnread ? [t`whether its items are still in the lockers`] : [],
  };
}

/** Who said that the locker is empty, or opened it last, and when; empty where the service does not tell. */
async function whoFetched({ service, shared }: ConsoleParts, shipmentUid: string): Promise<string> {
  const read = () => service.call('GetShipmentEvents', { shipmentUid });
  const { answer } = await asked(shared.of(`events of ${shipmentUid}`, SHARED_MS, read));
  const last = answer?.items.findLast(
    ({ kind, operation, outcome, accessGoal }) =>
      (operation === EMPTIED_OPERATION && outcome === 'Success') ||
      (kind === 'LockerOpened' && accessGoal === 'PickUp'),
  );
  if (!last) return '';
  return t`, by ${last.onBehalfOf ?? last.clientId ?? t`somebody`}${last.occurredAt ? `, ${last.occurredAt}Z` : ''}`;
}

/** How the ids of the forms begin that say that a locker is empty. */
const EMPTIED = 'emptied';

/** Asked only for a process that has lockers. */
export async function shutDoorsOf(
  parts: ConsoleParts,
  lockers: readonly LockerShown[],
): Promise<AtLockers<readonly ShutDoor[]>> {
  if (lockers.length === 0) return { answer: [], unread: [] };
  const read = await asked(parts.shared.of('shut doors', SHARED_MS, () => shutDoors(parts)));
  return { answer: read.answer ?? [], unread: read.isAway ? [t`the doors of its lockers`] : [] };
}

/** The doors among them that have stood open for longer than somebody needs. */
export async function openDoorsOf(
  parts: ConsoleParts,
  lockers: readonly LockerShown[],
): Promise<AtLockers<readonly OpenDoor[]>> {
  if (lockers.length === 0) return { answer: [], unread: [] };
  const read = await asked(parts.shared.of('open doors', SHARED_MS, () => forgottenOpen(parts)));
  const open = (read.answer?.open ?? []).filter(({ pupUid, lockerName }) =>
    lockers.some((each) => each.pupUid === pupUid && each.lockerName === lockerName),
  );
  return { answer: open, unread: read.isAway ? [t`the doors of its lockers`] : [] };
}

/** Read once for all pages, and only if one of the shipments is inside. Nowhere, if the service cannot list open doors. */
export async function beingPutIn(
  parts: Pick<ConsoleParts, 'service' | 'shared'>,
  shipments: readonly { readonly stateCode: string | null }[],
): Promise<BeingPutInAt> {
  if (!shipments.some(({ stateCode }) => isInside(stateCode))) return () => false;
  const { answer } = await asked(parts.shared.of('doors open now', SHARED_MS, () => standingOpen(parts, 0)));
  const lockers = (answer?.open ?? []).filter(isBeingPutIn);
  return ({ pupUid, lockerName }) =>
    lockers.some((each) => each.pupUid === pupUid && each.lockerName === lockerName);
}

/** The same, for what a process has booked. */
export const beingPutInOf = (
  parts: Pick<ConsoleParts, 'service' | 'shared'>,
  progress: ProcessProgress | null,
): Promise<BeingPutInAt> =>
  beingPutIn(
    parts,
    shipmentsIn(progress ?? { bookings: [] }).map(({ shipment }) => shipment),
  );

export type OpenDoor = Awaited<ReturnType<typeof forgottenOpen>>['open'][number];

interface Asked<Answer> {
  /** Undefined: the service has not said it. */
  readonly answer: Answer | undefined;
  /** Whether it may say it another time: one that does not have the operation never does. */
  readonly isAway: boolean;
}

const asked = <Answer>(asking: Promise<Answer>): Promise<Asked<Answer>> =>
  asking.then(
    (answer) => ({ answer, isAway: false }),
    (error: unknown) => {
      if (!(error instanceof LockerApiError)) throw error;
      return { answer: undefined, isAway: error.code !== 'UnknownOperation' };
    },
  );
