// What people and programs see of a process, and what it is computed from.
import type { AnyMachineSnapshot } from 'xstate';
import type { Kind } from '../actor-kinds.ts';
import type { ChartView, Position } from '../chart/chart-view.ts';
import type { Halt } from './halt-rules.ts';

/** What the process waits for, beside messages. */
export interface PendingWork {
  /** In the order of time. */
  readonly timers: readonly OpenTimerView[];
  readonly calls: readonly OpenCallView[];
  /** False: its machine takes no more steps, whatever its snapshot says. */
  readonly isOpen?: boolean;
  /** The step that failed: the process is halted until a person decides. */
  readonly halted?: Halt | undefined;
  /** Events that wait for a state that takes them: their types. */
  readonly kept?: readonly { readonly type: string; readonly until: string }[];
  /** When each active state was entered, by path; ISO 8601. */
  readonly entered?: Readonly<Record<string, string>>;
  /** Its inline actors, with their states. */
  readonly actors?: readonly InlineActorView[];
}

/** What its search attributes need of that: they are computed after each step. */
export type PendingNow = Pick<PendingWork, 'halted' | 'actors'>;

interface OpenTimerView {
  readonly id: string;
  /** The inline actor that waits for it. Absent: the chart itself. */
  readonly of?: string;
  readonly timer: string;
  /** ISO 8601. */
  readonly since: string;
  readonly until: string;
}

export interface OpenCallView {
  readonly id: string;
  readonly kind: Kind;
  readonly type: string;
  /** ISO 8601. */
  readonly since: string;
  /** A child workflow's id, once it is started. */
  readonly workflowId?: string;
  /** The inline actor that makes it. Absent: the chart itself. */
  readonly of?: string;
}

export interface InlineActorView {
  /** The id of its invoke. */
  readonly id: string;
  readonly name: string;
  readonly state: unknown;
  /** This was its last state. */
  readonly isEnded?: true;
}

/** A keyword, a list of keywords, or a moment. */
export type SearchAttributes = Readonly<Record<string, string | readonly string[] | Date>>;

export interface ProcessViews {
  /** The answer to the query `progress`; `late` came after the end and is this process's own. */
  progress(
    snapshot: AnyMachineSnapshot,
    late: readonly unknown[],
    pending?: PendingWork,
    query?: { readonly context?: boolean },
  ): unknown;
  /** Markdown for the Web UI. No personal data, no access codes. */
  details(snapshot: AnyMachineSnapshot, pending?: PendingWork): string;
  /** Memo field whose text is shown above the details of a run that continues another one. */
  readonly detailsMemo?: string;
  /** Null while no value is worth a history event. */
  searchAttributes(snapshot: AnyMachineSnapshot, pending?: PendingNow): SearchAttributes | null;
  /** Search attribute for `<workflow type>@<version>`, set with the others. */
  readonly versionAttribute?: string;
  /** Search attribute for when somebody last acted on the process. */
  readonly actedAttribute?: string;
  /** The chart and where the process stands in it, as people see them; the machine's own if not given. */
  chart?(view: ChartView): ChartView;
  position?(position: Position, actors: readonly InlineActorView[]): Position;
}
