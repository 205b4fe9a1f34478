// What a report of a shipment's state makes known: judged by the chart of shipments, kept in the ledger, never guessed.
import type { LegReferences } from '../../activities/flow-activities.ts';
import type { Role } from '../../contract/flows/flow-input.ts';
import type { ShipmentReport } from '../../contract/flows/flow-messages.ts';
import type { StateCode } from '../../contract/wire/states.ts';
import { type Declaration, legOf, rolesOf } from '../../flows/declaration.ts';
import { isStateCode } from '../../machines/chart.ts';
import { isAdvance, type Judgement, judge } from '../../machines/observed.ts';
import { instantOf } from '../../machines/state-start.ts';
import { type Knowledge, type KnownShipment, shipmentOf, withShipment } from './knowledge.ts';
import { entered } from './ledger.ts';
import { stateOf } from './legs-now.ts';

export function hear(flow: Declaration, known: Knowledge, report: ShipmentReport): Knowledge {
  if (!known.booking) return { ...known, held: [...known.held, report] };
  const shipment = shipmentOf(known, report.shipmentUid);
  return shipment
    ? observe(flow, known, shipment, report)
    : { ...known, foreign: [...known.foreign, report] };
}

/** Once the flow knows its shipments: in the order in which they came. */
export function hearHeld(flow: Declaration, known: Knowledge): Knowledge {
  return known.booking
    ? known.held.reduce<Knowledge>((next, report) => hear(flow, next, report), { ...known, held: [] })
    : known;
}

function observe(
  flow: Declaration,
  known: Knowledge,
  shipment: KnownShipment,
  report: ShipmentReport,
): Knowledge {
  const current = stateOf(flow, known, shipment);
  const { stateStart } = shipment;
  const verdict = judge(current && { stateCode: current, stateStart }, report);
  const observed = withShipment(known, {
    ...told(shipment, report, verdict),
    role: shipment.role ?? roleByReferences(flow, known, report),
    pupUid: shipment.pupUid ?? report.pupUid ?? null,
  });
  return { ...observed, ledger: entered(known.ledger, report, verdict) };
}

function told(shipment: KnownShipment, report: ShipmentReport, verdict: Judgement): KnownShipment {
  const { stateCode, stateStart } = report;
  if (verdict === 'contradictory') return { ...shipment, contradiction: stateCode };
  if (!isStateCode(stateCode)) return shipment;
  const seen = { ...shipment.seen, [stateCode]: shipment.seen[stateCode] ?? stateStart };
  // The state that the booking must have left it in, now told: its moment becomes known.
  const isFirstTold = verdict === 'repeated' && shipment.stateStart === null;
  if (!isAdvance(verdict) && !isFirstTold) return { ...shipment, seen };
  return { ...shipment, seen, stateCode, stateStart, since: begun(report) };
}

function begun({ stateStart, receivedAt }: ShipmentReport): number {
  return instantOf(stateStart) ?? instantOf(receivedAt) ?? Date.now();
}

/** Told only where the references of every leg that it can be are known, and one leg alone has these. */
function roleByReferences(
  flow: Declaration,
  { booking, shipments }: Knowledge,
  report: ShipmentReport,
): Role | null {
  const taken = shipments.map(({ role }) => role);
  const open = rolesOf(flow).filter((role) => !legOf(flow, role).isPrior && !taken.includes(role));
  const known = open.map((role) => booking?.references.find((leg) => leg.role === role));
  if (known.includes(undefined)) return null;
  const matching = known.filter((leg) => leg && haveSameReferences(leg, report));
  return matching.length === 1 ? (matching[0]?.role ?? null) : null;
}

/** In all that the report tells of them: a peer may leave out what it does not show, and that is no evidence. */
function haveSameReferences(leg: LegReferences, report: ShipmentReport): boolean {
  const told = (['referenceNo', 'referenceCaseNo', 'description'] as const).filter((field) => report[field]);
  return told.length > 0 && told.every((field) => leg[field] === report[field]);
}

/** What a person says a shipment's state is. */
export function decree(known: Knowledge, shipment: KnownShipment, stateCode: StateCode): Knowledge {
  const seen = { ...shipment.seen, [stateCode]: shipment.seen[stateCode] ?? null };
  const now = Date.now();
  return withShipment(known, {
    ...shipment,
    stateCode,
    stateStart: null,
    since: now,
    seen,
    contradiction: null,
  });
}
