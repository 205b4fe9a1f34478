// Reads the payload of a signal or an update. It may be anything, and must never stop a process.
import type { Role } from '../../contract/flows/flow-input.ts';
import type { ShipmentReport } from '../../contract/flows/flow-messages.ts';
import { type Declaration, rolesOf } from '../built-in/declaration.ts';

export type Fields = Readonly<Record<string, unknown>>;

export function payloadFields(payload: unknown): Fields {
  return typeof payload === 'object' && payload !== null ? (payload as Fields) : {};
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Whose state a report is. */
export const shipmentUidIn = (payload: unknown): string | null => textOf(payloadFields(payload).shipmentUid);

/**
 * Null if it has no state of a shipment. Other missing fields are null.
 * @param now when it came, if it does not say so; null: what does not say so is no report
 */
export function reportIn(payload: unknown, now: number | null): ShipmentReport | null {
  const fields = payloadFields(payload);
  const shipmentUid = shipmentUidIn(payload);
  const stateCode = textOf(fields.stateCode);
  const pickedUpAt = textOf(fields.pickedUpAt);
  const receivedAt = textOf(fields.receivedAt) ?? (now === null ? null : new Date(now).toISOString());
  if (!shipmentUid || !stateCode || !receivedAt) return null;
  return {
    shipmentUid,
    stateCode,
    stateStart: textOf(fields.stateStart),
    shipmentType: textOf(fields.shipmentType),
    referenceNo: textOf(fields.referenceNo),
    referenceCaseNo: textOf(fields.referenceCaseNo),
    description: textOf(fields.description),
    pupUid: textOf(fields.pupUid),
    fromUserUid: textOf(fields.fromUserUid),
    toUserUid: textOf(fields.toUserUid),
    receivedAt,
    source: fields.source === 'reconciler' ? 'reconciler' : 'callback',
    ...(pickedUpAt && { pickedUpAt }),
  };
}

/** Reads the signals `superseded` and `alsoFollowed`. Who it is by may be missing: then nothing is passed on. */
export function followedIn(payload: unknown): FollowedElsewhere | null {
  const { shipmentUid, byWorkflowId, byBooking } = payloadFields(payload);
  const uid = textOf(shipmentUid);
  if (!uid) return null;
  const sibling = textOf(byBooking);
  return { shipmentUid: uid, byWorkflowId: textOf(byWorkflowId), ...(sibling && { byBooking: sibling }) };
}

export interface FollowedElsewhere {
  readonly shipmentUid: string;
  readonly byWorkflowId: string | null;
  /** The name of a booking of the same process. */
  readonly byBooking?: string;
}

export function roleIn(flow: Declaration, value: unknown): Role | null {
  return rolesOf(flow).find((role) => role === value) ?? null;
}

export function noSuchRole(flow: Declaration, value: unknown): string {
  return `role is ${JSON.stringify(value)}, expected one of ${rolesOf(flow).join(', ')}`;
}
