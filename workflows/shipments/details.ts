// The current details in the Web UI: headline and what is awaited first, for its pane shows four lines; then a table.
// Markdown; codes in backticks, since the pane sets typographic quotes. No personal data, no access codes.

import { type Declaration, rolesOf } from '../../flows/declaration.ts';
import { openDeadlines } from './deadlines.ts';
import { possibleRoles, shipmentWithRole } from './evidence.ts';
import type { Knowledge, KnownShipment } from './knowledge.ts';
import { legState } from './legs-now.ts';
import { outcome, unassigned } from './settlement.ts';
import { awaits, minute, type Place, phaseOf } from './words.ts';

/** So many of the last reports; all of them are in `progress`. */
const REPORTS_SHOWN = 10;

export function details(flow: Declaration, known: Knowledge, place: Place): string {
  const waits = awaits(flow, known, place).map((wait) => `- ${wait}`);
  // Without the empty line the pane runs the list into the headline.
  const lines = [headline(flow, known, place), ...(waits.length > 0 ? ['', ...waits] : [])];
  if (known.shipments.length > 0) lines.push('', ...shipmentTable(flow, known));
  if (known.ledger.length > 0) lines.push('', ...reportTable(known));
  return lines.join('\n');
}

function headline(flow: Declaration, known: Knowledge, place: Place): string {
  if (place === 'ended')
    return `**${flow.name}: ended, ${known.failure ? `\`${known.failure.code}\`` : outcome(flow, known)}**`;
  const phase = phaseOf(flow, known, place);
  const undoing = known.undoing === null ? '' : ', being undone';
  return `**${flow.name}: ${phase === 'NeedsPerson' ? 'needs a person' : phase.toLowerCase()}${undoing}.** Awaits:`;
}

function shipmentTable(flow: Declaration, known: Knowledge): string[] {
  const deadlines = openDeadlines(flow, known);
  const row = (leg: string, shipment: KnownShipment | undefined, state: string, until: string) => {
    const { shipmentUid = null, stateStart = null, pupUid = null, lockerName = null } = shipment ?? {};
    return `| ${[leg, code(shipmentUid), state, cell(stateStart), code(pupUid), code(lockerName), until].join(' | ')} |`;
  };
  const legs = rolesOf(flow).map((role) => {
    const deadline = deadlines.find((each) => each.role === role);
    const until = deadline ? `${minute(deadline.until)}${deadline.passed ? ' (passed)' : ''}` : '';
    return row(role, shipmentWithRole(flow, known, role), legState(flow, known, role), until);
  });
  const others = unassigned(flow, known).map(({ shipmentUid, stateCode }) => {
    const shipment = known.shipments.find((each) => each.shipmentUid === shipmentUid);
    const roles = possibleRoles(flow, known, shipmentUid).join(' or ');
    return row(`unknown: ${roles}`, shipment, stateCode ?? 'Unknown', '');
  });
  return [
    '| leg | shipment | state | since (UTC) | pick up point | locker | until |',
    '|---|---|---|---|---|---|---|',
    ...legs,
    ...others,
  ];
}

function reportTable({ ledger }: Knowledge): string[] {
  const rows = ledger
    .slice(-REPORTS_SHOWN)
    .reverse()
    .map(
      ({ shipmentUid, stateCode, stateStart, verdict, times }) =>
        `| ${[code(shipmentUid), code(stateCode), cell(stateStart), verdict, times].join(' | ')} |`,
    );
  return [
    '| last reports of | state | since (UTC) | what became of it | times |',
    '|---|---|---|---|---|',
    ...rows,
  ];
}

/** What a peer wrote must not break the table. */
function cell(text: string | null): string {
  return (text ?? '').replaceAll(/[`|\r\n]/g, '_');
}

function code(text: string | null): string {
  return text === null ? '' : `\`${cell(text)}\``;
}
