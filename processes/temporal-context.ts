// What every command and every view is given: the connection to Temporal, and for a command who acts and why. Whoever
// starts a program makes it (the command line for one command, the console once); nothing in processes/ connects by itself.
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { CancelledFailure } from '@temporalio/common';
import { FlowNotFound } from '../client/flow-errors.ts';
import { grpcCodes, grpcFailureOf, isOutOfTime } from '../client/grpc-failure.ts';
import type { LockerFlows } from '../client/locker-flows.ts';
import { ANSWER_WITHIN_MS, queried } from '../client/queried.ts';
import { type Attribution, formatAttribution } from '../contract/flows/attribution.ts';
import { internalWorkflows } from '../contract/flows/flow-types.ts';
import type { OutreachSettings } from '../contract/flows/outreach.ts';
import { type Capability, serviceProfileSettings } from '../contract/wire/service-profile.ts';
import type { LockerApi } from '../shared/locker-api/index.ts';
import { CommandError, refused } from './outcome.ts';

export interface TemporalContext {
  readonly client: Client;
  readonly flows: LockerFlows;
  readonly taskQueue: string;
}

/**
 * What a command may need; a role of the console, or the scopes of a token, has some of these. `answer` the inbox of a question
 * gives too, where `inboxes` says in which they may act.
 */
export type CommandRight = 'start' | 'decide' | 'publish' | 'answer';

/** The inboxes in which somebody may act. */
export interface Inboxes {
  has(inbox: string): boolean;
  /** Throws what says which right is missing. */
  require(inbox: string): void;
}

/** Somebody who acts. The client's identity is theirs: Temporal keeps it with each request that changes a process. */
export interface CommandContext extends TemporalContext {
  /** Who has proved who it is: what they may do is judged by this name. */
  readonly by: string;
  /** The person for whom a program says that it acts. */
  readonly onBehalfOf?: string | undefined;
  /** Commands that need a reason refuse without one. */
  readonly why?: string | undefined;
  /** A request that is sent again with the same id takes effect once; absent: each is another one. */
  readonly updateId?: string | undefined;
  /** The locker service, where it is configured; without it, what only the service knows is not checked. */
  readonly service?: Pick<LockerApi, 'call'> | undefined;
  /** Whether they have a right, for this flow where it is known; absent: they have every right. */
  readonly may?: ((right: CommandRight, flow: string | null) => boolean) | undefined;
  /** The parts of this process among those to which the same is done: what one of them takes, that one does. */
  readonly parts?: readonly string[] | undefined;
  /** It is done in a batch: what has several steps takes them, and waits for each. */
  readonly isInBatch?: true;
  /** What reaches outside; absent: not known here, the workers know it. */
  readonly outreach?: OutreachSettings | undefined;
  /** Where they may answer, claim, release and assign what is asked; absent: whoever may decide may in each. */
  readonly inboxes?: Inboxes | undefined;
}

type Attributed = Pick<CommandContext, 'by' | 'onBehalfOf' | 'why'>;

/** As each request to a process keeps it. */
export const attributionOf = ({ by, onBehalfOf, why }: Attributed): Attribution => ({
  by,
  ...(onBehalfOf !== undefined && { onBehalfOf }),
  ...(why?.trim() && { why: why.trim() }),
});

/** For commands that were refused without a reason. */
export const decisionOf = (commandContext: Attributed): Attribution & { readonly why: string } => ({
  why: '',
  ...attributionOf(commandContext),
});

/** The same for what keeps one name: an unmatched callback. */
export const namedDecisionOf = (
  commandContext: Attributed,
): { readonly by: string; readonly why: string } => ({
  by: formatAttribution(commandContext),
  why: decisionOf(commandContext).why,
});

/** For calls that a worker must answer. For queries, which may be lost, see `queried`. */
export function withDeadline<Answer>(
  { client }: Pick<TemporalContext, 'client'>,
  ask: () => Promise<Answer>,
  withinMs = ANSWER_WITHIN_MS,
): Promise<Answer> {
  return client.withDeadline(Date.now() + withinMs, ask);
}

/** For one view that asks many processes. */
export type QueryMany = <Answer>(ask: () => Promise<Answer>) => Promise<Answer>;

/** Without a worker each would be waited for in vain: the first that is waited for in vain speaks for all. */
export function queryMany(temporal: Pick<TemporalContext, 'client'>, withinMs = ANSWER_WITHIN_MS): QueryMany {
  let hasWorker = true;
  return async (ask) => {
    if (!hasWorker) throw new CommandError('unreachable', 'NoWorker', 'no worker answers');
    try {
      return await queried(temporal, ask, withinMs);
    } catch (error) {
      const failure = grpcFailureOf(error);
      if (failure && isOutOfTime(failure)) hasWorker = false;
      throw error;
    }
  };
}

// Who looks at something must learn soon that Temporal is gone, and not wait for it.
const TEMPORAL_WITHIN_MS = 8_000;

/** For calls that Temporal itself answers, without a worker. Throws CommandError (unreachable) when it does not. */
export async function callTemporal<Answer>(
  { client }: Pick<TemporalContext, 'client'>,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await client.withDeadline(Date.now() + TEMPORAL_WITHIN_MS, ask);
  } catch (error) {
    const failure = grpcFailureOf(error);
    const isGone = failure && (failure.code === grpcCodes.unavailable || isOutOfTime(failure));
    if (!isGone && !(error instanceof CancelledFailure)) throw error;
    throw temporalIsAway({ cause: error });
  }
}

const temporalIsAway = (options?: ErrorOptions): CommandError =>
  new CommandError(
    'unreachable',
    'TemporalUnreachable',
    'Temporal does not answer. See that it runs, and that TEMPORAL_ADDRESS names it; then try again.',
    options,
  );

export type Variables = Readonly<Record<string, string | undefined>>;

/** Undefined where they are not set: then the workers alone know them. Throws CommandError (misconfigured). */
export function capabilitiesIn({ LOCKER_CAPABILITIES: text }: Variables): Capability[] | undefined {
  if (text === undefined) return undefined;
  const { data, error } = serviceProfileSettings.shape.LOCKER_CAPABILITIES.safeParse(text);
  if (!error) return data;
  const words = error.issues.map(({ message }) => message);
  throw new CommandError('misconfigured', 'WrongSettings', `LOCKER_CAPABILITIES is wrong: ${words}`);
}

/**
 * Returns the process's flow. Throws FlowNotFound or CommandError, also for a workflow that is not a process: cancelling the one of
 * an unmatched callback would lose an acknowledged callback.
 */
export async function requireOpen(client: Client, workflowId: string): Promise<string> {
  const describing = client.workflow.getHandle(workflowId).describe();
  const { status, type } = await describing.catch((cause: unknown) => {
    throw cause instanceof WorkflowNotFoundError ? new FlowNotFound(workflowId, { cause }) : cause;
  });
  if (internalWorkflows.includes(type))
    throw refused(
      'NoProcess',
      `${workflowId} is no process but a workflow ${type} of lockerflow itself; expected the business key of a process`,
    );
  if (status.name !== 'RUNNING')
    throw refused('FlowEnded', `${workflowId} has ended; expected a running flow`);
  return type;
}
