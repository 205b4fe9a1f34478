// Migrations as a caller of Temporal asks for them: one process by its key, a dry run over many, and the batch that does it.

import { createHash } from 'node:crypto';
import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import { migrateProcess, VersionsOf } from '../activities/migrations/migrate-process.ts';
import { processesOf, queryFor } from '../activities/migrations/processes-to-migrate.ts';
import { queried } from '../client/queried.ts';
import type { Attribution } from '../contract/flows/attribution.ts';
import type { BatchMemo, ControlName } from '../contract/flows/batches.ts';
import type { ProcessProgress } from '../contract/flows/flow-answers.ts';
import { MIGRATION } from '../contract/flows/flow-types.ts';
import { internalIds } from '../contract/flows/internal-ids.ts';
import type {
  MigrationGroup,
  MigrationInput,
  MigrationOutcome,
  MigrationStatus,
} from '../contract/flows/migrations.ts';
import { withOutcome } from '../flows/language/migration-groups.ts';
import { shownAsText } from '../shared/markdown/shown-as-text.ts';
import { literal } from '../shared/routing/owners.ts';
import { CommandError, commandErrorOf, refused, wrongInput } from './outcome.ts';
import { findFlow } from './views/flow-registry.ts';

export interface MigrationTarget {
  readonly flow: string;
  readonly to: number;
}

interface RequestedTarget extends MigrationTarget {
  /** Which processes alone go there, in Temporal's query language; null: all that are not there yet. */
  readonly only: string | null;
}

/**
 * The current version of a built-in flow is that of this package. The workers may be of a newer one: their processes are not carried
 * backwards, unless that version is named. Throws CommandError.
 */
export async function targetOf(
  client: Client,
  of: { readonly flow: string } | { readonly key: string },
  to: string,
): Promise<RequestedTarget> {
  const flow = 'flow' in of ? of.flow : await flowOf(client, of.key);
  const version = to === 'current' ? null : Number(to);
  if (version !== null && (!Number.isSafeInteger(version) || version < 1))
    throw wrongInput(`to ${to} is not a version; expected a number like 4, or current`);
  const found = await findFlow(client, flow);
  if (version === null) {
    if (found?.kind === 'published') return { flow, to: found.version, only: null };
    if (found) return await currentOfPackage(client, of, { flow, to: found.version });
    const words = `${flow} is not published; npx lockerflow flows lists what is`;
    throw new CommandError('notFound', 'NotFound', words);
  }
  // The workers may be of a newer package than this one, so a process is asked, and refuses a version that its worker lacks.
  if (found?.kind === 'published' && version > found.newest) {
    const words = `${flow}@${version} is not published: the newest is ${flow}@${found.newest}; publish the changed file first`;
    throw new CommandError('notFound', 'NotFound', words);
  }
  return { flow, to: version, only: null };
}

/** One that is named is asked for its version: its search attribute comes only after its booking. */
async function currentOfPackage(
  client: Client,
  of: { readonly flow: string } | { readonly key: string },
  { flow, to }: MigrationTarget,
): Promise<RequestedTarget> {
  const from = 'key' in of ? await versionOf(client, of.key) : to;
  if ('flow' in of || from <= to) return { flow, to, only: onVersionsUpTo(flow, to) };
  const words = `${of.key} is on ${flow}@${from}, and the newest of this package is ${flow}@${to}; use the package of the workers, or name the version (--to ${to})`;
  throw refused('NotPossibleNow', words);
}

async function versionOf(client: Client, key: string): Promise<number> {
  const ask = () => client.workflow.getHandle(key).query<ProcessProgress>('progress');
  try {
    return (await queried({ client }, ask, WITHIN_MS)).version;
  } catch (error) {
    throw commandErrorOf(error)?.kind === 'unreachable' ? noWorker(key, WITHIN_MS) : error;
  }
}

async function flowOf(client: Client, key: string): Promise<string> {
  try {
    const { type, status } = await client.workflow.getHandle(key).describe();
    if (status.name === 'RUNNING') return type;
    throw refused('NotPossibleNow', `${key} has ended: only a process that runs can be migrated`);
  } catch (error) {
    if (error instanceof WorkflowNotFoundError)
      throw new CommandError('notFound', 'NotFound', `there is no process ${key}`);
    throw error;
  }
}

// A person waits for it. A batch has more time, and comes back to who has not answered.
const WITHIN_MS = 10_000;

function noWorker(whose: string, withinMs: number, more = ''): CommandError {
  const words = `no worker has answered for ${whose} within ${withinMs / 1_000} s; start a worker, or check LOCKERFLOW_TASK_QUEUE${more}`;
  return new CommandError('unreachable', 'NoWorker', words);
}

/**
 * Throws CommandError if no worker answers for it in time: then it is not known whether it will still be migrated. Whoever asks again
 * asks for the same migration.
 */
export async function migrateOne(
  client: Client,
  input: MigrationInput,
  key: string,
  isApplied: boolean,
  withinMs = WITHIN_MS,
): ReturnType<typeof migrateProcess> {
  const { searchAttributes, runId } = await client.workflow.getHandle(key).describe();
  const [definition = ''] = (searchAttributes.LockerFlowVersion ?? []) as string[];
  if (isApplied && definition === `${input.flow}@${input.to}`)
    return { key, outcome: 'already', reasons: [], notes: [], overdue: 0 };
  const version = Number(definition.split('@')[1]);
  const found = { key, version: Number.isSafeInteger(version) ? version : null };
  const migrated = await migrateProcess(client, new VersionsOf(client), input, found, {
    ...(isApplied && { updateId: await updateIdOf(client, input, key, runId) }),
    withinMs,
  });
  if (migrated.outcome !== 'unanswered') return migrated;
  const more = '. A worker that is back may still take it; asked again, it is migrated once';
  throw noWorker(key, withinMs, isApplied ? more : '');
}

