// What is known of a process for whoever reaches outside about it: the people whom it is for, its item, and the lockers that it has
// now, with what is wrong or due there. It asks the process and the locker service.

import type { Role } from '../../contract/flows/flow-input.ts';
import type { Response } from '../../contract/operations/operations.ts';
import { formerPeopleIn, itemsIn, peopleIn, peopleNowIn } from '../../flows/language/subjects.ts';
import { t } from '../../shared/texts/text.ts';
import { shipmentAt, unlessUnknown } from '../locker-service.ts';
import { CommandError } from '../outcome.ts';
import type { CommandContext } from '../temporal-context.ts';
import { awaitedOf } from '../views/awaited.ts';
import { isOfLeg } from '../views/format-item.ts';
import { itemsOutOf } from '../views/items-out.ts';
import { bookingFlows, shipmentsIn, wholeBooking } from '../views/progress.ts';
import { type ShutDoor, shutDoors } from '../views/shut-doors.ts';

type Shipment = Response<'GetShipments'>['items'][number];
export type Service = NonNullable<CommandContext['service']>;
type Stage = ReturnType<typeof awaitedOf>[number];

export interface CaseLocker {
  readonly shipmentUid: string;
  readonly role: Role | null;
  readonly stateCode: string | null;
  readonly pupUid: string;
  readonly lockerName: string;
  /** What is awaited of its shipment, with until when. */
  readonly awaited: Pick<Stage, 'stage' | 'until' | 'isOverdue'> | null;
  /** Its shipment is over, and its item still lies there. */
  readonly isLeft?: boolean;
  /** Why its door stayed shut, or that its wall is cut off; null: neither. */
  readonly fault: ShutDoor | null;
}

export interface CaseAbout {
  /** The userUids of all its people, whom it is for first. */
  readonly people: readonly string[];
  /** Null: nobody is waited for now, or nobody is known. */
  readonly person: string | null;
  /** Those whom it is for no more. */
  readonly former: readonly string[];
  /** Null: it is not known what it is called. */
  readonly item: string | null;
  /** Those with a fault first. */
  readonly lockers: readonly CaseLocker[];
  /** It has ended, and somebody still has its item. */
  readonly isItemOut: boolean;
}

/** Throws CommandError. */
export function requireService({ service }: Pick<CommandContext, 'service'>): Service {
  if (service) return service;
  throw new CommandError(
    'misconfigured',
    'WrongSettings',
    t`the locker service is not configured here, and only it knows people and lockers`,
  );
}

/** Throws CommandError. */
export async function caseAbout(commandContext: CommandContext, key: string): Promise<CaseAbout> {
  const service = requireService(commandContext);
  const [described, flows, shut] = await Promise.all([
    commandContext.client.workflow.getHandle(key).describe(),
    bookingFlows(commandContext, key),
    shutDoors({ service }),
  ]);
  const booked = flows.flatMap(({ progress }) => {
    const awaited = awaitedOf(progress);
    return shipmentsIn(progress).map((each) => ({
      ...each,
      awaited:
        awaited.find(
          ({ role, booking }) => role === each.role && (booking === undefined || booking === each.booking.id),
        ) ?? null,
    }));
  });
  const [first = booked[0]] = booked.filter(({ isDone }) => !isDone);
  const record = first && (await shipmentOf(service, first.shipment.shipmentUid));
  const subjects = [described.searchAttributes.LockerSubjects ?? []].flat().map(String);
  const ofShipment = personOf(first?.role, record);
  const isOpen = described.status.name === 'RUNNING';
  const named = peopleIn(subjects);
  const former = formerPeopleIn(subjects);
  const now = peopleNowIn(subjects, isOpen);
  const isOneBooking = flows.some((each) => each.key === key && wholeBooking(each.progress));
  // A receiver may have been set since: of a booking the service knows best.
  const isOfShipment = isOneBooking ? !former.includes(ofShipment ?? '') : named.length === 0;
  const [person] = isOfShipment ? [ofShipment, ...now].filter(Boolean) : now;
  const people = [person, ...named, ofShipment];
  const lockers = booked.flatMap(({ role, shipment, isDone, awaited }): CaseLocker[] => {
    const { shipmentUid, stateCode, pupUid, lockerName } = shipment;
    if (isDone || pupUid === null || lockerName === null || isOver(stateCode)) return [];
    const fault = shut.find((door) => door.pupUid === pupUid && door.lockerName === lockerName) ?? null;
    return [{ shipmentUid, role, stateCode, pupUid, lockerName, awaited, fault }];
  });
  const uids = booked.map(({ shipment }) => shipment.shipmentUid);
  const isItemOut = !isOpen && (await itemsOutOf(commandContext.client, uids)).out.length > 0;
  return {
    isItemOut,
    person: person ?? null,
    former,
    people: [...new Set(people.flatMap((each) => each || []))],
    item: await itemNameOf(service, key, booked, record, itemsIn(subjects)),
    lockers: lockers.toSorted((one, other) => Number(one.fault === null) - Number(other.fault === null)),
  };
}

/** A process that collects names in its request who does, unless the desk does. */
function personOf(role: Role | null | undefined, record: Shipment | undefined): string | null | undefined {
  if (role === 'collect') return null;
  return role === 'intake' ? record?.fromUserUid : record?.toUserUid;
}

/** By whichever of its shipments says it. */
export async function itemNameOf(
  service: Service,
  key: string,
  booked: readonly { readonly shipment: { readonly shipmentUid: string } }[],
  record: Shipment | undefined,
  items: readonly string[],
): Promise<string | null> {
  const legs = record?.description ? [] : booked.slice(0, MOST_LEGS);
  const others = legs.flatMap(({ shipment: { shipmentUid } }) =>
    shipmentUid === record?.shipmentUid ? [] : [shipmentOf(service, shipmentUid)],
  );
  const records = [record, ...(await Promise.all(others))];
  const [description] = records.flatMap((each) => each?.description || []);
  const numbers = [...records.flatMap((each) => each?.referenceNo || []), ...items];
  return description ?? numbers.find((each) => !isOfLeg(each, key)) ?? null;
}

const MOST_LEGS = 3;

const isOver = (stateCode: string | null): boolean => stateCode === 'Completed' || stateCode === 'Cancelled';

const shipmentOf = (service: Service, shipmentUid: string): Promise<Shipment | undefined> =>
  unlessUnknown(() => shipmentAt(service, shipmentUid));
