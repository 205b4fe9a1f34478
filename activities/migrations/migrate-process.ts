// Asks one process to go over to another version, or what would become of it. Both ask the process itself: it alone knows where
// it is.
import type { Client, WorkflowHandle } from '@temporalio/client';
import { flowTypes } from '../../contract/flows/flow-types.ts';
import type {
  FoundProcess,
  MigrationInput,
  MigrationOutcome,
  MigrationReason,
  PlanData,
} from '../../contract/flows/migrations.ts';
import { inverse, type Renames } from '../../flows/language/machine/migration.ts';
import { definitionWorkflowId, type Published } from '../../flows/language/registry.ts';

type MigrationOptions = Pick<MigrationInput, 'flow' | 'to' | 'by' | 'why' | 'plan' | 'back' | 'waits'>;

/** The update, and the query that gives its result: the engine's names for them. */
const MIGRATE = 'migrate';
const RESULT = 'migrationResult';

// Longer than a busy worker replays a long history; without a limit a query may wait for ever for a worker.
const ANSWERS_WITHIN_MS = 30_000;

interface MigrationResult {
  readonly kind: 'carried' | 'needsPlan' | 'waits' | 'refused';
  readonly obstacles: readonly MigrationReason[];
  readonly notes: readonly string[];
  /** How many of its timers are due at once. */
  readonly overdue: number;
}

/** The versions of a flow file, each fetched once. */
export class VersionsOf {
  readonly #client: Client;
  readonly #known = new Map<string, Promise<Published>>();
  readonly #names = new Map<string, Promise<Renames>>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** What names of one version are called in another one. */
  async namesBetween(name: string, from: number, to: number): Promise<Renames> {
    const id = `${name} ${from} ${to}`;
    const known = this.#names.get(id) ?? this.#fetchedNames(name, from, to);
    this.#names.set(id, known);
    known.catch(() => this.#names.delete(id));
    return await known;
  }

  async #fetchedNames(name: string, from: number, to: number): Promise<Renames> {
    const registry = this.#client.workflow.getHandle(definitionWorkflowId(name));
    const [first, last] = from < to ? [from, to] : [to, from];
    const names = await registry.query<Renames, [number, number]>('namesBetween', first, last);
    return from < to ? names : inverse(names);
  }

  /** The operator's plan, with what names have become between the version of a process and the new one. */
  async planFor(
    { flow, to, plan }: Pick<MigrationOptions, 'flow' | 'to' | 'plan'>,
    version: number | null,
  ): Promise<PlanData> {
    // Those of two neighbours are in their files.
    const isFar = version !== null && Math.abs(to - version) > 1;
    return isFar ? merged(await this.namesBetween(flow, version, to), plan) : plan;
  }

  /** Throws if the registry does not have it. */
  at(name: string, version: number): Promise<Published> {
    const id = `${name}@${version}`;
    const known = this.#known.get(id) ?? this.#fetched(name, version);
    this.#known.set(id, known);
    known.catch(() => this.#known.delete(id));
    return known;
  }

  async #fetched(name: string, version: number): Promise<Published> {
    const registry = this.#client.workflow.getHandle(definitionWorkflowId(name));
    const published = await registry.query<Published | null, [number]>('published', version);
    if (published) return published;
    throw Object.assign(
      new Error(`${name}@${version} is not published; npx lockerflow flows lists what is`),
      {
        name: 'VersionNotPublished',
      },
    );
  }
}

type AskedOutcome = MigrationOutcome & Pick<MigrationResult, 'notes' | 'overdue'>;

interface UpdateOptions {
  /** The id of the update; without one it is only asked what would become of it. */
  readonly updateId?: string | undefined;
  readonly withinMs?: number;
}

/** What the process would become, or has become with an update id. Throws only what asking again may mend. */
export async function migrateProcess(
  client: Client,
  versions: VersionsOf,
  options: MigrationOptions,
  { key, version }: FoundProcess,
  { updateId, withinMs = ANSWERS_WITHIN_MS }: UpdateOptions = {},
): Promise<AskedOutcome> {
  const handle = client.workflow.getHandle(key);
  const answered = <Answer>(ask: () => Promise<Answer>): Promise<Answer> =>
    client.withDeadline(Date.now() + withinMs, ask);
  try {
    const request = await requestFor(versions, options, version);
    const result = await answered(() =>
      updateId === undefined
        ? handle.query<MigrationResult, [object]>(RESULT, { ...request, at: new Date().toISOString() })
        : migrated(handle, request, updateId),
    );
    const outcome = result.kind === 'carried' ? 'migrated' : result.kind;
    const { obstacles: reasons, notes, overdue } = result;
    return { key, outcome, reasons, notes, overdue };
  } catch (error) {
    return { key, ...failureOutcome(error), notes: [], overdue: 0 };
  }
}

async function migrated(handle: WorkflowHandle, request: object, updateId: string): Promise<MigrationResult> {
  const { notes = [] } = await handle.executeUpdate<{ notes?: readonly string[] }, [object]>(MIGRATE, {
    args: [request],
    updateId,
  });
  return { kind: 'carried', obstacles: [], notes, overdue: 0 };
}

/** What names have become between the version of the process and the new one is known from the files between. */
async function requestFor(
  versions: VersionsOf,
  options: MigrationOptions,
  version: number | null,
): Promise<object> {
  const { flow, to, by, why, plan, back, waits } = options;
  const request = { semantics: 1, by, why, plan, ...(back && { back }), ...(waits && { wait: true }) };
  if ((flowTypes as readonly string[]).includes(flow)) return { ...request, to: { version: to } };
  const published = await versions.at(flow, to);
  return { ...request, to: published, plan: await versions.planFor(options, version) };
}

function merged(names: Readonly<Record<string, object>>, plan: PlanData): PlanData {
  const both = Object.entries(names).map(([part, own]) => [
    part,
    { ...own, ...(plan[part] as object | undefined) },
  ]);
  return { ...plan, ...Object.fromEntries(both) };
}

function failureOutcome(error: unknown): Pick<MigrationOutcome, 'outcome' | 'reasons'> {
  const { name, message, cause } = error as Error & { readonly cause?: unknown };
  const { type, details } = (cause ?? {}) as {
    readonly type?: string;
    readonly details?: readonly unknown[];
  };
  const [result] = (details ?? []) as readonly (MigrationResult | undefined)[];
  if (type === 'MigrationRefused' && result)
    return { outcome: result.kind as 'refused', reasons: result.obstacles };
  if (name === 'WorkflowNotFoundError') return { outcome: 'ended', reasons: [] };
  if (isNotAnswered(error)) return { outcome: 'unanswered', reasons: [] };
  const reason = (cause as Error | undefined)?.message ?? message;
  return { outcome: 'refused', reasons: [{ code: type ?? name, at: '', reason, remedy: '' }] };
}

/** gRPC's codes where no worker answers, or Temporal itself does not: cancelled, out of time, no poller, unavailable. */
const NOT_ANSWERED: readonly unknown[] = [1, 4, 9, 14];

function isNotAnswered(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { name, cause, code } = error as Error & { readonly code?: unknown };
  return name.includes('Timeout') || NOT_ANSWERED.includes(code) || isNotAnswered(cause);
}
