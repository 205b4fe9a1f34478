// What answers, and what is silent and since when: Temporal, the workers, the locker service and its walls. All that shows
// whether something is up to date asks here.
import { z } from 'zod';
import { grpcCodes, grpcFailureOf, isOutOfTime } from '../../client/grpc-failure.ts';
import { TimeLimit, TimeLimitReached } from '../../shared/limits/time-limit.ts';
import { LockerApiError } from '../../shared/locker-api/index.ts';
import { refusalOf } from '../outcome.ts';
import { foundPage } from './found-flows.ts';
import { doorsThatStayedShut } from './inbox/doors.ts';
import { type InboxParts, onOwnTaskQueue } from './inbox/source.ts';

const healthParts = ['temporal', 'worker', 'service', 'walls'] as const;
export type HealthPart = (typeof healthParts)[number];

export interface Silent {
  readonly part: HealthPart;
  /** ISO 8601: when it was heard of last, or else when its silence was noticed. */
  readonly since: string;
  /** What is silent, what follows, and what to do. */
  readonly words: string;
}

export interface HealthView {
  /** Empty: all answer. */
  readonly silent: readonly Silent[];
}

export const health = z
  .object({
    silent: z
      .array(
        z.object({
          part: z.enum(healthParts),
          since: z
            .string()
            .meta({ description: 'When it was heard of last, or else when its silence was noticed' }),
          words: z.string().meta({ description: 'For people: what is silent, and what follows' }),
        }),
      )
      .meta({ description: 'Empty: all answer' }),
  })
  .meta({ title: 'Health' }) satisfies z.ZodType<HealthView>;

/** Why a part is silent; `since` where it is known better than by our own looks. */
interface Silence {
  readonly words: string;
  readonly since?: string | undefined;
}

const TEMPORAL_WITHIN_MS = 2_000;
const SERVICE_WITHIN_MS = 5_000;
/** A worker that has polled since then is there. An idle one polls once a minute. */
const POLLED_WITHIN_MS = 10_000;
/** No open process can be asked: a worker that has not polled for longer than a poll lasts is gone. */
const POLL_LASTS_MS = 75_000;
/** A worker that replays a long history first needs a moment: it has polled meanwhile. */
const ANSWER_WITHIN_MS = 3_000;

const NO_TEMPORAL =
  'Temporal does not answer. Nothing goes on until it does, and nothing is lost; what is shown was read before.';
const NO_WORKER =
  'No worker answers. Processes stand still until one does, and lose nothing; what they say of themselves is as it was known before. See that a worker runs on this task queue.';

export class Health {
  readonly #parts: InboxParts;
  readonly #heardAt = new Map<HealthPart, number>();
  /** When a worker answered our own question: not each look asks one. */
  #answeredAt = 0;
  readonly #noticedAt = new Map<HealthPart, number>();

  constructor(parts: InboxParts) {
    this.#parts = parts;
  }

