// The current details in the Web UI: first the overview and what the flow waits for, because the pane shows four lines;
// then a table. Markdown; codes are in backticks, because the pane sets typographic quotes. No personal data, no access
// codes.

import { code, shownAsText } from '../../shared/markdown/shown-as-text.ts';
import type { Declaration } from '../built-in/declaration.ts';
import { minute } from '../language/waiting-for.ts';
import { doubtOf } from './booking.ts';
import type { BookingSnapshot } from './booking-state.ts';
import type { FlowContext, KnownShipment } from './known.ts';
import { outcome } from './settlement.ts';
import type { FlowView } from './view.ts';

/** How many of the last reports it shows; `progress` has all. */
const REPORTS_SHOWN = 10;

export function details({ flow, view }: Pick<BookingSnapshot, 'flow' | 'view'>): string {
  const { known } = view;
  const waits = [
    ...view.waitingFor.map(({ words }) => shownAsText(words.replaceAll('`', ''))),
    ...doubtLines(view),
  ].map((line) => `- ${line}`);
  // Without the empty line the pane runs the list into the overview.
  const lines = [overview(flow, view), ...(waits.length > 0 ? ['', ...waits] : [])];
  if (known.shipments.length > 0) lines.push('', ...shipmentTable(view));
  if (known.reportHistory.length > 0) lines.push('', ...reportTable(known));
  return lines.join('\n');
}

function overview(flow: Declaration, { place, known, phase }: FlowView): string {
  if (place === 'ended')
    return `**${flow.name}: ended, ${known.failure ? `${code(known.failure.code)}` : outcome(flow, known)}**`;
  const undoing = known.undoing === null ? '' : ', being undone';
  return `**${flow.name}: ${phase === 'NeedsPerson' ? 'needs a person' : phase.toLowerCase()}${undoing}.** Waiting for:`;
}

function doubtLines({ place, known }: FlowView): string[] {
  if (place !== 'bookingUnknown') return [];
  const { why, candidates } = doubtOf(known);
  const seen = candidates.length > 0 ? [`it may be ${candidates.map(code).join(', ')}`] : [];
  return [
    `why: ${code(why)}`,
    ...seen,
    'booked: `lockerflow adopt`; not booked: `lockerflow retry`; not wanted: `lockerflow give-up`',
  ];
}

function shipmentTable({ known, legs, unassigned }: FlowView): string[] {
  const rows = legs.map(({ role, shipment, state, deadline }) => {
    const until = deadline ? `${minute(deadline.until)}${deadline.passed ? ' (passed)' : ''}` : '';
    return shipmentRow(role, shipment, state, until);
  });
  const others = unassigned.map(({ shipmentUid, stateCode, possibleRoles }) => {
    const shipment = known.shipments.find((each) => each.shipmentUid === shipmentUid) ?? null;
    return shipmentRow(`unknown: ${possibleRoles.join(' or ')}`, shipment, stateCode ?? 'Unknown', '');
  });
  return [
    '| leg | shipment | state | since (UTC) | pick up point | locker | until |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    ...others,
  ];
}

function shipmentRow(leg: string, shipment: KnownShipment | null, state: string, until: string): string {
  const { shipmentUid = null, stateStart = null, pupUid = null, lockerName = null } = shipment ?? {};
  const cells = [
    leg,
    code(shipmentUid ?? ''),
    shownAsText(state),
    shownAsText(stateStart ?? ''),
    code(pupUid ?? ''),
    code(lockerName ?? ''),
    until,
  ];
  return `| ${cells.join(' | ')} |`;
}

function reportTable({ reportHistory }: FlowContext): string[] {
  const rows = reportHistory
    .slice(-REPORTS_SHOWN)
    .reverse()
    .map(
      ({ shipmentUid, stateCode, stateStart, pickedUpAt, judgement, times }) =>
        `| ${[code(shipmentUid), code(stateCode), shownAsText(pickedUpAt ?? stateStart ?? ''), judgement, times].join(' | ')} |`,
    );
  return [
    '| last reports of | state | since (UTC) | what became of it | times |',
    '|---|---|---|---|---|',
    ...rows,
  ];
}
