// Messages of event correlation: an event addresses processes by keys of their data instead of workflow ids. Senders and
// processes exchange them through mailboxes, one per key and value.
import type { Attribution } from './attribution.ts';

/** Values by key, such as `{ device: 'laptop-7' }`. */
export type CorrelationKeys = Readonly<Record<string, string>>;

/** An event for every process that has all these keys and listens for its type. */
export interface CorrelatedEvent {
  readonly type: string;
  /** Deduplicates the event. */
  readonly id: string;
  readonly where: CorrelationKeys;
  /** A JSON value. */
  readonly data: unknown;
  /** Who has sent it and why. The histories of the processes keep it. */
  readonly who?: Attribution;
  /** How long the event waits for processes that begin to listen later. */
  readonly keepForMs: number;
  /** How long the id is known for deduplication: one hour if absent, and never less than `keepForMs`. */
  readonly knownForMs?: number;
}

/** The event types that a process listens for, under its keys. */
export interface Listening {
  readonly flow: string;
  readonly keys: CorrelationKeys;
  /** The event types of the file's `on`; may contain wildcards. */
  readonly hears: readonly string[];
}

/** Identifies a process across continue-as-new. */
export interface ListeningProcess {
  readonly workflowId: string;
  readonly firstRunId: string;
}

export const mailboxSignals = { event: 'event', listen: 'listen', leave: 'leave' } as const;

// Locks and rate limits: a process asks for a permit by a key of its data, and gets it in its turn. What processes and the queues
// of permits say to each other.

/** A permit of a lock is held until it is released; one of a rate limit is used up as it is given. */
export type PermitSource = 'lock' | 'rate';

export interface PermitRequest {
  readonly src: PermitSource;
  readonly key: string;
  /** The id of the invoke: it has one request at a time. */
  readonly invoke: string;
  /** Another one each time the invoke begins: which time it is, a hyphen, and a random part. */
  readonly id: string;
  /** How many may hold a permit at once, or get one in each period. */
  readonly limit: number;
  /** The period of a rate limit, in milliseconds. */
  readonly perMs?: number;
}

/** A process and its request. */
export interface Requested extends PermitRequest {
  readonly process: ListeningProcess;
  /** Milliseconds since 1970: when it was asked for. */
  readonly since: number;
  /** When it was given. */
  readonly heldSince?: number;
}

/** The signals to a queue of permits. */
export const permitSignals = { request: 'request', release: 'release' } as const;

/** The signal to a process: it has a permit now, or cannot have one. */
export const PERMIT_SIGNAL = 'permit';

export interface Permit extends Pick<PermitRequest, 'src' | 'invoke' | 'id'> {
  /** The workflow id of the queue that gives it. */
  readonly queue: string;
  /** Too many wait for one already. */
  readonly isRefused?: true;
}

/** The answer of a queue to the query `permits`. */
export interface PermitQueueView {
  readonly src: PermitSource;
  readonly key: string;
  readonly holders: readonly PermitHolderView[];
  /** The next one first; the first ones of many. */
  readonly waiting: readonly PermitHolderView[];
  readonly waitingCount: number;
  /** Only for a rate limit: how many it has given within the present period. */
  readonly given?: number;
}

export interface PermitHolderView {
  readonly process: string;
  readonly invoke: string;
  /** ISO 8601: since when it waits, or holds it. */
  readonly since: string;
}
