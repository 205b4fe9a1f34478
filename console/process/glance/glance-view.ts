// What a person should see of a process first, without knowing its chart: for whom it is, where the item is, what happens next and
// when, what is wrong, what to do.

/** past: it has been there; present: it is there now; future: it may come there; failed: it got no further there. */
type StageStatus = 'past' | 'present' | 'future' | 'failed';

export interface Stage {
  readonly title: string;
  readonly status: StageStatus;
  /** When it came there, where that is known. */
  readonly since: string | null;
  /** The end of the present stage, by the clock of the process. */
  readonly until: string | null;
  readonly isOverdue: boolean;
  /** Why it got no further. */
  readonly reason: string | null;
}

/** A shipment of a built-in flow; of a flow file its states, or a region of them. */
export interface Lane {
  /** Null: the process has but one. */
  readonly title: string | null;
  readonly stages: readonly Stage[];
}

export type Track = readonly Lane[];

/** For colours: never the only sign. */
export type Tone = 'good' | 'plain' | 'warn' | 'bad';

export interface Happening {
  readonly words: string;
  /** By the clock of the process. */
  readonly until: string | null;
  readonly isOverdue: boolean;
}

/** Where an item is, or will be. */
export interface Whereabouts {
  readonly words: string;
  readonly pupUid: string | null;
}

/** A locker in which a shipment is, or will be. */
export interface LockerShown {
  /** The process of its shipment. */
  readonly key: string;
  readonly shipmentUid: string;
  /** What becomes of the shipment, as in "Return: to be dropped off". */
  readonly words: string;
  readonly pupUid: string | null;
  readonly lockerName: string | null;
  /** What it is opened for; null: nobody has anything to do there now. */
  readonly goal: 'DropOff' | 'PickUp' | null;
}

export interface Headline {
  /** The flow, for people. */
  readonly title: string;
  readonly status: { readonly words: string; readonly tone: Tone };
  readonly where: readonly Whereabouts[];
  /** The most urgent first. */
  readonly next: readonly Happening[];
  readonly wrong: readonly string[];
  /** What a person should do; null: nothing. */
  readonly todo: string | null;
  /** The id of the choice that does it. */
  readonly primary: string | null;
  /** The process that has started this one. */
  readonly parent: string | null;
}

/** A deadline that runs, or has passed, and can be extended. */
export interface RunningDeadline {
  readonly words: string;
  readonly until: string;
  readonly isOverdue: boolean;
  /** The fields of the API's `extend`, but for the new end; null: this one cannot be extended. */
  readonly extend: Readonly<Record<string, string>> | null;
}

export interface DataRow {
  readonly label: string;
  readonly value: string;
}

export interface DataGroup {
  readonly title: string;
  readonly rows: readonly DataRow[];
}

export interface PersonShown {
  /** Like Receiver. */
  readonly role: string;
  /** Their name, if the account can be seen. */
  readonly name: string;
  readonly userUid: string | null;
}

export interface ChildShown {
  readonly key: string;
  readonly title: string;
  /** Where it stands, in words. */
  readonly words: string;
  readonly isOpen: boolean;
}

/** What only those see who may act on the process: it is about people. */
export interface ProcessSubject {
  readonly people: readonly PersonShown[];
  /** What is sent; null: nobody has said. */
  readonly item: string | null;
  readonly data: readonly DataGroup[];
}

export interface HappenedRow {
  readonly at: string | null;
  readonly words: string;
  /** What the process did then, in sentences. */
  readonly did: readonly string[];
  /** Who made it happen, and why, where the words do not say it. */
  readonly by: string | null;
  readonly why: string | null;
  readonly isBad: boolean;
  /** The same for developers, with what people need not know. */
  readonly technical: readonly string[];
  /** The numbers of the steps that it took then. */
  readonly steps: readonly number[];
  readonly runId: string;
  readonly eventId: string;
}

/** A row, or a round of rows that came several times with the same words. */
export interface HappenedItem {
  readonly rows: readonly HappenedRow[];
  readonly times: number;
  /** Those of the rounds behind the first. */
  readonly others: readonly HappenedRow[];
  /** When the last one came. */
  readonly lastAt: string | null;
}
