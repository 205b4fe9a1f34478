// A shipment before its booking: the data that the rules of contract/machines/ need, and the data that is only stored.

import type { Change } from '../../contract/machines/chain.ts';
import type { ChainShipment, NewShipment } from '../../contract/machines/chain-shipments.ts';
import { type Box, type Sides, sidesOf } from '../sides.ts';
import { newUid } from '../uid.ts';

export interface Details {
  readonly referenceNo: string | null;
  readonly referenceCaseNo: string | null;
  readonly description: string | null;
}

/** How big the item is, and which lockers the booking permits. */
export interface Room {
  readonly sides: Sides;
  readonly allowLargerLockers: boolean;
  readonly allowOverflowLockers: boolean;
}

export interface PlannedShipment extends NewShipment {
  readonly details: Details;
  readonly room: Room;
}

type ShipmentInput = Pick<PlannedShipment, 'fromUserUid' | 'toUserUid' | 'room'> & Partial<PlannedShipment>;

/** The default: a local shipment without details and without a predecessor. */
export function plannedShipment(input: ShipmentInput): PlannedShipment {
  return {
    shipmentUid: newUid(),
    shipmentType: 'LocalPupShipment',
    predecessor: null,
    fromFollowsPredecessorReceiver: false,
    keepBookedAfterPickUp: false,
    details: detailsOf(null),
    ...input,
  };
}

/** Details as a request has them: among its own fields, or in an object of it. */
export type GivenDetails = { [Field in keyof Details]?: Details[Field] | undefined } | null | undefined;

export function detailsOf(input: GivenDetails): Details {
  return {
    referenceNo: input?.referenceNo ?? null,
    referenceCaseNo: input?.referenceCaseNo ?? null,
    description: input?.description ?? null,
  };
}

/** The common fields of the operations that book a locker (interface: Shipment creation, general rules). */
export interface BookingRequest {
  readonly pupUid: string;
  readonly lockerUid?: string | null | undefined;
  readonly dimension: Box;
  readonly allowLargerLockers: boolean;
  readonly allowOverflowLockers: boolean;
}

export const roomOf = ({
  dimension,
  allowLargerLockers,
  allowOverflowLockers,
}: Omit<BookingRequest, 'pupUid'>): Room => ({
  sides: sidesOf(dimension),
  allowLargerLockers,
  allowOverflowLockers,
});

/** In the form of insert_shipments. The rules give the state, the codes and the users: a sender may be derived. */
export function shipmentRow(
  { room, details, ...planned }: PlannedShipment & Pick<ChainShipment, 'isStock'>,
  { to, pickUpCode, deliveryCode }: Pick<Change, 'to' | 'pickUpCode' | 'deliveryCode'>,
): object {
  return {
    shipment_uid: planned.shipmentUid,
    shipment_type: planned.shipmentType,
    state_code: to,
    reference_no: details.referenceNo,
    reference_case_no: details.referenceCaseNo,
    description: details.description,
    from_user_uid: planned.fromUserUid,
    to_user_uid: planned.toUserUid,
    small_side: room.sides.smallSide,
    middle_side: room.sides.middleSide,
    large_side: room.sides.largeSide,
    allow_larger_lockers: room.allowLargerLockers,
    allow_overflow_lockers: room.allowOverflowLockers,
    keep_booked_after_pick_up: planned.keepBookedAfterPickUp,
    predecessor_uid: planned.predecessor?.shipmentUid ?? null,
    link: planned.predecessor?.link ?? null,
    from_follows_predecessor_receiver: planned.fromFollowsPredecessorReceiver,
    is_stock: planned.isStock,
    pick_up_code: pickUpCode ?? null,
    delivery_code: deliveryCode ?? null,
  };
}
