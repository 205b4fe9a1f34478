// Callbacks that no flow waits for, and messages of unknown types: what is kept of them, one reader for all.
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { startedWith } from '../../client/started-with.ts';
import { UNMATCHED_CALLBACK } from '../../contract/flows/flow-types.ts';
import { internalIds } from '../../contract/flows/internal-ids.ts';
import type { Unmatched, UnmatchedInput, UnmatchedMemo } from '../../contract/flows/unmatched-callback.ts';
import { unmatchedId } from '../../shared/routing/keep-unmatched.ts';
import { eachAtOnce } from '../at-once.ts';
import { CommandError } from '../outcome.ts';
import { type QueryMany, queryMany, type TemporalContext, withDeadline } from '../temporal-context.ts';
import type { FoundFlow } from './found-flows.ts';

export interface UnmatchedFilter {
  readonly kind?: 'shipment' | 'message';
  readonly closed?: true;
}

export function unmatchedQuery({ kind, closed }: UnmatchedFilter): string {
  const conditions = [
    `WorkflowType = '${UNMATCHED_CALLBACK}'`,
    // A run that continued as the next one is not closed.
    closed
      ? "ExecutionStatus != 'Running' AND ExecutionStatus != 'ContinuedAsNew'"
      : "ExecutionStatus = 'Running'",
  ];
  // Their workflow ids show it (shared/routing/keep-unmatched.ts).
  if (kind === 'message') conditions.push(`WorkflowId STARTS_WITH '${internalIds.unmatched}message:'`);
  if (kind === 'shipment') conditions.push(`NOT WorkflowId STARTS_WITH '${internalIds.unmatched}message:'`);
  return conditions.join(' AND ');
}

export interface UnmatchedRow {
  readonly workflowId: string;
  readonly status: string;
  readonly input: UnmatchedInput;
  readonly since: string | null;
  /** Callbacks that were given up: too many came, or no flow claimed them in time. */
  readonly givenUp: number;
  /** From the newest report; null where a message has none, or no worker answers. */
  readonly newest: Newest | null;
}

export interface Newest {
  readonly stateCode: string;
  readonly case: string | null;
  readonly pickUpPoint: string | null;
}

/** Without those that the list, which lags behind, still calls running although they have ended. */
export async function unmatchedRows(
  temporal: TemporalContext,
  found: readonly FoundFlow[],
): Promise<UnmatchedRow[]> {
  const rows = new Map<string, UnmatchedRow | undefined>();
  const asking = queryMany(temporal);
  for await (const { item, outcome } of eachAtOnce(found, (flow) => rowOf(temporal, asking, flow))) {
    if (!outcome.done) throw outcome.error;
    rows.set(item.runId, outcome.value);
  }
  return found.flatMap(({ runId }) => rows.get(runId) ?? []);
}

/** From the history and the memo, so it needs no worker; with an odd uid, the workflow id does not show the uid. */
async function rowOf(
  temporal: TemporalContext,
  asking: QueryMany,
  { workflowId, runId, status, startedAt }: FoundFlow,
): Promise<UnmatchedRow | undefined> {
  const { client } = temporal;
  const handle = client.workflow.getHandle(workflowId, runId);
  const [{ input }, { memo = {}, status: now }, newest] = await Promise.all([
    startedWith(client, workflowId, runId),
    handle.describe(),
    // The reports themselves a worker must tell; without one the list is told without them.
    asking(() => handle.query<Unmatched>('unmatched')).then(newestOf, () => null),
  ]);
  // A run that has continued as the next one has not ended.
  if (status === 'Running' && now.name !== 'RUNNING' && now.name !== 'CONTINUED_AS_NEW') return undefined;
  const { since = startedAt, givenUp = 0, followedBy } = memo as Partial<UnmatchedMemo>;
  // It has kept nothing: it says which process follows a shipment.
  if (followedBy && newest === null) return undefined;
  return { workflowId, status, input: input as UnmatchedInput, since, givenUp, newest };
}

function newestOf({ kept, settled }: Unmatched): Newest | null {
  const { callback } = kept.at(-1) ?? settled.at(-1) ?? {};
  if (!callback || !('stateCode' in callback)) return null;
  const { stateCode, referenceCaseNo, pupUid } = callback;
  return { stateCode, case: referenceCaseNo, pickUpPoint: pupUid };
}

const notUnmatched = (words: string, options?: ErrorOptions) =>
  new CommandError('notFound', 'UnmatchedNotFound', words, options);

/** Throws CommandError for what is no unmatched callback. */
export async function requireUnmatched(client: Client, workflowId: string): Promise<void> {
  const { type } = await client.workflow
    .getHandle(workflowId)
    .describe()
    .catch((cause: unknown) => {
      if (!(cause instanceof WorkflowNotFoundError)) throw cause;
      throw notUnmatched(`there is no unmatched callback ${workflowId}`, { cause });
    });
  if (type !== UNMATCHED_CALLBACK)
    throw notUnmatched(`${workflowId} is of the type ${type}, not an unmatched callback`);
}

/** Accepts a workflow id or a shipmentUid. */
export const unmatchedIdOf = (id: string): string =>
  id.startsWith(internalIds.unmatched) ? id : unmatchedId(id);

type Handle = ReturnType<Client['workflow']['getHandle']>;

export async function atUnmatched<Answer>(
  temporal: TemporalContext,
  workflowId: string,
  ask: (handle: Handle) => Promise<Answer>,
): Promise<Answer> {
  await requireUnmatched(temporal.client, workflowId);
  return withDeadline(temporal, () => ask(temporal.client.workflow.getHandle(workflowId)));
}
