// The batches that run or have run, migrations among them, and where each is.
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { BatchMemo, BatchStatus } from '../../contract/flows/batches.ts';
import { BATCH, MIGRATION } from '../../contract/flows/flow-types.ts';
import { internalIds } from '../../contract/flows/internal-ids.ts';
import type { MigrationStatus } from '../../contract/flows/migrations.ts';
import { countOf } from '../../flows/language/migration-groups.ts';
import { literal } from '../../shared/routing/owners.ts';
import { canBeTakenBack } from '../commands/moved-end.ts';
import { CommandError, commandErrorOf } from '../outcome.ts';
import { callTemporal, type QueryMany, queryMany, type TemporalContext } from '../temporal-context.ts';
import { OFFERED_FOR_MS } from '../views/undoable.ts';

type Description = Awaited<ReturnType<ReturnType<Client['workflow']['getHandle']>['describe']>>;

export interface BatchView {
  readonly id: string;
  /** `migrate` for a migration. */
  readonly command: string;
  readonly by: string | null;
  readonly onBehalfOf: string | null;
  readonly why: string | null;
  readonly startedAt: string;
  /** Null while it runs. */
  readonly closedAt: string | null;
  /** Null: no worker has answered, or somebody has terminated it at Temporal. */
  readonly status: BatchProgress | null;
  /** The batch that it takes back. */
  readonly undoes: string | null;
  /** The batch that takes it back. */
  readonly undoneBy: string | null;
  /** Until when what it did can be taken back; null: it cannot, or not any more. */
  readonly undoUntil: string | null;
}

/** A migration learns only at its end how many there are, and may stop by itself. */
export interface BatchProgress extends Omit<BatchStatus, 'phase' | 'total'> {
  readonly phase: BatchStatus['phase'] | 'stopped';
  readonly total: number | null;
  /** Why it has stopped by itself. */
  readonly stopped?: string | undefined;
}

const idIn = (workflowId: string): string =>
  workflowId.startsWith(internalIds.batch) ? workflowId.slice(internalIds.batch.length) : workflowId;

export function batchHandle({ client }: Pick<TemporalContext, 'client'>, id: string) {
  if (!id.startsWith(internalIds.migration)) return client.workflow.getHandle(`${internalIds.batch}${id}`);
  const [workflowId = id, runId] = id.split(OF_RUN);
  return client.workflow.getHandle(workflowId, runId);
}

/** A flow is migrated to a version by one workflow at a time: those before the newest are told apart by their run. */
const OF_RUN = '/';

/** More nobody looks at. */
const MAX_LISTED = 50;

/** The newest first. */
export async function listBatches(temporal: TemporalContext): Promise<BatchView[]> {
  const { client, taskQueue } = temporal;
  const types = `WorkflowType IN (${[BATCH, MIGRATION].map(literal).join(', ')})`;
  const query = `${types} AND TaskQueue = ${literal(taskQueue)} AND ExecutionStatus != 'ContinuedAsNew'`;
  const found = await callTemporal(temporal, async () => {
    const all = new Map<string, Description>();
    for await (const each of client.workflow.list({ query, pageSize: MAX_LISTED })) {
      if (all.size >= MAX_LISTED) break;
      const { workflowId, runId, type } = each;
      const id = idIn(workflowId);
      if (!all.has(id)) all.set(id, each as Description);
      // A batch that has been tried again has several runs; a migration is another one each time.
      else if (type === MIGRATION) all.set(`${id}${OF_RUN}${runId}`, each as Description);
    }
    return all;
  });
  const ask = queryMany(temporal);
  return await Promise.all(
    [...found].map(([id, each]) =>
      viewOf(temporal, { id, found: each }, ask, (undoId) => Promise.resolve(found.has(undoId))),
    ),
  );
}

/** Throws CommandError where there is none. */
export async function readBatch(temporal: TemporalContext, id: string): Promise<BatchView> {
  const found = await describeBatch(temporal, id);
  return await viewOf(temporal, { id, found }, queryMany(temporal), (undoId) =>
    describeBatch(temporal, undoId).then(
      () => true,
      (error) => {
        if (commandErrorOf(error)?.kind === 'notFound') return false;
        throw error;
      },
    ),
  );
}

/** Tried again it is another run, which may have done more. */
export const undoIdOf = (id: string, runId: string): string => `undo-${id}-${runId.slice(0, 8)}`;

/** Milliseconds since 1970: as long as an end that one person has moved alone. */
export const undoUntil = (closedAt: Date): number => closedAt.getTime() + OFFERED_FOR_MS;

/** Throws CommandError where there is none. */
export async function describeBatch(temporal: TemporalContext, id: string): Promise<Description> {
  try {
    return await callTemporal(temporal, () => batchHandle(temporal, id).describe());
  } catch (cause) {
    if (!(cause instanceof WorkflowNotFoundError)) throw cause;
    throw new CommandError('notFound', 'NotFound', `there is no batch ${id}; lockerflow batch list`, {
      cause,
    });
  }
}

async function viewOf(
  temporal: TemporalContext,
  { id, found }: { readonly id: string; readonly found: Description },
  ask: QueryMany,
  isThere: (id: string) => Promise<boolean>,
): Promise<BatchView> {
  const { runId, type, memo, startTime, closeTime } = found;
  const { batch } = (memo ?? {}) as Partial<BatchMemo>;
  const { by = null, onBehalfOf = null, why = null } = batch?.who ?? {};
  const command = batch?.command ?? (type === MIGRATION ? 'migrate' : '');
  const undoId = undoIdOf(id, runId);
  const isUndoable = closeTime !== undefined && canBeTakenBack(command);
  const [answer, isUndone] = await Promise.all([
    statusOf(temporal, found, ask),
    isUndoable && isThere(undoId),
  ]);
  const isOffered =
    isUndoable &&
    !isUndone &&
    (answer as BatchStatus | null)?.done !== 0 &&
    undoUntil(closeTime) > Date.now();
  return {
    id,
    command,
    ...{ by, onBehalfOf, why },
    startedAt: startTime.toISOString(),
    closedAt: closeTime?.toISOString() ?? null,
    status: answer && ('total' in answer ? answer : progressOf(answer)),
    undoes: batch?.undoes ?? null,
    undoneBy: isUndone ? undoId : null,
    undoUntil: isOffered ? new Date(undoUntil(closeTime)).toISOString() : null,
  };
}

/** One that has ended says it in its result, without a worker. */
async function statusOf(
  { client }: TemporalContext,
  { workflowId, runId, status }: Description,
  ask: QueryMany,
): Promise<BatchStatus | MigrationStatus | null> {
  const handle = client.workflow.getHandle(workflowId, runId);
  try {
    return status.name === 'RUNNING'
      ? await ask(() => handle.query<BatchStatus | MigrationStatus>('status'))
      : ((await ask(() => handle.result())) as BatchStatus | MigrationStatus);
  } catch (error) {
    if (status.name === 'RUNNING' && commandErrorOf(error)?.kind !== 'unreachable') throw error;
    return null;
  }
}

const progressOf = ({ phase, stopped, migrated, groups, control }: MigrationStatus): BatchProgress => ({
  phase,
  ...(stopped !== undefined && { stopped }),
  total: null,
  done: migrated,
  refused: countOf(groups, ['refused', 'needsPlan', 'waits']),
  unknown: countOf(groups, ['unanswered']),
  ...(control && { control }),
});
