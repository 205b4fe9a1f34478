// What happened, for people: a sentence for each entry of the timeline, from its data.

import { roles } from '../../contract/flows/flow-input.ts';
import { OUTREACH_DELIVERY } from '../../contract/flows/outreach.ts';
import type { MovedFrom } from '../../contract/flows/search-attributes.ts';
import { stateCodes } from '../../contract/wire/states.ts';
import { t } from '../../shared/texts/text.ts';
import { callDone, formatCallFailed, formatCallTimedOut } from './call-sentences.ts';
import { forItem } from './format-invoke.ts';
import {
  formatDeadline,
  formatFlowName,
  formatName,
  formatState,
  isInStock,
  isStockRole,
  legOf,
  spaced,
} from './format-names.ts';
import { durationIsOver, formatEvent, type Names, readable } from './readable.ts';
import { bad, formatReason, NOTHING, type Sentence, said } from './sentence.ts';
import { nameIn, type TimelineEntry } from './timeline.ts';
import type { StartedAgainAfter, TimelineData, TimerData } from './timeline-data.ts';
import { formatUpdate } from './updates.ts';

export function sentenceOf(entry: Pick<TimelineEntry, 'data' | 'by' | 'onBehalfOf'>, names: Names): Sentence {
  const { data } = entry;
  switch (data.type) {
    case 'started':
      return said(formatStart(data, names));
    case 'continued':
    case 'callBegun':
    case 'callCancelled':
    case 'timerBegun':
    case 'timerDropped':
      return NOTHING;
    case 'flowStarted':
      // What became of it stands below what was sent.
      if (data.flow === OUTREACH_DELIVERY) return NOTHING;
      return said(t`it starts ${formatStarted(data)}`);
    case 'told':
    case 'toldBy':
      return toldBetween(data);
    case 'sent':
      return said(formatSent(data));
    case 'callDone':
      return callDone(data);
    case 'callFailed':
      return bad(formatCallFailed(data, names));
    case 'callTimedOut':
      return bad(formatCallTimedOut(data));
    case 'timerPassed':
      return timerPassed(data, names);
    case 'reported': {
      const late = data.source === 'reconciler' ? t`; its callback had not come` : '';
      return said(isState(formatShipment(data, names), data, late));
    }
    case 'superseded':
      return said(t`another case takes over ${formatShipment(data, names)}`);
    case 'alsoFollowed':
      return said(t`another case also follows ${formatShipment(data, names)}`);
    case 'signalled':
      // The end of a flow that it has started.
      if (data.name === 'childEvent') return NOTHING;
      return signalled(data, nameIn(entry), names);
    case 'updated':
      return updated(data, nameIn(entry));
    case 'phase':
      return formatPhase(data.phase);
    case 'workerFailed':
      return bad(t`a worker failed at it: ${formatReason(data.failure, names)}`);
    case 'cancelRequested':
      return cancelled(nameIn(entry));
    case 'ended':
      return said(
        data.outcome === null ? t`it ends` : t`it ends: ${formatState(data.outcome).toLowerCase()}`,
      );
    case 'cancelled':
      return said(t`it ends: ${formatState('Cancelled').toLowerCase()}`);
    case 'failed':
      return bad(t`it fails: ${formatReason(data.failure, names)}`);
    case 'terminated': {
      const why = data.reason ?? t`no reason given`;
      return { ...bad(t`it is terminated, and nothing is undone: ${readable(why, names)}`), saysWhy: true };
    }
    case 'timedOut':
      return bad(t`its time is over`);
  }
}

function formatStart({ startedAgainAfter, movedFrom }: Start, names: Names): string {
  if (startedAgainAfter) return formatStartedAgain(startedAgainAfter, names);
  return movedFrom ? formatMovedFrom(movedFrom) : t`it is started`;
}

type Start = Extract<TimelineData, { type: 'started' }>;

/** The key stands at its end: there the page has its link. */
const formatMovedFrom = ({ key, lockerName }: MovedFrom): string =>
  lockerName === null ? t`moved from ${key}` : t`moved from locker ${lockerName} of ${key}`;

function formatStartedAgain({ at, status, failure }: StartedAgainAfter, names: Names): string {
  const before = at === null ? t`the start before` : t`the start before, ${at},`;
  switch (status) {
    case 'Failed':
      return failure
        ? t`it is started again: ${before} failed: ${formatReason(failure, names)}`
        : t`it is started again: ${before} failed`;
    case 'Cancelled':
      return t`it is started again: ${before} was cancelled`;
    case 'Terminated':
      return t`it is started again: ${before} was terminated`;
    case 'TimedOut':
      return t`it is started again: ${before} took too long`;
    default:
      return t`it is started again: ${before} ended with a result`;
  }
}

