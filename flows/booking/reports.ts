// What the flow learns from a report of a shipment's state: contract/machines/ decides whether the state may follow. The report
// history keeps each distinct report with its result.

import type { ReportEntry, ReportJudgement } from '../../contract/flows/booking-progress.ts';
import type { Instant, Role } from '../../contract/flows/flow-input.ts';
import type { ShipmentReport } from '../../contract/flows/flow-messages.ts';
import { isStateCode } from '../../contract/machines/chart.ts';
import { isAdvance, type Judgement, judge } from '../../contract/machines/observed.ts';
import { instantOf } from '../../contract/machines/state-start.ts';
import type { StateCode } from '../../contract/wire/states.ts';
import { type Declaration, legOf, rolesOf } from '../built-in/declaration.ts';
import type { LegReferences } from './activities.ts';
import {
  type FlowContext,
  isKeptBooked,
  isRoleGiven,
  type KnownShipment,
  type PostponedMessage,
  stateOf,
  withShipment,
} from './known.ts';
import type { FollowedElsewhere } from './messages.ts';
import { withRole, withRoles } from './settlement.ts';

export function observed(
  flow: Declaration,
  known: FlowContext,
  shipment: KnownShipment,
  report: ShipmentReport,
  now: number,
): FlowContext {
  const stateCode = stateOf(shipment);
  const judged = judge(stateCode && { stateCode, stateStart: shipment.stateStart }, report);
  const countsPickUps = shipment.role !== null && isKeptBooked(flow, known, shipment.role);
  const pickedUpAt = countsPickUps ? report.pickedUpAt : undefined;
  const judgement = pickedUpAt && judged === 'repeated' ? 'pickedUp' : judged;
  const role = isRoleGiven(shipment) ? null : roleByReferences(flow, known, report);
  const next: KnownShipment = {
    ...moved(shipment, report, judged, now),
    pupUid: shipment.pupUid ?? report.pupUid,
    ...(pickedUpAt && { pickedUpAt: later(shipment.pickedUpAt ?? pickedUpAt, pickedUpAt) }),
  };
  const after = withShipment(known, role ? withRole(flow, known, next, role, 'booking') : next);
  return withRoles(flow, { ...after, reportHistory: entered(known.reportHistory, report, judgement) });
}

const later = (one: Instant, other: Instant): Instant =>
  (instantOf(one) ?? 0) > (instantOf(other) ?? 0) ? one : other;

function moved(
  shipment: KnownShipment,
  report: ShipmentReport,
  judgement: Judgement,
  now: number,
): KnownShipment {
  const { stateCode, stateStart } = report;
  if (judgement === 'contradictory') return { ...shipment, contradiction: stateCode };
  if (!isStateCode(stateCode)) return shipment;
  const seen = { ...shipment.seen, [stateCode]: shipment.seen[stateCode] ?? stateStart };
  if (!isAdvance(judgement) && !isFirstReported(shipment, judgement)) return { ...shipment, seen };
  return { ...shipment, seen, stateCode, stateStart, since: begun(report, now) };
}

/** The first report of the state in which the booking left it: now its start is known. */
function isFirstReported({ stateStart }: KnownShipment, judgement: Judgement): boolean {
  return judgement === 'repeated' && stateStart === null;
}

function begun({ stateStart, receivedAt }: ShipmentReport, now: number): number {
  return instantOf(stateStart) ?? instantOf(receivedAt) ?? now;
}

/** Only if the references of every possible leg are known, and one leg alone has these. */
function roleByReferences(
  flow: Declaration,
  { booking, shipments }: FlowContext,
  report: ShipmentReport,
): Role | null {
  const taken = shipments.map((shipment) => (isRoleGiven(shipment) ? shipment.role : null));
  const open = rolesOf(flow).filter((role) => !legOf(flow, role).isPrior && !taken.includes(role));
  const known = open.map((role) => booking?.references.find((leg) => leg.role === role));
  if (known.includes(undefined)) return null;
  const matching = known.filter((leg) => leg && haveSameReferences(leg, report));
  return matching.length === 1 ? (matching[0]?.role ?? null) : null;
}

/** Compares only the references that the report has: a peer may leave some out, and a missing one is not evidence. */
function haveSameReferences(leg: LegReferences, report: ShipmentReport): boolean {
  const given = (['referenceNo', 'referenceCaseNo', 'description'] as const).filter((field) => report[field]);
  return given.length > 0 && given.every((field) => leg[field] === report[field]);
}

/** Sets the state of a shipment by a person's decision. */
export function corrected(
  flow: Declaration,
  known: FlowContext,
  shipment: KnownShipment,
  stateCode: StateCode,
  now: number,
): FlowContext {
  const next = withShipment(known, {
    ...shipment,
    stateCode,
    stateStart: null,
    since: now,
    seen: { ...shipment.seen, [stateCode]: shipment.seen[stateCode] ?? null },
    contradiction: null,
  });
  return withRoles(flow, next);
}

