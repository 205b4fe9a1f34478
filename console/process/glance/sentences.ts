// What happened, for people: a sentence for each entry of the timeline, from its data.

import { formatName, formatRole, formatState } from '../../../processes/views/format-names.ts';
import type { TimelineEntry } from '../../../processes/views/timeline.ts';
import type {
  CallData,
  FailureData,
  TimelineData,
  TimerData,
} from '../../../processes/views/timeline-data.ts';
import { durationIsOver, formatDuration, formatEvent, type Names, readable, sentence } from './readable.ts';

interface Sentence {
  /** Null: only developers need to know. */
  readonly words: string | null;
  readonly isBad?: true;
}

const NOTHING: Sentence = { words: null };

const said = (words: string): Sentence => ({ words: sentence(words) });
const bad = (words: string): Sentence => ({ words: sentence(words), isBad: true });

/** @param what the words of developers, for what has no better ones */
export function sentenceOfEntry(
  { data, what }: Pick<TimelineEntry, 'data' | 'what'>,
  names: Names,
): Sentence {
  switch (data.type) {
    case 'started':
      return said('it is started');
    case 'continued':
    case 'callBegun':
    case 'callCancelled':
    case 'timerBegun':
    case 'timerDropped':
      return NOTHING;
    case 'flowStarted':
      return said(`it starts “${formatName(data.flow)}”`);
    case 'callDone':
      return callDone(data);
    case 'callFailed':
      return bad(`${callWords(data)} failed: ${reason(data.failure, names)}`);
    case 'callTimedOut':
      return bad(`${callWords(data)} took too long`);
    case 'timerPassed':
      return timerPassed(data, names);
    case 'reported': {
      const late = data.source === 'reconciler' ? '; its callback had not come' : '';
      return said(isState(shipmentWords(data, names), data.stateCode, late));
    }
    case 'superseded':
      return said(`another process takes over ${shipmentWords(data, names)}`);
    case 'signalled':
      return said(signalWords(data.name === 'event' ? data.event : data.name));
    case 'updated':
      return said(formatUpdate(data) ?? readable(what, names));
    case 'phase':
      return phaseWords(data.phase);
    case 'workerFailed':
      return bad(`a worker failed at it: ${reason(data.failure, names)}`);
    case 'cancelRequested':
      return said('its cancellation is asked for');
    case 'ended':
      return said(data.outcome === null ? 'it ends' : `it ends: ${formatState(data.outcome).toLowerCase()}`);
    case 'cancelled':
      return said(`it ends: ${formatState('Cancelled').toLowerCase()}`);
    case 'failed':
      return bad(`it fails: ${reason(data.failure, names)}`);
    case 'terminated': {
      const why = data.reason ?? 'no reason given';
      return bad(`it is terminated, and nothing is undone: ${readable(why, names)}`);
    }
    case 'timedOut':
      return bad('its time is over');
  }
}

const stageNames: Readonly<Record<string, string>> = {
  dropOff: 'to be dropped off',
  pickUp: 'to be picked up',
  receiver: 'to get a receiver',
};

/** @param name of an event of a flow file, or of another signal; null: nobody can read it */
const signalWords = (name: string | null): string =>
  name === null ? 'it hears of an event' : `it hears: “${formatEvent(name)}”`;

const legOf = (role: string): string => `the ${formatRole(role).toLowerCase()}`;

const deadlineWords = (role: string, stage: string): string =>
  `the deadline for ${legOf(role)} ${stageNames[stage] ?? stage}`;

function shipmentWords(
  { role, shipmentUid }: { readonly role: string | null; readonly shipmentUid: string },
  names: Names,
): string {
  return role === null ? (names.get(shipmentUid) ?? 'a shipment that is not known yet') : legOf(role);
}

function isState(leg: string, state: string, more = ''): string {
  const words = formatState(state);
  return `${leg} ${state === 'WaitForReceiver' ? words : `is ${words}`}${more}`;
}

function phaseWords(phase: string): Sentence {
  if (phase === 'Overdue') return bad('it is overdue now');
  return phase === 'NeedsPerson' ? bad('it needs a person now') : NOTHING;
}

const reason = ({ code, message }: FailureData, names: Names): string =>
  readable(message ?? code ?? 'no reason given', names);

/** By the type of the activity. Others are the process's own affair. */
const done: Readonly<Record<string, string>> = {
  book: 'it is booked',
  undo: 'what was booked is undone',
  changeReceiver: 'the receiver is changed',
  createOrGetAccount: 'the account is found or created',
  setAccountDetails: 'the details of the account are set',
  setAccountMutationConfig: 'what the person may change is set',
  setAccountPickUpPoint: 'the pick up point of the account is set',
};

function callDone({ activity, id, connector, operation }: CallData): Sentence {
  if (connector !== null)
    return said(`${formatName(connector)} has answered “${formatName(id ?? connector).toLowerCase()}”`);
  const words = done[activity] ?? (operation === null ? undefined : `${formatName(operation)} is done`);
  return words === undefined ? NOTHING : said(words);
}

/** As the subject of a sentence. */
function callWords({ activity, connector, operation }: CallData): string {
  if (activity === 'book') return 'the booking';
  if (activity === 'undo') return 'the undoing';
  return formatName(connector ?? operation ?? activity);
}

function timerPassed({ timer, deadline, delay }: TimerData, names: Names): Sentence {
  if (deadline) {
    const words = deadlineWords(deadline.role, deadline.stage);
    return deadline.isReminder
      ? said(`it is time for the reminder before ${words}`)
      : bad(`${words} has passed`);
  }
  const words = delay && formatDuration(delay.after);
  return said(words ? durationIsOver(words) : `its time is over: ${readable(timer, names)}`);
}

const decisions: Readonly<Record<string, string>> = {
  retry: 'try again',
  adopt: 'take over what was booked',
  setState: 'from now on',
  giveUp: 'give it up',
};

type Update = Extract<TimelineData, { type: 'updated' }>;

/** Null: the words of developers will do. */
function formatUpdate({ name, fields, values }: Update): string | null {
  const { by, why, role, stage, timer, question, action, stateCode } = fields;
  switch (name) {
    case 'extendDeadline':
      return `${timer ? 'its time' : deadlineWords(`${role}`, `${stage}`)} is extended ${untilWords(fields)}`;
    case 'setReceiver':
      return `a receiver is set for ${legOf(`${role}`)}`;
    case 'removeReceiver':
      return `the receiver of ${legOf(`${role}`)} is removed`;
    case 'answer': {
      const given = Object.entries(values ?? {}).map(([field, value]) => `${field} ${valueWords(value)}`);
      const asked = formatName(`${question}`).toLowerCase();
      return `${by} answers “${asked}”${given.length === 0 ? '' : `: ${given.join(', ')}`}`;
    }
    case 'resolve': {
      const words = decisions[`${action}`] ?? formatName(`${action}`).toLowerCase();
      const leg = role ? ` ${legOf(`${role}`)} is ${formatState(`${stateCode ?? 'Unknown'}`)}` : '';
      return `${by} decides: ${words}${leg}, because ${why}`;
    }
    default:
      return null;
  }
}

function untilWords({ until, fromNow }: Update['fields']): string {
  return until ? `until ${until}` : `to ${formatDuration(`${fromNow}`) ?? fromNow} from then`;
}

function valueWords(value: string | number | boolean): string {
  if (typeof value !== 'boolean') return `${value}`;
  return value ? 'yes' : 'no';
}