/** Between a flow and the one that has started it. What a booking tells, it says in its own words where it happens. */
function toldBetween(data: Extract<TimelineData, { type: 'told' | 'toldBy' }>): Sentence {
  if (isOfBooking(data.event)) return NOTHING;
  const event = formatEvent(data.event);
  return said(
    data.type === 'told'
      ? t`it tells ${formatStarted(data)}: “${event}”`
      : t`${formatStarted(data)} tells it: “${event}”`,
  );
}

interface StartedFlow {
  readonly flow: string | null;
  readonly key: string | null;
  readonly itemTitle?: string;
}

const formatStarted = ({ flow, key, itemTitle }: StartedFlow): string =>
  flow === null ? (key ?? t`a flow that it has started`) : forItem(`“${formatFlowName(flow)}”`, itemTitle);

const OF_BOOKING = new RegExp(
  `^(?:(?:${roles.join('|')})\\.(?:${stateCodes.join('|')}|overdue)|needsPerson)$`,
);
const isOfBooking = (event: string): boolean => OF_BOOKING.test(event);

function formatSent({ event: type, where, processes, isWaiting, until }: Sent): string {
  const event = formatEvent(type);
  const keys = Object.entries(where)
    .map(([key, value]) => `${spaced(key)} ${value}`)
    .join(', ');
  if (processes === null) return t`it tells whoever has ${keys}: “${event}”`;
  if (processes === 0)
    return isWaiting
      ? t`nobody with ${keys} has heard “${event}” yet: it waits until ${until}`
      : t`nobody with ${keys} has heard “${event}”`;
  return processes === 1
    ? t`it tells 1 case with ${keys}: “${event}”`
    : t`it tells ${processes} cases with ${keys}: “${event}”`;
}

type Sent = Extract<TimelineData, { type: 'sent' }>;
type Signalled = Extract<TimelineData, { type: 'signalled' }>;

/** @param who Null: nobody has said so. */
const cancelled = (who: string | null): Sentence =>
  who === null ? said(t`it is cancelled`) : { ...said(t`${who} cancels it`), saysWho: true };

/** @param who Null: nobody has said so */
function signalled(data: Signalled, who: string | null, names: Names): Sentence {
  const { name, event: type } = data;
  // The type is missing if the event cannot be decoded.
  const read = name === 'event' ? type : name;
  if (read === null) return said(t`it hears of an event`);
  const event = formatEvent(read);
  const became = formatBecame(data, names);
  return {
    ...(who === null
      ? said(t`it hears: “${event}”${became}`)
      : { ...said(t`${who} tells it: “${event}”${became}`), saysWho: true }),
    ...(data.putAside !== undefined && { isBad: true }),
  };
}

/** What follows the event in its sentence: nothing if it was taken. */
function formatBecame({ isRepeated, putAside }: Signalled, names: Names): string {
  if (putAside !== undefined) return t`, which is put aside: ${readable(putAside, names)}`;
  return isRepeated ? t`, again with the same id: it takes effect once` : '';
}

function formatShipment(
  { role, shipmentUid }: { readonly role: string | null; readonly shipmentUid: string },
  names: Names,
): string {
  return role === null ? (names.get(shipmentUid) ?? t`a shipment whose role is not known`) : legOf(role);
}

function isState(
  leg: string,
  { stateCode, role }: { readonly stateCode: string; readonly role: string | null },
  more: string,
): string {
  if (isInStock(stateCode, isStockRole(role))) return `${leg}: ${t`in stock`}${more}`;
  const words = formatState(stateCode);
  return `${leg} ${stateCode === 'WaitForReceiver' ? words : t`is ${words}`}${more}`;
}

function formatPhase(phase: string): Sentence {
  if (phase === 'Overdue') return bad(t`it is overdue now`);
  return phase === 'NeedsPerson' ? bad(t`it needs a person now`) : NOTHING;
}

function timerPassed({ timer, deadline, delay }: TimerData, names: Names): Sentence {
  if (deadline) {
    const words = formatDeadline(deadline.role, deadline.stage);
    return deadline.isReminder
      ? said(t`it is time for the reminder before ${words}`)
      : bad(t`${words} has passed`);
  }
  const isOver = durationIsOver(delay?.after ?? timer);
  if (isOver) return said(isOver);
  const [, state] = COMPUTED.exec(timer) ?? [];
  if (state !== undefined) return said(t`its time in “${formatState(state)}” is over`);
  return said(t`its time is over: ${readable(timer, names)}`);
}

/** How the engine names a timer whose end is computed. */
const COMPUTED = /^wait in (.+)$/;

/** One that we do not know is told by its name. */
function updated({ name, fields, values, moved }: Update, by: string | null): Sentence {
  const update = formatUpdate(name, fields, by ?? `${fields.by ?? t`somebody`}`, { values, moved });
  if (!update) return said(formatName(name));
  const { words, saysWho, saysWhy } = update;
  return { ...said(words), ...(saysWho && { saysWho, saysWhy }) };
}

type Update = Extract<TimelineData, { type: 'updated' }>;
