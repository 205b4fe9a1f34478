// Events by correlation: an event names processes by keys of their data, in place of their workflow ids. What senders, processes
// and the mailboxes between them say to each other.

/** By name, such as `{ device: 'laptop-7' }`; always texts. */
export type CorrelationKeys = Readonly<Record<string, string>>;

/** An event for every process that has all these keys and listens for its type. */
export interface CorrelatedEvent {
  readonly type: string;
  /** Each counts once. */
  readonly id: string;
  readonly where: CorrelationKeys;
  /** JSON. */
  readonly data: unknown;
  readonly keepForMs: number;
  /** How long the same id again is the same event; an hour unless given, and never shorter than `keepForMs`. */
  readonly knownForMs?: number;
}

/** What a process listens for. */
export interface Listening {
  readonly flow: string;
  readonly keys: CorrelationKeys;
  /** As they are written in `on`; they may be wildcards. */
  readonly hears: readonly string[];
}

/** A process, whatever run of it is the current one. */
export interface ListeningProcess {
  readonly workflowId: string;
  readonly firstRunId: string;
}

/** The signals to a mailbox. */
export const mailboxSignals = { event: 'event', listen: 'listen', leave: 'leave' } as const;
