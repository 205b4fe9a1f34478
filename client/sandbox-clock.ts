// Moves the clock of a staging tenant together with every flow that goes by it, step by step: from one moment at which
// something is due to the next, and at each waits until everything has happened that follows from it. So what happens is
// what would have happened.
import { setTimeout as pause } from 'node:timers/promises';
import {
  type Client,
  QueryNotRegisteredError,
  type WorkflowExecutionDescription,
  type WorkflowHandle,
  WorkflowNotFoundError,
} from '@temporalio/client';
import type { ClockChange, SandboxClock } from '../contract/index.ts';
import type { ClockStatus } from '../workflows/sandbox-clock.ts';
import { grpcFailureOf, isClosedAtStart } from './grpc-failure.ts';
import { queried } from './queried.ts';
import { workerFailureBehind } from './worker-failure.ts';

/** GET and POST /sandbox/clock. */
export type ServiceClock = (change?: ClockChange) => Promise<SandboxClock>;

/** What is due by the clock. */
export interface DueByClock {
  /** The workflow id; null: the service. */
  readonly flow: string | null;
  readonly what: string;
  /** ISO 8601. */
  readonly at: string;
  readonly inMs: number;
}

/** A worker fails at it again and again. */
export interface FailingFlow {
  /** The workflow id. */
  readonly flow: string;
  readonly why: string;
}

export interface ClockShown {
  /** ISO 8601. */
  readonly now: string;
  readonly aheadMs: number;
  /** In the order of time. */
  readonly due: readonly DueByClock[];
  /** The workflow ids of the flows that go by it. */
  readonly flows: readonly string[];
  /** The flows that can be neither queried nor moved now. */
  readonly failing: readonly FailingFlow[];
  /** Processes of other namespaces, which this client does not reach. */
  readonly outOfReach: readonly string[];
}

export interface MoveOptions {
  /** Called at each stop, with what is due then. */
  readonly onStop?: (due: DueByClock) => void;
  /** Checked between two stops. */
  readonly signal?: AbortSignal;
  /** How long what is due at a stop may take to happen. */
  readonly patienceMs?: number;
}

/** What is due has not happened in time; the clock stands where it came to. */
export class ClockNotAtRest extends Error {
  override readonly name = 'ClockNotAtRest';
}

interface Follower {
  readonly handle: WorkflowHandle;
  readonly workflowId: string;
  readonly status: ClockStatus | null;
  readonly isAtRest: boolean;
}

interface Look {
  readonly service: SandboxClock;
  readonly followers: readonly Follower[];
  readonly failing: readonly FailingFlow[];
  readonly outOfReach: readonly string[];
}

const PATIENCE_MS = 30_000;
const FIRST_PAUSE_MS = 5;
const LAST_PAUSE_MS = 200;

export class SandboxClocks {
  readonly #client: Client;
  readonly #service: ServiceClock;
  /** By workflow id, for one command: each question and each move would be waited for in vain. */
  readonly #failing = new Map<string, FailingFlow>();

  constructor(client: Client, service: ServiceClock) {
    this.#client = client;
    this.#service = service;
  }

