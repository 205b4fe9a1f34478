// Describes what a process waits for, as data and as text: the only source of these texts for the Web UI, the command line, the
// console and the `progress` query.
import type { Awaits, DecisionReason } from '../../contract/flows/flow-answers.ts';
import type { Instant, Role, Stage } from '../../contract/flows/flow-input.ts';

/** One thing that a process waits for, with the fields of its kind. */
export type WaitingFor =
  | { readonly kind: 'booking'; readonly since: Instant; readonly isLockerAwaited: boolean }
  | { readonly kind: 'undoing' }
  | DecisionAwaited
  | LegAwaited
  | {
      readonly kind: 'answer';
      readonly id: string;
      readonly of: string;
      readonly question: string;
      readonly since: Instant;
      readonly until: Instant | null;
      readonly holder?: string | undefined;
      readonly due?: Instant | undefined;
    }
  | {
      readonly kind: 'flow' | 'call';
      readonly id: string;
      readonly type: string;
      readonly since: Instant;
      readonly key?: string;
    }
  | {
      readonly kind: 'time';
      readonly id: string;
      readonly summary: string;
      readonly since: Instant;
      readonly until: Instant;
    }
  | {
      readonly kind: 'batch';
      readonly id: string;
      readonly src: string;
      readonly total: number;
      readonly done: number;
      readonly failed: number;
      readonly open: number;
    }
  | { readonly kind: 'event'; readonly events: readonly string[] }
  | { readonly kind: 'definition' };

interface DecisionAwaited {
  readonly kind: 'decision';
  readonly reason: DecisionReason;
  /** Part of a sentence; codes are in backticks. */
  readonly why: string;
  /** The command that decides, and its action if there is only one. */
  readonly by: string;
  readonly since?: Instant | null;
  readonly shipmentUid?: string;
}

interface LegAwaited {
  readonly kind: 'leg';
  readonly role: Role;
  readonly shipmentUid: string | null;
  readonly waitsFor:
    | Stage
    | 'report'
    | 'end'
    | { readonly role: Role; readonly isDropOff: boolean }
    | 'begin';
  readonly since: Instant | null;
  readonly until: Instant | null;
  readonly isOverdue: boolean;
  readonly lastPickUp?: string;
}

export function awaits(awaited: WaitingFor): Awaits {
  switch (awaited.kind) {
    case 'booking': {
      const words = awaited.isLockerAwaited ? 'the booking, and a free locker for it' : 'the booking';
      return { ...unspecified, kind: 'booking', who: 'service', since: awaited.since, words };
    }
    case 'undoing':
      return { ...unspecified, kind: 'undoing', who: 'service', words: 'the flow to be undone' };
    case 'decision':
      return decision(awaited);
    case 'leg':
      return leg(awaited);
    case 'answer': {
      const { kind, id, of, question, since, until, holder, due } = awaited;
      const ends = [due && ` by ${minute(due)}`, until && ` until ${minute(until)}`].join('');
      // Without the holder's name, because the Web UI shows this text.
      const words = `an answer of ${of}${holder === undefined ? '' : ' (claimed)'}: ${question}${ends}`;
      return { kind, who: of, id, since, until, ...(holder !== undefined && { holder }), words };
    }
    case 'flow':
    case 'call': {
      const { kind, id, type, since, key } = awaited;
      return { ...unspecified, kind, id, type, since, ...(key !== undefined && { key }), words: type };
    }
    case 'time': {
      const { kind, id, summary, since, until } = awaited;
      return { ...unspecified, kind, id, since, until, words: `${summary}: ${until}` };
    }
    case 'batch': {
      const { kind, id, src: type, total, done, failed, open } = awaited;
      const words = `${id}: ${done} of ${total} done, ${failed} failed, ${open} at work`;
      return { ...unspecified, kind, id, type, words };
    }
    case 'event': {
      const { kind, events } = awaited;
      return { ...unspecified, kind, who: 'outside', events, words: `events: ${events.join(', ')}` };
    }
    case 'definition':
      return { ...unspecified, kind: 'definition', words: 'the definition of its flow' };
  }
}

const unspecified = { who: null, since: null, until: null } as const;

const decision = ({ kind, reason, why, by, since = null, shipmentUid }: DecisionAwaited): Awaits => ({
  ...unspecified,
  kind,
  who: 'operator',
  since,
  reason,
  why: why.replaceAll('`', ''),
  ...(shipmentUid !== undefined && { shipmentUid }),
  words: `a person: ${why} (${by})`,
});

const stages = ['dropOff', 'receiver', 'pickUp'] as const;

const actorOfStage: Readonly<Record<Stage, string>> = {
  dropOff: 'sender',
  receiver: 'dispatcher',
  pickUp: 'receiver',
};

function leg(awaited: LegAwaited): Awaits {
  const { kind, role, shipmentUid, waitsFor, since, until, isOverdue } = awaited;
  const stage = stages.find((each) => each === waitsFor);
  return {
    kind,
    role,
    since,
    until,
    ...(stage && { stage }),
    who: whoOf(waitsFor, stage),
    ...(shipmentUid !== null && { shipmentUid }),
    ...(isOverdue && { isOverdue }),
    words: `${role} ${waitWords(awaited)}${endWords(awaited)}`,
  };
}

function whoOf(waitsFor: LegAwaited['waitsFor'], stage: Stage | undefined): string | null {
  if (stage) return actorOfStage[stage];
  if (waitsFor === 'report') return 'service';
  return waitsFor === 'end' ? 'dispatcher' : null;
}

const waits = {
  report: 'to be reported',
  dropOff: 'to be dropped off',
  receiver: 'to get a receiver',
  pickUp: 'to be picked up',
  begin: 'to begin',
  end: 'to be cancelled: it is kept booked',
} as const;

function waitWords({ waitsFor, lastPickUp }: LegAwaited): string {
  if (typeof waitsFor === 'object')
    return `to begin when ${waitsFor.role} is ${waitsFor.isDropOff ? 'dropped off' : 'picked up'}`;
  return `${waits[waitsFor]}${lastPickUp === undefined ? '' : `, last picked up ${lastPickUp}`}`;
}

const endWords = ({ until, isOverdue }: LegAwaited): string =>
  until === null ? '' : ` ${isOverdue ? 'overdue since' : 'until'} ${minute(until)}`;

/** Formats an instant for people, to the minute. */
export function minute(instant: number | string): string {
  return `${new Date(instant).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
