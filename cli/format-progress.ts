// The progress of a process as lines for a person: where it stands, what it waits for, and what it has booked.
import { formatAttribution } from '../contract/flows/attribution.ts';
import type { BookingProgress } from '../contract/flows/booking-progress.ts';
import type { ProcessProgress, WaitingFor } from '../contract/flows/flow-answers.ts';
import type { WaitCode } from '../contract/flows/wait-codes.ts';
import { shortened } from '../contract/wire/format-issue.ts';
import { formatDropped, formatMisfit } from '../flows/language/machine/incoming.ts';
import { formatStatePaths, shipmentsIn, span, wholeBooking } from '../processes/views/progress.ts';
import { table } from '../shared/terminal/table.ts';
import { utc } from './moments.ts';

/** The last reports that are shown; all are in the JSON. */
const REPORTS_SHOWN = 8;

export function formatProgress(progress: ProcessProgress, now: Date = new Date()): string[] {
  const { flow, version, bookings } = progress;
  return [
    `${version === 0 ? flow : `${flow}@${version}`}: ${formatStatus(progress)}`,
    ...stateLines(progress),
    ...waitingForLines(progress),
    ...chartLines(progress),
    ...noteLines(progress),
    ...section(dataLines(progress)),
    ...section(shipments(progress)),
    ...section(bookings.flatMap(itemsLeft)),
    ...section(deadlines(progress, now)),
    ...section(reports(progress)),
    ...bookings.flatMap(resolutions),
  ];
}

export function formatStatus(progress: ProcessProgress): string {
  const { activity, phase } = progress;
  const more = activity === 'Ended' ? wholeBooking(progress)?.outcome : phase;
  return more && more !== activity ? `${activity}, ${more}` : activity;
}

/** Empty where a booking is the whole process: its shipments say it. */
function stateLines(progress: ProcessProgress): string[] {
  if (wholeBooking(progress)) return [];
  const { state, titles = [] } = progress;
  const named = titles.length > 0 ? ` (${titles.join(', ')})` : '';
  return [`  in: ${formatStatePaths(state)}${named}`];
}

function chartLines({
  halted,
  undoable = [],
  keys = {},
  kept = [],
  dropped,
  misfits = [],
  output,
}: ProcessProgress): string[] {
  return [
    ...(halted ? ['', `  stands still: ${halted.code} at ${halted.event}`] : []),
    ...(undoable.length > 0 ? [`  can be undone: ${undoable.join(', ')}`] : []),
    ...Object.entries(keys).map(([key, value]) => `  found by: ${key}=${value}`),
    ...kept.map(({ type, until }) => `  keeps: ${type} until ${until}`),
    ...(dropped > 0 ? [`  ${formatDropped(dropped)}`] : []),
    ...misfits.map((each) => `  ${formatMisfit(each)}`),
    ...(output !== undefined ? [`  result: ${JSON.stringify(output)}`] : []),
  ];
}

/** In one line: it may have been typed in several. */
function noteLines({ note }: ProcessProgress): string[] {
  if (!note) return [];
  const { text, at } = note;
  return [`  note: ${text.replaceAll(/\s+/g, ' ')} (${formatAttribution(note)}, ${utc(at)} UTC)`];
}

/** What it waits for several times, such as the flows of an `each`, stands in one line. */
function waitingForLines(progress: ProcessProgress): string[] {
  const all = progress.waitingFor.map((awaited) => formatAwaited(awaited, progress));
  return [...new Set(all)].map((text) => {
    const times = all.filter((each) => each === text).length;
    return `  waiting for: ${text}${times > 1 ? ` (${times} of them)` : ''}`;
  });
}

/** The verbs that decide, where the process names its updates. */
export const decidedBy: Readonly<Partial<Record<WaitCode, string>>> = {
  BookingUnknown: 'retry, adopt or give-up',
  NotUndone: 'retry, adopt, set-state or give-up',
  Contradiction: 'set-state',
  LegsUnmatched: 'adopt',
  LegsIndistinct: 'adopt',
  Halted: 'migrate, drop-event or give-up',
};

/** As the process words it for programs; a decision by what is typed here. */
export function formatAwaited({ code, why, words }: WaitingFor, { halted }: ProcessProgress): string {
  const verbs = decidedBy[code];
  if (verbs === undefined) return words;
  const { details } = halted ?? {};
  const stopped =
    halted && details && `the step for ${halted.event} cannot be taken: ${formatFault(details)}`;
  const text = code === 'Halted' ? (stopped ?? why) : why;
  return text ? `a person: ${text} (${verbs})` : words;
}

