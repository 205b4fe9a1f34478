// People's decisions for a flow, as updates: the receiver of a shipment (setReceiver, removeReceiver), and cases that
// the flow cannot decide (resolve). Says whether a decision is possible, and applies it. The flow keeps who decided and
// why.

import type { Role } from '../../contract/flows/flow-input.ts';
import type { Resolve } from '../../contract/flows/flow-messages.ts';
import { isStateCode } from '../../contract/machines/chart.ts';
import { getOwn } from '../../engine/chart/messages.ts';
import type { MessageEvent } from '../../engine/definition/message-rules.ts';
import { type Declaration, legOf, rolesOf } from '../built-in/declaration.ts';
import type { ChangeReceiverInput } from './activities.ts';
import {
  type FlowContext,
  isInactive,
  newShipment,
  type ReceiverChange,
  requestField,
  shipmentOf,
  shipmentWithRole,
  stateOf,
} from './known.ts';
import { type Fields, noSuchRole, payloadFields, roleIn, textOf } from './messages.ts';
import { corrected } from './reports.ts';
import { withRole, withRoles } from './settlement.ts';

/**
 * Why it is not possible, or null. interface: Shipment management. Only the service knows whether a shipment has
 * a receiver.
 */
export function receiverRefusal(
  flow: Declaration,
  known: FlowContext,
  { type, payload }: MessageEvent,
): string | null {
  const fields = payloadFields(payload);
  const role = roleIn(flow, fields.role);
  if (!role) return noSuchRole(flow, fields.role);
  if (type === 'setReceiver' && !textOf(fields.toUserUid)) return 'toUserUid is missing';
  if (known.receiverChange) return 'another change of a receiver is under way';
  const shipment = shipmentWithRole(known, role);
  if (!shipment) return `it is not known yet which shipment is ${role}`;
  const state = stateOf(shipment);
  if (isInactive(shipment)) return `${role} has ended (${state})`;
  if (state === 'ReadyForPickup') return `the receiver of ${role} cannot be changed in ReadyForPickup`;
  return null;
}

export function withReceiverChange(
  flow: Declaration,
  known: FlowContext,
  { type, payload, updateId = '' }: MessageEvent,
): FlowContext {
  const fields = payloadFields(payload);
  const role = roleIn(flow, fields.role);
  const shipment = role && shipmentWithRole(known, role);
  if (!shipment) return known;
  const isSet = type === 'setReceiver';
  const receiverChange: ReceiverChange = {
    updateId,
    role,
    shipmentUid: shipment.shipmentUid,
    toUserUid: isSet ? textOf(fields.toUserUid) : null,
    caseReferenceNew: isSet ? textOf(fields.caseReferenceNew) : null,
  };
  return { ...known, receiverChange };
}

/** Whoever was the receiver before took part, too. */
export function withUser(known: FlowContext, userUid: string | null): FlowContext {
  const { booking } = known;
  const userUids = booking?.userUids;
  if (!booking || !userUids || userUid === null || userUids.includes(userUid)) return known;
  return { ...known, booking: { ...booking, userUids: [userUid, ...userUids] } };
}

export function changeReceiverInput({ receiverChange }: FlowContext): ChangeReceiverInput {
  if (!receiverChange) throw new TypeError('no change of a receiver is under way');
  const { shipmentUid, toUserUid, caseReferenceNew } = receiverChange;
  return { shipmentUid, toUserUid, caseReferenceNew };
}

export type ResolveAction = Resolve['action'];

/** @param possible the actions that the booking takes where it stands, or why it takes none and what is to be done in their place */
export function resolveRefusal(
  flow: Declaration,
  known: FlowContext,
  payload: unknown,
  possible: readonly ResolveAction[] | string,
): string | null {
  const fields = payloadFields(payload);
  if (!textOf(fields.by) || !textOf(fields.why)) return 'by and why must say who decides this, and why';
  if (typeof possible === 'string') return `no decision is possible now: ${possible}`;
  const action = possible.find((each) => each === fields.action);
  if (!action) return `${notPossible(fields.action)}; possible now: ${possible.join(', ')}`;
  if (action === 'adopt') return adoptionRefusal(flow, known, fields.shipments);
  return action === 'setState' ? correctionRefusal(flow, known, fields) : null;
}

/** Why another action is not possible, and what is to be done in its place. */
const inPlaceOf: Readonly<Partial<Record<ResolveAction, string>>> = {
  retry: 'its shipments are known, and nothing is to be tried again. Where one is wrong, adopt or setState',
  setState: 'it is not known what it has booked. Decide that first: retry or adopt',
  giveUp: 'it knows how to go on. To end it, cancel it',
};

