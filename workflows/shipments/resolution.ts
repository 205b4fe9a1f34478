// The update resolve: what a person decides where the flow cannot know. Who and why are kept.
import type { Role } from '../../contract/flows/flow-input.ts';
import type { Resolve } from '../../contract/flows/flow-messages.ts';
import type { MessageEvent } from '../../driver/definition.ts';
import { type Declaration, legOf, rolesOf } from '../../flows/declaration.ts';
import { isStateCode } from '../../machines/chart.ts';
import { newShipment } from './booking.ts';
import { shipmentWithRole } from './evidence.ts';
import { decree } from './hearing.ts';
import { type Knowledge, requestField, shipmentOf } from './knowledge.ts';
import { fieldsOf, noSuchRole, roleIn, textOf } from './payload.ts';

export type ResolveAction = Resolve['action'];

/** Why it is not possible, or null; `possible` are the actions that the chart's state takes. */
export function resolveRefusal(
  flow: Declaration,
  known: Knowledge,
  { payload }: MessageEvent,
  possible: readonly ResolveAction[],
): string | null {
  const fields = fieldsOf(payload);
  if (!textOf(fields.by) || !textOf(fields.why)) return 'by and why must say who decides this, and why';
  const action = possible.find((each) => each === fields.action);
  if (!action)
    return `action is ${JSON.stringify(fields.action)}, possible now: ${possible.join(', ') || 'none'}`;
  if (action === 'adopt') return adoptionRefusal(flow, known, fields.shipments);
  return action === 'setState' ? decreeRefusal(flow, known, fields) : null;
}

/** Every role must have exactly one shipment afterwards. */
function adoptionRefusal(flow: Declaration, known: Knowledge, shipments: unknown): string | null {
  const named = fieldsOf(shipments);
  const wrong = Object.keys(named).find((name) => !roleIn(flow, name));
  if (wrong !== undefined) return noSuchRole(flow, wrong);
  const missing = rolesOf(flow).filter((role) => !textOf(named[role]));
  if (missing.length > 0) return `shipments must name a shipmentUid for ${missing.join(', ')} too`;
  const uids = Object.values(named);
  if (new Set(uids).size < uids.length) return 'shipments names one shipmentUid twice';
  const other = known.shipments.find(({ role, shipmentUid }) => role && named[role] !== shipmentUid);
  if (other) return `${other.role} is known to be ${other.shipmentUid}`;
  const prior = rolesOf(flow).find((role) => legOf(flow, role).isPrior);
  const priorShipmentUid = textOf(requestField(known, 'priorShipmentUid'));
  return prior && priorShipmentUid && named[prior] !== priorShipmentUid
    ? `${prior} is the priorShipmentUid of the request, ${priorShipmentUid}`
    : null;
}

function decreeRefusal(
  flow: Declaration,
  known: Knowledge,
  fields: ReturnType<typeof fieldsOf>,
): string | null {
  const role = roleIn(flow, fields.role);
  if (!role) return noSuchRole(flow, fields.role);
  if (typeof fields.stateCode !== 'string' || !isStateCode(fields.stateCode))
    return `stateCode is ${JSON.stringify(fields.stateCode)}, expected a state code`;
  return shipmentWithRole(flow, known, role)
    ? null
    : `adopt first: it is not known which shipment is ${role}`;
}

/** As decided; the chart does what retry and giveUp mean. */
export function resolved(flow: Declaration, known: Knowledge, { payload }: MessageEvent): Knowledge {
  const decided = payload as Resolve;
  const { action, by, why } = decided;
  const resolution = { action, by, why, at: new Date().toISOString() };
  const next = { ...known, resolutions: [...known.resolutions, resolution] };
  if (decided.action === 'adopt') return adopted(next, decided.shipments);
  const { unknownBooking } = next;
  if (decided.action === 'retry' && unknownBooking)
    return { ...next, unknownBooking: { ...unknownBooking, isRetryDecided: true } };
  const shipment = decided.action === 'setState' && shipmentWithRole(flow, next, decided.role);
  return shipment ? decree(next, shipment, decided.stateCode) : next;
}

function adopted(known: Knowledge, shipments: Readonly<Partial<Record<Role, string>>>): Knowledge {
  const knownAt = new Date().toISOString();
  const before = known.booking ?? { answeredAt: knownAt, caseNo: null, pupUid: null, references: [] };
  const booking = { ...before, knownAt };
  const named = Object.entries(shipments) as [Role, string][];
  const rest = known.shipments.filter(({ shipmentUid }) => named.every(([, uid]) => uid !== shipmentUid));
  const legs = named.map(([role, uid]) => ({ ...(shipmentOf(known, uid) ?? newShipment(uid)), role }));
  return { ...known, booking, unknownBooking: null, shipments: [...legs, ...rest] };
}
