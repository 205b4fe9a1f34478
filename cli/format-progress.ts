// The progress of a flow as lines for a person.

import type { FlowFileProgress } from '../client/flow-files/flow-file-handle.ts';
import { formatAttribution } from '../contract/flows/attribution.ts';
import type { Progress } from '../contract/flows/flow-answers.ts';
import { formatDropped } from '../flows/language/machine/incoming.ts';
import { type AnyProgress, formatStatePaths, span } from '../processes/views/progress.ts';
import { table } from '../shared/terminal/table.ts';

/** The last reports that are shown; all are in the JSON. */
const REPORTS_SHOWN = 8;

export const formatProgress = (progress: AnyProgress, now: Date = new Date()): string[] =>
  'shipments' in progress ? formatFlow(progress, now) : formatFlowFileProcess(progress);

/** The words for a process of a flow file. */
function formatFlowFileProcess({
  flow,
  version,
  phase,
  activity,
  state,
  titles = [],
  waitingFor,
  halted,
  dropped,
  undoable = [],
  keys = {},
  kept = [],
  output,
}: FlowFileProgress): string[] {
  const lines = [`${flow}@${version}: ${activity}${activity === 'Running' ? `, ${phase}` : ''}`];
  const named = titles.length > 0 ? ` (${titles.join(', ')})` : '';
  lines.push(`  in: ${formatStatePaths(state)}${named}`, ...waitingForLines(waitingFor));
  if (halted) lines.push('', `  stands still: ${halted.code} at the event ${halted.event}`);
  if (undoable.length > 0) lines.push(`  can be undone: ${undoable.join(', ')}`);
  for (const [key, value] of Object.entries(keys)) lines.push(`  found by: ${key}=${value}`);
  for (const { type, until } of kept) lines.push(`  keeps: ${type} until ${until}`);
  if (dropped > 0) lines.push(`  ${formatDropped(dropped)}`);
  if (output !== undefined) lines.push(`  result: ${JSON.stringify(output)}`);
  return lines;
}

/** What it waits for several times, such as the flows of an `each`, stands in one line. */
function waitingForLines(waitingFor: Progress['waitingFor']): string[] {
  const all = waitingFor.map(({ words }) => words);
  return [...new Set(all)].map((text) => {
    const times = all.filter((each) => each === text).length;
    return `  waiting for: ${text}${times > 1 ? ` (${times} of them)` : ''}`;
  });
}

function formatFlow(progress: Progress, now: Date): string[] {
  const { flow, version, waitingFor, reportHistory, resolutions } = progress;
  const lines = [`${flow}@${version}: ${formatStatus(progress)}`];
  lines.push(...waitingForLines(waitingFor));
  lines.push(...section(shipments(progress)), ...section(itemsLeft(progress)));
  lines.push(...section(deadlines(progress, now)));
  if (reportHistory.length > 0) lines.push('', ...reports(progress));
  for (const { action, why, at, ...who } of resolutions)
    lines.push('', `resolved: ${action} by ${formatAttribution(who)}, ${at}: ${why}`);
  return lines;
}

export function formatStatus({ activity, phase, outcome }: Progress): string {
  const more = activity === 'Ended' ? outcome : phase;
  return more ? `${activity}, ${more}` : activity;
}

/** To the second. */
const utc = (instant: string | null | undefined): string => instant?.slice(0, 19).replace('T', ' ') ?? '';

const section = (lines: readonly string[]): string[] => (lines.length > 0 ? ['', ...lines] : []);

function shipments({ shipments: legs, unassigned }: Progress): string[] {
  const known = Object.entries(legs).map(([role, leg]) => [
    role,
    leg.stateCode ?? 'Unknown',
    leg.done ? 'done' : '',
    utc(leg.stateStart),
    leg.pupUid ?? '',
    leg.lockerName ?? '',
    leg.shipmentUid,
  ]);
  const others = unassigned.map(
    ({ possibleRoles, stateCode, stateStart, pupUid, lockerName, shipmentUid }) => [
      `unknown: ${possibleRoles.join(' or ')}`,
      stateCode ?? 'Unknown',
      '',
      utc(stateStart),
      pupUid ?? '',
      lockerName ?? '',
      shipmentUid,
    ],
  );
  if (known.length + others.length === 0) return [];
  return table(
    ['shipment', 'state', '', 'since (UTC)', 'pick up point', 'locker', 'uid'],
    [...known, ...others],
  );
}

/** Somebody must fetch each. */
function itemsLeft({ itemsLeft: items }: Progress): string[] {
  return items.map(
    ({ role, pupUid, lockerName, shipmentUid }) =>
      `left in locker ${lockerName ?? 'unknown'} of ${pupUid ?? 'unknown'}: the item of ${role ?? shipmentUid}; somebody must fetch it`,
  );
}

function deadlines({ deadlines: open }: Progress, now: Date): string[] {
  if (open.length === 0) return [];
  const rows = open.map(({ role, stage, until, passed, ahead }) => {
    const left = passed ? 'passed' : `in ${span(Date.parse(until) - now.getTime())}`;
    return [`${role}.${stage}`, utc(until), ahead ? `${left}; holds once ${stage} begins` : left];
  });
  return table(['deadline', 'until (UTC)', ''], rows);
}

function reports({ reportHistory, shipments: legs }: Progress): string[] {
  const roles = new Map(Object.entries(legs).map(([role, { shipmentUid }]) => [shipmentUid, role]));
  const rows = reportHistory
    .slice(-REPORTS_SHOWN)
    .map(({ receivedAt, shipmentUid, stateCode, judgement, times }) => [
      utc(receivedAt),
      roles.get(shipmentUid) ?? 'unknown',
      shipmentUid,
      stateCode,
      judgement,
      times > 1 ? `${times} times` : '',
    ]);
  return table(['last reports (UTC)', 'of', 'uid', 'state', 'what became of it', ''], rows);
}