type Fault = NonNullable<NonNullable<ProcessProgress['halted']>['details']>;

const formatFault = ({ path, expression, reason }: Fault): string =>
  [path, expression, reason.replace(/[\s;]+$/, '')].filter(Boolean).join(': ');

/** Longer values are cut. */
const VALUE_SHOWN = 100;

function dataLines({ context }: ProcessProgress): string[] {
  const fields = Object.entries((context ?? {}) as Readonly<Record<string, unknown>>);
  const rows = fields.map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return [name, shortened(text, VALUE_SHOWN)];
  });
  return rows.length === 0 ? [] : table(['data', ''], rows);
}

/** A role, and where the process has several bookings, of which. */
const ofBooking = ({ bookings }: ProcessProgress, { id }: BookingProgress, role: string): string =>
  bookings.length > 1 ? `${id}: ${role}` : role;

const section = (lines: readonly string[]): string[] => (lines.length > 0 ? ['', ...lines] : []);

function shipments(progress: ProcessProgress): string[] {
  const rows = shipmentsIn(progress).map(({ booking, role, possibleRoles, shipment, isDone }) => {
    const { stateCode, stateStart, pupUid, lockerName, shipmentUid } = shipment;
    return [
      ofBooking(progress, booking, role ?? `unknown: ${possibleRoles.join(' or ')}`),
      stateCode ?? 'Unknown',
      isDone ? 'done' : '',
      utc(stateStart),
      pupUid ?? '',
      lockerName ?? '',
      shipmentUid,
    ];
  });
  if (rows.length === 0) return [];
  return table(['shipment', 'state', '', 'since (UTC)', 'pick up point', 'locker', 'uid'], rows);
}

/** Somebody must fetch each. */
function itemsLeft({ itemsLeft: items }: BookingProgress): string[] {
  return items.map(
    ({ role, pupUid, lockerName, shipmentUid }) =>
      `left in locker ${lockerName ?? 'unknown'} of ${pupUid ?? 'unknown'}: the item of ${role ?? shipmentUid}; somebody must fetch it`,
  );
}

function deadlines(progress: ProcessProgress, now: Date): string[] {
  const rows = progress.bookings.flatMap((booking) =>
    booking.deadlines.map(({ role, stage, until, passed, ahead }) => {
      const ms = Date.parse(until) - now.getTime();
      const left = passed || (ahead && ms <= 0) ? 'passed' : formatLeft(ms);
      const name = ofBooking(progress, booking, `${role}.${stage}`);
      return [name, utc(until), ahead ? `${left}; holds once ${stage} begins` : left];
    }),
  );
  return rows.length === 0 ? [] : table(['deadline', 'until (UTC)', ''], rows);
}

/** A process that has stopped, or whose worker has, does not notice that a deadline passes. */
const formatLeft = (ms: number): string =>
  ms > 0 ? `in ${span(Math.max(ms, 1_000))}` : 'due; the process has not noticed it yet';

function reports(progress: ProcessProgress): string[] {
  const all = progress.bookings.flatMap((booking) => {
    const roles = new Map(Object.entries(booking.shipments).map(([role, leg]) => [leg.shipmentUid, role]));
    return booking.reportHistory.map((report) => ({
      ...report,
      of: ofBooking(progress, booking, roles.get(report.shipmentUid) ?? 'unknown'),
    }));
  });
  if (all.length === 0) return [];
  const rows = all
    .toSorted((one, other) => one.receivedAt.localeCompare(other.receivedAt))
    .slice(-REPORTS_SHOWN)
    .map(({ receivedAt, of, shipmentUid, stateCode, judgement, times }) => [
      utc(receivedAt),
      of,
      shipmentUid,
      stateCode,
      judgement,
      times > 1 ? `${times} times` : '',
    ]);
  return table(['last reports (UTC)', 'of', 'uid', 'state', 'what became of it', ''], rows);
}

const resolutions = ({ resolutions: all }: BookingProgress): string[] =>
  all.flatMap(({ action, why, at, ...who }) => [
    '',
    `resolved: ${action} by ${formatAttribution(who)}, ${at}: ${why}`,
  ]);