/** The same until the process has taken it: a worker that is back may find it asked for several times. */
async function updateIdOf(
  client: Client,
  { to, back, plan }: MigrationInput,
  key: string,
  runId: string,
): Promise<string> {
  const { events } = await client.workflow.getHandle(key, runId).fetchHistory();
  const before = (events ?? []).filter(
    ({ workflowExecutionUpdateAcceptedEventAttributes: update }) =>
      update?.acceptedRequest?.input?.name === 'migrate',
  );
  const asked = JSON.stringify([key, runId, before.length, to, back, plan]);
  return `one/${createHash('sha256').update(asked).digest('hex').slice(0, 32)}`;
}

export interface DryRun {
  readonly carried: number;
  /** How many of the carried ones have a timer that is due at once. */
  readonly overdue: number;
  readonly groups: readonly MigrationGroup[];
  /** What is carried otherwise than one may expect, and how often. */
  readonly notes: Readonly<Record<string, number>>;
}

const PAGE = 100;
// More at once would only wait for each other in the worker.
const AT_ONCE = 10;

/** The processes on one version alone, as a condition of MigrationInput's `query`. */
const onVersion = (flow: string, version: number): string =>
  `LockerFlowVersion = ${literal(`${flow}@${version}`)}`;

/** A range would compare the texts: Issue@10 is before Issue@2. */
const onVersionsUpTo = (flow: string, version: number): string =>
  `LockerFlowVersion IN (${Array.from({ length: version }, (_, index) => literal(`${flow}@${index + 1}`)).join(', ')})`;

/** Throws CommandError. */
export async function dryRun(client: Client, input: MigrationInput): Promise<DryRun> {
  const versions = new VersionsOf(client);
  let carried = 0;
  let overdue = 0;
  let groups: readonly MigrationGroup[] = [];
  const notes: Record<string, number> = {};
  const count = (
    each: MigrationOutcome & { readonly notes: readonly string[]; readonly overdue: number },
  ) => {
    if (each.outcome === 'migrated') carried += 1;
    else groups = withOutcome(groups, each);
    if (each.overdue > 0) overdue += 1;
    for (const note of each.notes) notes[note] = (notes[note] ?? 0) + 1;
  };
  let from: string | null = null;
  do {
    const page = await processesOf(client, queryFor(input), PAGE, from);
    for (let index = 0; index < page.processes.length; index += AT_ONCE) {
      const some = page.processes.slice(index, index + AT_ONCE);
      const asked = some.map((found) =>
        migrateProcess(client, versions, input, found, { withinMs: WITHIN_MS }),
      );
      const outcomes = await Promise.all(asked);
      // Else it would go on for hours, to say the same of each.
      if (outcomes.every(({ outcome }) => outcome === 'unanswered'))
        throw noWorker(some.map(({ key }) => key).join(', '), WITHIN_MS);
      for (const each of outcomes) count(each);
    }
    from = page.next;
  } while (from !== null);
  return { carried, overdue, groups, notes };
}

const idOf = ({ flow, to }: MigrationTarget): string => `${internalIds.migration}${flow} to ${to}`;

/** Throws CommandError if the same batch runs already. */
export async function startMigration(
  client: Client,
  input: MigrationInput,
  taskQueue: string,
): Promise<void> {
  try {
    await client.workflow.start(MIGRATION, {
      taskQueue,
      workflowId: idOf(input),
      args: [input],
      workflowIdConflictPolicy: 'FAIL',
      memo: {
        batch: { command: 'migrate', who: { by: input.by, why: input.why }, total: null },
      } satisfies BatchMemo,
      staticSummary: `${shownAsText(input.flow)} to version ${input.to}`,
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    throw refused(
      'NotPossibleNow',
      `a batch of ${input.flow} to ${input.to} runs already; --pause, --resume`,
    );
  }
}

/** Until it is done, or has stopped by itself; tells where it is meanwhile. */
export async function followed(
  client: Client,
  target: MigrationTarget,
  show: (status: MigrationStatus) => void,
): Promise<MigrationStatus> {
  const handle = client.workflow.getHandle(idOf(target));
  const result = handle.result() as Promise<MigrationStatus>;
  let lastShown = '';
  for (;;) {
    const done = await Promise.race([result, new Promise<null>((later) => setTimeout(later, 2_000, null))]);
    if (done) return done;
    const status = await queried({ client }, () => handle.query<MigrationStatus>('status')).catch(
      () => undefined,
    );
    if (status?.phase === 'stopped' || status?.phase === 'paused') return status;
    const words = JSON.stringify(status);
    if (status && words !== lastShown) show(status);
    lastShown = words;
  }
}

/** How many stand still on the very version to which they would go: only a later one repairs them. */
export async function haltedOn(client: Client, { flow, to }: MigrationTarget): Promise<number> {
  const query = `${onVersion(flow, to)} AND ExecutionStatus = 'Running' AND LockerPhase = 'NeedsPerson'`;
  return (await client.workflow.count(query)).count;
}

/** Throws CommandError if there is none. */
export async function controlMigration(
  client: Client,
  target: MigrationTarget,
  what: ControlName,
  who: Attribution,
): Promise<MigrationStatus> {
  try {
    return await client.workflow
      .getHandle(idOf(target))
      .executeUpdate<MigrationStatus, [Attribution]>(what, { args: [who] });
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    throw new CommandError('notFound', 'NotFound', `no batch of ${target.flow} to ${target.to} runs`);
  }
}
