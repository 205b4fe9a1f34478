// Notifications of what is new in Work: what the workflow NotifyOfWork and its activities say to each other. A workflow keeps them,
// so they hold no more than a reader of Work without the right to decide may see.

/** An entry of Work of which people were notified. */
export interface NotifiedEntry {
  readonly kind: string;
  /** When they were last notified of it. */
  readonly at: string;
  readonly isUrgent: boolean;
  /** Since when it is not in Work any more; it may come back, as a door that sticks does. */
  readonly goneSince?: string;
}

/** What is kept from one round to the next: the result of the last one. */
export interface NotifierState {
  /** By a hash of the entry's id. */
  readonly entries: Readonly<Record<string, NotifiedEntry>>;
  /** The highest priority of which people were notified since the last all-clear; null: there is nothing to clear. */
  readonly highest: number | null;
}

export interface NotificationLine {
  readonly group: string;
  readonly title: string;
  readonly since: string | null;
  readonly due: string | null;
  /** Null: it is not known where the console is. */
  readonly link: string | null;
}

/** One message, whatever connector sends it. */
export interface Notification {
  /** The same however often it is sent. */
  readonly id: string;
  readonly reason: 'new' | 'again' | 'allClear' | 'test';
  readonly title: string;
  /** All of it as plain text, with links. */
  readonly text: string;
  /** To Work. */
  readonly link: string | null;
  readonly entries: readonly NotificationLine[];
}

export interface NotifyInput {
  /** `dryRun` sends nothing; `test` sends a message that says that it is one, once, and leaves Work alone. */
  readonly mode: 'dryRun' | 'test';
  /** What the schedule's last run left; null: none has run. */
  readonly state: NotifierState | null;
}

export interface PlannedNotification {
  readonly state: NotifierState | null;
  /** Null: there is nothing to say. */
  readonly notification: Notification | null;
}

export interface NotifyResult extends PlannedNotification {
  /** What the other side answered; null: nothing was sent. */
  readonly answer: string | null;
}

export interface NotificationActivities {
  planNotification(
    input: { readonly mode: NotifyInput['mode'] | 'round' } & Pick<NotifyInput, 'state'>,
  ): Promise<PlannedNotification>;
  /** What the other side answered. */
  sendNotification(notification: Notification): Promise<string>;
}