/** Another flow follows it from now on: in place of this one, or too. */
export function followedElsewhere(
  known: FlowContext,
  shipment: KnownShipment,
  { byWorkflowId }: FollowedElsewhere,
  isSuperseded: boolean,
): FlowContext {
  const { passedOnTo = [] } = shipment;
  const all = byWorkflowId === null ? passedOnTo : [...new Set([...passedOnTo, byWorkflowId])];
  return withShipment(known, {
    ...shipment,
    isSuperseded: shipment.isSuperseded || isSuperseded,
    ...(all.length > 0 && { passedOnTo: all }),
  });
}

/** The report for the other flows that follow its shipment, once: callbacks find one flow by their case number. */
export function reportsForOthers(
  { reportHistory }: FlowContext,
  { passedOnTo = [] }: KnownShipment,
  report: ShipmentReport,
): readonly (ShipmentReport & { readonly passOnTo: string })[] {
  return isIn(reportHistory, report) ? [] : passedOnTo.map((passOnTo) => ({ ...report, passOnTo }));
}

/** Distinct reports; a flow has some ten. A faulty peer must not fill the carried state. */
const LONGEST_REPORT_HISTORY = 300;

/** A repetition is only counted: its result is the result of the first. */
export function entered(
  reportHistory: readonly ReportEntry[],
  report: ShipmentReport,
  judgement: ReportJudgement,
): readonly ReportEntry[] {
  if (isIn(reportHistory, report))
    return reportHistory.map((entry) =>
      isSame(entry, report) ? { ...entry, times: entry.times + 1 } : entry,
    );
  const { shipmentUid, stateCode, stateStart, receivedAt, pickedUpAt } = report;
  const pickUp = pickedUpAt === undefined ? {} : { pickedUpAt };
  const entry: ReportEntry = {
    shipmentUid,
    stateCode,
    stateStart,
    receivedAt,
    judgement,
    times: 1,
    ...pickUp,
  };
  return [...reportHistory, entry].slice(-LONGEST_REPORT_HISTORY);
}

export const isIn = (reportHistory: readonly ReportEntry[], report: ShipmentReport): boolean =>
  reportHistory.some((entry) => isSame(entry, report));

const isSame = (entry: ReportEntry, report: ShipmentReport): boolean =>
  entry.shipmentUid === report.shipmentUid &&
  entry.stateCode === report.stateCode &&
  entry.stateStart === report.stateStart &&
  entry.pickedUpAt === report.pickedUpAt;

/**
 * A message that waits until the flow knows its shipments. It waits once: a callback may be repeated, and another booking of the
 * process may let it come again. Of too many, the latest report of each shipment says what came before it.
 */
export function withPostponed(known: FlowContext, message: PostponedMessage): FlowContext {
  const { postponed } = known;
  if (postponed.some((each) => isRepeated(each, message))) return known;
  const all = [...postponed, message];
  return { ...known, postponed: all.length > LONGEST_REPORT_HISTORY ? all.filter(isLatestIn(all)) : all };
}

/** Whenever it came. */
const isRepeated = (one: PostponedMessage, other: PostponedMessage): boolean =>
  one.payload.shipmentUid === other.payload.shipmentUid && contentOf(one) === contentOf(other);

const contentOf = ({ type, payload }: PostponedMessage): string =>
  JSON.stringify([type, { ...payload, receivedAt: null }]);

/** Messages that are no reports stay. */
function isLatestIn(all: readonly PostponedMessage[]): (message: PostponedMessage) => boolean {
  const latest = new Map<string, ShipmentReport>();
  for (const { type, payload } of all)
    if (type === 'shipmentStatus' && startOf(payload) >= startOf(latest.get(payload.shipmentUid)))
      latest.set(payload.shipmentUid, payload);
  return ({ type, payload }) => type !== 'shipmentStatus' || latest.get(payload.shipmentUid) === payload;
}

const startOf = (report?: ShipmentReport): number => instantOf(report?.stateStart ?? null) ?? 0;

/** With the reports that the flow did not judge, because it did not know its shipments yet or had ended. */
export function wholeReportHistory(
  judged: readonly ReportEntry[],
  postponed: readonly ShipmentReport[],
  late: readonly ShipmentReport[],
): readonly ReportEntry[] {
  const before = postponed.reduce(
    (reportHistory, report) => entered(reportHistory, report, 'postponed'),
    judged,
  );
  return late.reduce((reportHistory, report) => entered(reportHistory, report, 'afterTheEnd'), before);
}