function notPossible(action: unknown): string {
  const reason = typeof action === 'string' && getOwn(inPlaceOf, action);
  return reason ? `${action} is not possible now: ${reason}` : `action is ${JSON.stringify(action)}`;
}

/** Every role must have exactly one shipment afterwards. */
function adoptionRefusal(flow: Declaration, known: FlowContext, shipments: unknown): string | null {
  const named = payloadFields(shipments);
  const wrong = Object.keys(named).find((name) => !roleIn(flow, name));
  if (wrong !== undefined) return noSuchRole(flow, wrong);
  const missing = rolesOf(flow).filter((role) => !textOf(named[role]));
  if (missing.length > 0) return `shipments must name a shipmentUid for ${missing.join(', ')} too`;
  const uids = Object.values(named);
  const odd = uids.find((uid) => !isUid(uid));
  if (odd !== undefined)
    return `${JSON.stringify(odd)} is not a shipmentUid; expected 1 to ${UID_LENGTH} characters without blanks at its ends`;
  if (new Set(uids).size < uids.length) return 'shipments names one shipmentUid twice';
  const other = known.shipments.find(
    ({ role, roleFrom, shipmentUid }) => role && roleFrom === 'booking' && named[role] !== shipmentUid,
  );
  if (other) return `${other.role} is known to be ${other.shipmentUid}`;
  const prior = rolesOf(flow).find((role) => legOf(flow, role).isPrior);
  const priorShipmentUid = textOf(requestField(known, 'priorShipmentUid'));
  return prior && priorShipmentUid && named[prior] !== priorShipmentUid
    ? `${prior} is the priorShipmentUid of the request, ${priorShipmentUid}`
    : null;
}

// As the contract has it (contract/wire/fields.ts), without its library.
const UID_LENGTH = 200;
const isUid = (uid: unknown): boolean =>
  typeof uid === 'string' && uid !== '' && uid.length <= UID_LENGTH && uid.trim() === uid;

function correctionRefusal(flow: Declaration, known: FlowContext, fields: Fields): string | null {
  const role = roleIn(flow, fields.role);
  if (!role) return noSuchRole(flow, fields.role);
  if (typeof fields.stateCode !== 'string' || !isStateCode(fields.stateCode))
    return `stateCode is ${JSON.stringify(fields.stateCode)}, expected a state code`;
  return shipmentWithRole(known, role) ? null : `adopt first: it is not known which shipment is ${role}`;
}

/** Applies the decision; the step of the booking carries out retry and giveUp. */
export function resolved(flow: Declaration, known: FlowContext, payload: unknown, now: number): FlowContext {
  const decided = payload as Resolve;
  const { action, by, onBehalfOf, why } = decided;
  const resolution = {
    action,
    by,
    ...(onBehalfOf !== undefined && { onBehalfOf }),
    why,
    at: new Date(now).toISOString(),
  };
  const next = { ...known, resolutions: [...known.resolutions, resolution] };
  if (decided.action === 'adopt') return adopted(flow, next, decided.shipments, now);
  const { unknownBooking } = next;
  if (decided.action === 'retry' && unknownBooking)
    return { ...next, unknownBooking: { ...unknownBooking, isRetryDecided: true } };
  const shipment = decided.action === 'setState' && shipmentWithRole(next, decided.role);
  return shipment ? corrected(flow, next, shipment, decided.stateCode, now) : next;
}

function adopted(
  flow: Declaration,
  known: FlowContext,
  shipments: Readonly<Partial<Record<Role, string>>>,
  now: number,
): FlowContext {
  const knownAt = new Date(now).toISOString();
  const { replacedCaseNo } = known.unknownBooking?.heartbeat ?? {};
  const before = known.booking ?? {
    answeredAt: knownAt,
    caseNo: null,
    pupUid: null,
    references: [],
    userUids: [],
    ...(replacedCaseNo && { replacedCaseNo }),
  };
  const booking = { ...before, knownAt };
  const named = Object.entries(shipments) as [Role, string][];
  // What a person adopted before, and does not name now, was adopted by mistake: it is no shipment of this flow.
  const rest = known.shipments.filter(
    ({ shipmentUid, roleFrom }) => roleFrom !== 'person' && named.every(([, uid]) => uid !== shipmentUid),
  );
  const legs = named.map(([role, uid]) => {
    const shipment = shipmentOf(known, uid) ?? newShipment(uid);
    return withRole(flow, known, shipment, role, shipment.roleFrom === 'booking' ? 'booking' : 'person');
  });
  const adopting = { ...known, booking, unknownBooking: null, shipments: [...legs, ...rest] };
  return withRoles(flow, adopting);
}
