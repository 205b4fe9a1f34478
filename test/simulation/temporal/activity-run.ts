// One activity as Temporal's server keeps it: attempts, time-outs, heartbeats, retries and cancellation.
import type { Due, Simulator } from '../kernel/simulator.ts';
import type { Payload } from './cached-run.ts';
import { type Failure, milliseconds } from './failures.ts';

export interface Scheduled {
  readonly seq: number;
  readonly activityId: string;
  readonly activityType: string;
  readonly arguments: readonly Payload[];
  readonly retryPolicy?: {
    readonly initialInterval?: unknown;
    readonly maximumInterval?: unknown;
    readonly backoffCoefficient?: number;
    readonly maximumAttempts?: number;
    readonly nonRetryableErrorTypes?: readonly string[];
  };
  readonly startToCloseTimeout?: unknown;
  readonly scheduleToCloseTimeout?: unknown;
  readonly heartbeatTimeout?: unknown;
  /** 0: resolved as cancelled at once; 1: when it has ended; 2: never cancelled. */
  readonly cancellationType?: number;
}

export type ActivityEnd =
  | { readonly completed: { readonly result: Payload } }
  | { readonly failed: { readonly failure: Failure } }
  | { readonly cancelled: { readonly failure: Failure } };

/** What a worker needs to carry an attempt out. */
export interface Attempt {
  readonly number: number;
  readonly activity: ActivityRun;
  readonly startedAt: number;
  readonly heartbeatDetails: unknown;
  /** Answers whether it is to be cancelled. */
  beat(details: unknown): boolean;
  end(end: AttemptEnd): void;
}

export type AttemptEnd =
  | { readonly result: Payload }
  | { readonly failure: Failure }
  | { readonly isCancelled: true };

/** As the server's, for a workflow: the first pause is given, each further one is twice as long. */
const USUAL_INITIAL_MS = 1_000;

export class ActivityRun {
  readonly scheduled: Scheduled;
  readonly scheduledAt: number;
  readonly workflowId: string;
  readonly runId: string;
  readonly workflowType: string;
  attempts = 0;
  isCancelRequested = false;
  isOver = false;
  #heartbeat: { readonly details: unknown } | null = null;
  #current: { readonly number: number; startToClose: Due | null; heartbeat: Due | null } | null = null;
  #retry: Due | null = null;
  #scheduleToClose: Due | null = null;
  readonly #simulator: Simulator;
  readonly #dispatch: (activity: ActivityRun) => void;
  readonly #over: (end: ActivityEnd) => void;