  async show(): Promise<ClockShown> {
    this.#failing.clear();
    return shownOf(await this.#look());
  }

  /** Throws ClockNotAtRest. Gives how it stands then. */
  async advance(milliseconds: number, options: MoveOptions = {}): Promise<ClockShown> {
    const { onStop = () => undefined, signal } = options;
    this.#failing.clear();
    let look = await this.#settled(options);
    for (let left = milliseconds; left > 0; ) {
      signal?.throwIfAborted();
      const due = dueIn(look);
      const [next] = due;
      const isStop = next !== undefined && next.inMs <= left;
      const step = isStop ? Math.max(1, Math.ceil(next.inMs)) : left;
      await this.#move(look, Math.min(step, left), isStop && next.flow === null);
      left -= step;
      // What is due a moment later may fall into the same step.
      for (const each of due) if (isStop && each.inMs <= step) onStop(each);
      look = await this.#settled(options);
    }
    return shownOf(look);
  }

  /** Whose time has come is moved last: the others have that time already when it acts. */
  async #move(look: Look, step: number, isServiceLast: boolean): Promise<void> {
    const advance = () => this.#service({ advance: isoDuration(step) });
    const moveFlows = (aheadMs: number) =>
      Promise.all(look.followers.map((follower) => this.#moveFlow(follower.handle, aheadMs)));
    if (!isServiceLast) await moveFlows((await advance()).aheadMs);
    else {
      await moveFlows(look.service.aheadMs + step);
      await advance();
    }
  }

  /** When nothing more happens at this time: two looks, one after the other, find everything at rest and unchanged. */
  async #settled({ patienceMs = PATIENCE_MS }: MoveOptions): Promise<Look> {
    const until = performance.now() + patienceMs;
    let before = '';
    for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 1.5, LAST_PAUSE_MS)) {
      const look = await this.#look();
      const busy = busyIn(look);
      const seen = busy.length === 0 ? fingerprint(look) : '';
      if (seen !== '' && seen === before) return look;
      before = seen;
      if (busy.length === 0) continue;
      if (performance.now() > until)
        throw new ClockNotAtRest(
          `what is due has not happened within ${patienceMs / 1_000} s: ${busy.join('; ')}. The clock stands at ${look.service.now}; when it is done, advance the rest`,
        );
      await pause(wait);
    }
  }

  /** Flows that are behind, as when somebody has moved the service alone, are moved too. */
  async #look(): Promise<Look> {
    const service = await this.#service();
    const own = `${this.#client.options.namespace}/`;
    const names = service.followers.filter((name) => name.startsWith(own));
    const ids = names.map((name) => name.slice(own.length));
    const followers = await Promise.all(ids.map((id) => this.#follower(id, service)));
    const ended = names.filter((_, index) => followers[index] === null);
    if (ended.length > 0) await this.#service({ leave: ended.slice(0, MAX_LEAVING) });
    return {
      service,
      followers: followers.flatMap((each) => (each && 'handle' in each ? [each] : [])),
      failing: followers.flatMap((each) => (each && 'why' in each ? [each] : [])),
      outOfReach: service.followers.filter((name) => !name.startsWith(own)),
    };
  }

  /** Null: it has ended. */
  async #follower(workflowId: string, { aheadMs }: SandboxClock): Promise<Follower | FailingFlow | null> {
    const handle = this.#client.workflow.getHandle(workflowId);
    const status = this.#failing.get(workflowId) ?? (await this.#statusOf(handle));
    if (status === 'ended') return null;
    if (status && 'why' in status) return status;
    const isBehind = status?.isOpen === true && status.aheadMs < aheadMs;
    if (status?.isAtRest && !isBehind) return { handle, workflowId, status, isAtRest: true };
    const description = await handle.describe();
    if (description.status.name !== 'RUNNING') return null;
    const follower = { handle, workflowId, status, isAtRest: false };
    if (isBehind) return (await this.#moveFlow(handle, aheadMs)) ?? follower;
    if (status && status.calls.length > 0) follower.isAtRest = waitsForNextTry(description);
    return follower;
  }

  /** Null: it has begun, and does not know its time yet. */
  async #statusOf(handle: WorkflowHandle): Promise<ClockStatus | FailingFlow | null | 'ended'> {
    try {
      return await queried(handle, () => handle.query<ClockStatus>('clock'));
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return 'ended';
      if (error instanceof QueryNotRegisteredError) return null;
      const failure = grpcFailureOf(error);
      if (failure && isClosedAtStart(failure)) return 'ended';
      return await this.#failingAt(handle, error);
    }
  }

  async #moveFlow(handle: WorkflowHandle, aheadMs: number): Promise<FailingFlow | null> {
    try {
      await handle.executeUpdate('moveClock', { args: [{ aheadMs }] });
      return null;
    } catch (error) {
      // It has ended meanwhile; the next look finds that.
      if (error instanceof WorkflowNotFoundError) return null;
      if ((await handle.describe()).status.name !== 'RUNNING') return null;
      return await this.#failingAt(handle, error);
    }
  }

  /** Throws the error if it is another one. */
  async #failingAt({ workflowId }: WorkflowHandle, error: unknown): Promise<FailingFlow> {
    const why = await workerFailureBehind(error, this.#client, workflowId);
    if (why === null) throw error;
    const failing = { flow: workflowId, why };
    this.#failing.set(workflowId, failing);
    return failing;
  }
}