  async read(): Promise<HealthView> {
    const [temporal, service] = await Promise.all([this.#temporal(), this.#service()]);
    // What cannot be asked behind them is neither silent nor heard.
    const [worker, walls] = await Promise.all([
      temporal ? undefined : this.#worker(),
      service ? undefined : this.#walls(),
    ]);
    const found: readonly (readonly [HealthPart, Silence | null | undefined])[] = [
      ['temporal', temporal],
      ['worker', worker],
      ['service', service],
      ['walls', walls],
    ];
    return { silent: found.flatMap(([part, silence]) => this.#noted(part, silence)) };
  }

  /** @param silence null: it answers; undefined: nobody knows */
  #noted(part: HealthPart, silence: Silence | null | undefined, now = Date.now()): Silent[] {
    if (silence === undefined) return [];
    if (silence === null) {
      this.#heardAt.set(part, now);
      this.#noticedAt.delete(part);
      return [];
    }
    const noticedAt = this.#noticedAt.get(part) ?? this.#heardAt.get(part) ?? now;
    this.#noticedAt.set(part, noticedAt);
    return [{ part, since: silence.since ?? new Date(noticedAt).toISOString(), words: silence.words }];
  }

  async #temporal(): Promise<Silence | null> {
    const { client } = this.#parts;
    try {
      await client.withDeadline(Date.now() + TEMPORAL_WITHIN_MS, () =>
        client.workflowService.getSystemInfo({}),
      );
      return null;
    } catch {
      return { words: NO_TEMPORAL };
    }
  }

  async #worker(): Promise<Silence | null | undefined> {
    try {
      const polledAt = await this.#polledAt();
      if (Math.max(this.#answeredAt, polledAt) > Date.now() - POLLED_WITHIN_MS) return null;
      const isAnswered = await this.#isAnswered();
      if (isAnswered) this.#answeredAt = Date.now();
      const isThere = isAnswered ?? polledAt > Date.now() - POLL_LASTS_MS;
      // One that is busy with something long has polled for it meanwhile.
      if (isThere || (await this.#polledAt()) > polledAt) return null;
      return { words: NO_WORKER, ...(polledAt > 0 && { since: new Date(polledAt).toISOString() }) };
    } catch (error) {
      if (grpcFailureOf(error) || refusalOf(error)) return undefined;
      throw error;
    }
  }

  /** When a worker of the task queue asked for work last, as Temporal knows it; 0: not in the last minutes. */
  async #polledAt(): Promise<number> {
    const { client, taskQueue } = this.#parts;
    const { pollers } = await client.withDeadline(Date.now() + TEMPORAL_WITHIN_MS, () =>
      client.workflowService.describeTaskQueue({
        namespace: client.options.namespace,
        taskQueue: { name: taskQueue },
        taskQueueType: WORKFLOW_TASKS,
      }),
    );
    const times = (pollers ?? []).map(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1_000);
    return Math.max(0, ...times);
  }

  /** Whether a process is answered for, which costs no event of its history; undefined: none is open. */
  async #isAnswered(): Promise<boolean | undefined> {
    const { client } = this.#parts;
    const query = `ExecutionStatus = 'Running' AND ${onOwnTaskQueue(this.#parts)}`;
    const [open] = (await foundPage(client, query, { size: 1 })).flows;
    if (!open) return undefined;
    const handle = client.workflow.getHandle(open.workflowId, open.runId);
    try {
      await client.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
        handle.query('__temporal_workflow_metadata'),
      );
      return true;
    } catch (error) {
      const failure = grpcFailureOf(error);
      return !failure || !(isOutOfTime(failure) || failure.code === grpcCodes.failedPrecondition);
    }
  }

  async #service(): Promise<Silence | null> {
    using limit = new TimeLimit(SERVICE_WITHIN_MS);
    try {
      await limit.race(this.#parts.service.call('GetPickUpPoints', { pageNo: 1, pageSize: 1 }));
      return null;
    } catch (error) {
      if (error instanceof TimeLimitReached) return { words: serviceWords('in time') };
      // A refusal is an answer.
      if (error instanceof LockerApiError && error.httpStatus !== null && error.httpStatus < 500) return null;
      const why = refusalOf(error)?.message ?? (error instanceof Error ? error.message : String(error));
      return { words: `${serviceWords()} (${why})` };
    }
  }

  async #walls(): Promise<Silence | null | undefined> {
    try {
      const { items } = await doorsThatStayedShut(this.#parts);
      const away = [
        ...new Set(items.flatMap(({ door, pupUid }) => (door === 'Unknown' && pupUid ? [pupUid] : []))),
      ];
      return away.length === 0 ? null : { words: wallWords(away) };
    } catch {
      // A service that does not list them, or has just gone away: then that is said.
      return undefined;
    }
  }
}

/** temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW */
const WORKFLOW_TASKS = 1;

const serviceWords = (when = '') =>
  `The locker service does not answer${when && ` ${when}`}. Nothing is booked and no door is known until it does; processes try again by themselves.`;

const MAX_NAMED = 3;

function wallWords(pupUids: readonly string[]): string {
  const named = pupUids.slice(0, MAX_NAMED).join(', ');
  const others = pupUids.length - MAX_NAMED;
  const all = others > 0 ? `${named} and ${others} more` : named;
  return pupUids.length === 1
    ? `The wall of ${all} does not answer: none of its doors opens. See that it has power and a network.`
    : `The walls of ${all} do not answer: none of their doors opens. See that they have power and a network.`;
}