  constructor(
    simulator: Simulator,
    scheduled: Scheduled,
    workflow: { readonly workflowId: string; readonly runId: string; readonly type: string },
    { dispatch, over }: { dispatch(activity: ActivityRun): void; over(end: ActivityEnd): void },
  ) {
    this.#simulator = simulator;
    this.scheduled = scheduled;
    this.scheduledAt = simulator.now;
    this.workflowId = workflow.workflowId;
    this.runId = workflow.runId;
    this.workflowType = workflow.type;
    this.#dispatch = dispatch;
    this.#over = over;
    const limit = milliseconds(scheduled.scheduleToCloseTimeout);
    if (limit > 0)
      this.#scheduleToClose = simulator.in(limit, 'schedule-to-close', () =>
        this.#timedOut('ScheduleToClose'),
      );
    dispatch(this);
  }

  get words(): string {
    return `${this.scheduled.activityType} of ${this.workflowId}`;
  }

  /** A worker takes it. */
  start(): Attempt {
    this.attempts += 1;
    const number = this.attempts;
    const { startToCloseTimeout } = this.scheduled;
    const limit = milliseconds(startToCloseTimeout);
    const current = { number, startToClose: null as Due | null, heartbeat: null as Due | null };
    if (limit > 0)
      current.startToClose = this.#simulator.in(limit, 'start-to-close', () =>
        this.#timedOut('StartToClose'),
      );
    this.#current = current;
    this.#awaitHeartbeat();
    return {
      number,
      activity: this,
      startedAt: this.#simulator.now,
      heartbeatDetails: this.#heartbeat?.details,
      beat: (details) => {
        if (this.isOver || this.#current?.number !== number) return true;
        this.#heartbeat = { details };
        this.#awaitHeartbeat();
        return this.isCancelRequested;
      },
      end: (end) => {
        if (!this.isOver && this.#current?.number === number) this.#ended(end);
      },
    };
  }

  requestCancel(): void {
    if (this.isOver) return;
    this.isCancelRequested = true;
    if (this.#current === null || this.scheduled.cancellationType === 0) this.#cancelled();
  }

  /** Its workflow has ended: nobody waits for it. */
  abandon(): void {
    this.#stopTimers();
    this.isOver = true;
  }

  #awaitHeartbeat(): void {
    const limit = milliseconds(this.scheduled.heartbeatTimeout);
    const current = this.#current;
    if (!current || limit === 0) return;
    if (current.heartbeat) this.#simulator.drop(current.heartbeat);
    current.heartbeat = this.#simulator.in(limit, 'heartbeat', () => this.#timedOut('Heartbeat'));
  }

  #timedOut(type: keyof typeof timeoutTypes): void {
    if (this.isOver) return;
    this.#simulator.note(`${this.words}: ${type} time-out`);
    const details = this.#heartbeat?.details;
    const failure: Failure = {
      message: `activity ${type} timeout`,
      timeoutFailureInfo: {
        timeoutType: timeoutTypes[type],
        ...(details !== undefined && {
          lastHeartbeatDetails: { payloads: [{ json: JSON.stringify(details) }] },
        }),
      },
    };
    if (type === 'ScheduleToClose') return void this.#failed(failure, TIMEOUT);
    this.#ended({ failure }, `TemporalTimeout:${type}`);
  }

  #ended(end: AttemptEnd, type?: string): void {
    this.#stopAttempt();
    if ('result' in end) return void this.#finish({ completed: { result: end.result } });
    if ('isCancelled' in end) return void this.#cancelled();
    const { failure } = end;
    const { maximumAttempts = 0, nonRetryableErrorTypes = [] } = this.scheduled.retryPolicy ?? {};
    const { type: own, nonRetryable, nextRetryDelay } = failure.applicationFailureInfo ?? {};
    if (nonRetryable || nonRetryableErrorTypes.includes(type ?? own ?? ''))
      return void this.#failed(failure, NOT_RETRYABLE);
    if (maximumAttempts > 0 && this.attempts >= maximumAttempts)
      return void this.#failed(failure, MAXIMUM_ATTEMPTS);
    if (this.isCancelRequested) return void this.#cancelled();
    const pause = milliseconds(nextRetryDelay) || this.#backoff();
    const limit = milliseconds(this.scheduled.scheduleToCloseTimeout);
    if (limit > 0 && this.#simulator.now + pause > this.scheduledAt + limit)
      return void this.#failed(failure, TIMEOUT);
    this.#retry = this.#simulator.in(pause, `retry ${this.words}`, () => {
      this.#retry = null;
      this.#dispatch(this);
    });
  }

  #backoff(): number {
    const { initialInterval, maximumInterval, backoffCoefficient = 2 } = this.scheduled.retryPolicy ?? {};
    const first = milliseconds(initialInterval) || USUAL_INITIAL_MS;
    const most = milliseconds(maximumInterval) || first * 100;
    return Math.min(most, first * (backoffCoefficient || 2) ** Math.min(60, this.attempts - 1));
  }

  #failed(cause: Failure, retryState: number): void {
    this.#finish({ failed: { failure: this.#wrapped('Activity task failed', cause, retryState) } });
  }

  #cancelled(): void {
    const cause: Failure = { message: 'Activity cancelled', canceledFailureInfo: {} };
    this.#finish({ cancelled: { failure: this.#wrapped('Activity cancelled', cause, CANCEL_REQUESTED) } });
  }

  #wrapped(message: string, cause: Failure, retryState: number): Failure {
    const { activityId, activityType } = this.scheduled;
    return {
      ...{ message, cause },
      activityFailureInfo: {
        activityId,
        activityType: { name: activityType },
        identity: 'worker',
        retryState,
      },
    };
  }

  #finish(end: ActivityEnd): void {
    this.#stopTimers();
    this.isOver = true;
    this.#over(end);
  }

  #stopAttempt(): void {
    for (const due of [this.#current?.startToClose, this.#current?.heartbeat])
      if (due) this.#simulator.drop(due);
    this.#current = null;
  }

  #stopTimers(): void {
    this.#stopAttempt();
    for (const due of [this.#retry, this.#scheduleToClose]) if (due) this.#simulator.drop(due);
  }
}

const timeoutTypes = { StartToClose: 1, ScheduleToClose: 3, Heartbeat: 4 } as const;

// Temporal's numbers for why it is not tried again.
const NOT_RETRYABLE = 2;
const TIMEOUT = 3;
const MAXIMUM_ATTEMPTS = 4;
const CANCEL_REQUESTED = 7;
