// Messages of event correlation: an event addresses processes by keys of their data instead of workflow ids. Senders and
// processes exchange them through queues, one per key and value.
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
  /** The flows that the event starts: their processes do not get it again. */
  readonly starts?: readonly string[];
  /** How long the event waits for processes that begin to listen later. */
  readonly keepForMs: number;
}

/** The event types that a process listens for, under its keys. */
export interface Listening {
  readonly flow: string;
  readonly keys: CorrelationKeys;
  /** The event types of the file's `on`; may contain wildcards. */
  readonly subscriptions: readonly string[];
}

/** Identifies a process across continue-as-new. */
export interface ListeningProcess {
  readonly workflowId: string;
  readonly firstRunId: string;
}

/** An event in a queue, without what it says. */
export interface QueuedEvent {
  readonly type: string;
  readonly id: string;
  readonly where: CorrelationKeys;
  /** ISO 8601. */
  readonly sentAt: string;
  /** Until then, ISO 8601, it waits for processes that begin to listen. */
  readonly until: string;
  /** The flows whose processes have received it, or that it has started. */
  readonly takenBy: readonly string[];
  /** How many processes have received it. */
  readonly processes: number;
}

/** The newest events of a queue. */
export interface QueuedEvents {
  readonly events: readonly QueuedEvent[];
  /** Whether there are no older ones. */
  readonly isComplete: boolean;
}

/** What a queue says of an event before it has it. */
export interface EventOutlook {
  /** How many processes get it. */
  readonly processes: number;
  /** It knows the id: the event takes effect once. */
  readonly isRepeated: boolean;
}

/**
 * `listening` takes type, `where` and `id` of an event, and gives an EventOutlook; `queued` takes keys, and gives the QueuedEvents
 * that have them.
 */
export const queueQueries = { listening: 'listening', queued: 'queued' } as const;

export const queueSignals = { event: 'event', listen: 'listen', leave: 'leave' } as const;