// In one call.
const MAX_LEAVING = 1_000;

/** Each activity has failed and is tried again later, in real time: moving the clock does not bring that nearer. */
function waitsForNextTry({ raw }: WorkflowExecutionDescription): boolean {
  const activities = raw.pendingActivities ?? [];
  return (
    activities.length > 0 &&
    activities.every(({ attempt, state }) => (attempt ?? 1) > 1 && state === PENDING_ACTIVITY_SCHEDULED)
  );
}

const PENDING_ACTIVITY_SCHEDULED = 1;

function dueIn({ service, followers }: Look): DueByClock[] {
  const { next } = service;
  // A flow that answers knows the time of its last step only; the service knows the time now. Both clocks are alike.
  const untilIn = ({ at }: { readonly at: string }) => ({
    at,
    inMs: Math.max(0, Date.parse(at) - Date.parse(service.now)),
  });
  const ofService: DueByClock[] = next
    ? [
        {
          flow: null,
          what: `callback of ${next.shipmentUid}, attempt ${next.attempt}`,
          at: next.at,
          inMs: next.inMs,
        },
      ]
    : [];
  const ofFlows = followers.flatMap(({ workflowId, status }) =>
    status?.next ? [{ flow: workflowId, what: status.next.timer, ...untilIn(status.next) }] : [],
  );
  return [...ofService, ...ofFlows].sort((one, other) => one.inMs - other.inMs);
}

/** What is under way, in words. */
function busyIn({ service, followers, failing }: Look): string[] {
  const known = new Set([
    ...followers.map(({ workflowId }) => workflowId),
    ...failing.map(({ flow }) => flow),
  ]);
  const ofFlows = followers.flatMap(({ workflowId, status, isAtRest }) => {
    if (!status) return [`${workflowId} begins`];
    const children = status.children.filter((child) => !known.has(child));
    if (isAtRest && children.length === 0) return [];
    const waits = [...status.calls, ...children].join(', ');
    return [`${workflowId} runs${waits === '' ? '' : ` ${waits}`}`];
  });
  const { underWay } = service;
  return underWay > 0 ? [`the service sends callbacks of ${underWay} shipments`, ...ofFlows] : ofFlows;
}

const fingerprint = ({ service, followers }: Look): string =>
  JSON.stringify([
    service.lastEventId,
    followers.map(({ workflowId, status }) => [workflowId, status?.taken]),
  ]);

function shownOf(look: Look): ClockShown {
  const { now, aheadMs } = look.service;
  return {
    now,
    aheadMs,
    due: dueIn(look),
    flows: [...look.followers.map(({ workflowId }) => workflowId), ...look.failing.map(({ flow }) => flow)],
    failing: look.failing,
    outOfReach: look.outOfReach,
  };
}

const DAY_MS = 86_400_000;

function isoDuration(milliseconds: number): string {
  const days = Math.floor(milliseconds / DAY_MS);
  const seconds = (milliseconds % DAY_MS) / 1_000;
  return `P${days > 0 ? `${days}D` : ''}${seconds > 0 ? `T${seconds.toFixed(3)}S` : ''}`;
}
