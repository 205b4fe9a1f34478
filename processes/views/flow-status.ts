// How many processes of a flow stand where. Temporal counts phases and definitions; the states themselves only the processes
// know, so the open ones are asked. A question costs no event.

import { z } from 'zod';
import { phases } from '../../contract/flows/flow-messages.ts';
import type { SearchAttributeName } from '../../contract/flows/search-attributes.ts';
import type { Position, StatePath } from '../../driver/chart/chart-view.ts';
import { eachAtOnce } from '../at-once.ts';
import { type AtTemporal, answered, askedTemporal } from '../at-temporal.ts';
import { quoted } from './flow-query.ts';
import { type FoundFlow, foundPage } from './found-flows.ts';

/** Where the processes of a flow stand. */
export interface FlowStatus {
  readonly flow: string;
  readonly open: number;
  readonly phases: Readonly<Record<string, number>>;
  /** The definitions on which open processes run, the newest first. */
  readonly versions: readonly VersionStatus[];
  /** How many of those that were asked are in each state. */
  readonly states: Readonly<Record<StatePath, number>>;
  /** How many have said where they stand; a process that no worker answers for is not counted. */
  readonly asked: number;
}

/** A definition, with the open processes on it. */
export interface VersionStatus {
  /** As `LockerFlowVersion` has it, like Issue@1; null: of processes that have not told it yet. */
  readonly definition: string | null;
  readonly version: number | null;
  readonly open: number;
  /** How many of them have said where they stand. */
  readonly asked: number;
  /** How many of those are in each state below the whole: one in parallel states is in several. */
  readonly states: Readonly<Record<string, number>>;
}

const countsByName = z.record(z.string(), z.int());

export const versionStatus = z.object({
  definition: z
    .string()
    .nullable()
    .meta({ description: 'Like Issue@1; null: of processes that have not told it yet' }),
  version: z.int().nullable(),
  open: z.int().meta({ description: 'Open processes on it' }),
  asked: z.int().meta({
    description: 'How many of them have said where they stand; the others are not counted by state',
  }),
  states: countsByName.meta({ description: 'By outermost states, of those that were asked' }),
});

export const flowStatus = z
  .object({
    flow: z.string(),
    open: z.int(),
    phases: countsByName,
    versions: z.array(versionStatus).meta({ description: 'The newest first' }),
    states: countsByName.meta({ description: 'By the paths of states, of those that were asked' }),
    asked: z.int().meta({ description: 'How many of the open ones have said where they stand' }),
  })
  .meta({ title: 'FlowStatus' }) satisfies z.ZodType<FlowStatus>;

export interface FlowCounts {
  readonly open: number;
  readonly needsPerson: number;
  readonly overdue: number;
}

/** More would keep the workers from their own work. All are asked at once: one whose worker is away delays no other. */
const ASKED_AT_ONCE = 100;
/** Those that are counted. Beyond, the numbers are of a part, and say so. */
const MOST_COUNTED = 5_000;
const PAGE = 1_000;
/** Who reads it waits no longer; what is not known by then comes with a later reading. */
const WITHIN_MS = 3_000;

/** Where processes were when they were asked last, by run: who keeps it has all of them after some readings. */
export interface KnownPositions {
  get(runId: string): KnownPosition | undefined;
  set(runId: string, position: KnownPosition): unknown;
}

export interface KnownPosition {
  readonly at: number;
  readonly active: readonly StatePath[];
}

const openOf = (flow: string): string => `WorkflowType = ${quoted(flow)} AND ExecutionStatus = 'Running'`;

/** @param published its newest published version; null for a built-in flow */
export async function readFlowStatus(
  parts: AtTemporal,
  flow: string,
  published: number | null,
  known: KnownPositions = new Map(),
): Promise<FlowStatus> {
  const { client } = parts;
  const query = openOf(flow);
  const [{ count: open }, phasesCounted, newest] = await Promise.all([
    client.workflow.count(query),
    counted(phases, (phase) => countOf(parts, flow, 'LockerPhase', phase)),
    newestOf(parts, query),
  ]);
  await askSome(parts, newest, known);
  const active: string[] = [];
  const outermost = new Map<string | null, string[][]>();
  let asked = 0;
  for (const { runId, definition } of newest) {
    const position = known.get(runId);
    // No worker has answered for it yet: it is not counted.
    if (!position) continue;
    asked += 1;
    const paths = position.active.filter((path) => path !== '');
    active.push(...paths);
    const outer = paths.filter((path) => !path.includes('.'));
    outermost.set(definition, [...(outermost.get(definition) ?? []), outer]);
  }
  const versions = await versionsOf(parts, { flow, newest, published, outermost });
  return { flow, open, phases: phasesCounted, versions, states: tally(active), asked };
}

async function newestOf({ client }: AtTemporal, query: string): Promise<FoundFlow[]> {
  const all: FoundFlow[] = [];
  let from: string | null | undefined;
  while (from !== null && all.length < MOST_COUNTED) {
    const { flows, next } = await foundPage(client, query, { size: PAGE, ...(from && { from }) });
    all.push(...flows);
    from = next;
  }
  return all;
}

/** Those that were never asked, then those that were asked longest ago: as many as there is time for. */
async function askSome(parts: AtTemporal, all: readonly FoundFlow[], known: KnownPositions): Promise<void> {
  const askedAt = ({ runId }: FoundFlow) => known.get(runId)?.at ?? 0;
  const never = all.filter((each) => askedAt(each) === 0);
  const before = all.filter((each) => askedAt(each) > 0);
  const again = before.toSorted((one, other) => askedAt(one) - askedAt(other)).slice(0, ASKED_AT_ONCE);
  const interrupted = AbortSignal.timeout(WITHIN_MS);
  const ask = async ({ workflowId, runId }: FoundFlow) => {
    const handle = parts.client.workflow.getHandle(workflowId, runId);
    const { active } = await answered(parts, () => handle.query<Position>('position'), WITHIN_MS);
    known.set(runId, { at: Date.now(), active });
  };
  // Each keeps what it is told; one that is not answered for is left as it was.
  for await (const _ of eachAtOnce([...never, ...again], ask, { atOnce: ASKED_AT_ONCE, interrupted }));
}

interface Versioned {
  readonly flow: string;
  readonly newest: readonly FoundFlow[];
  /** The newest published version; null for a built-in flow. */
  readonly published: number | null;
  /** For each process that was asked. */
  readonly outermost: ReadonlyMap<string | null, readonly (readonly string[])[]>;
}

/** Older ones are counted only where one of the newest processes runs on them. */
const MOST_VERSIONS = 30;

async function versionsOf(
  parts: AtTemporal,
  { flow, newest, published, outermost }: Versioned,
): Promise<VersionStatus[]> {
  const counted = new Map<string | null, number>();
  for (const { definition } of newest) counted.set(definition, (counted.get(definition) ?? 0) + 1);
  const last = published ?? 0;
  const numbers = Array.from({ length: Math.min(last, MOST_VERSIONS) }, (_, index) => last - index);
  const definitions = new Set([...numbers.map((number) => `${flow}@${number}`), ...counted.keys()]);
  const all = [...definitions].map(async (definition): Promise<VersionStatus> => {
    const count =
      definition === null
        ? (counted.get(null) ?? 0)
        : await countOf(parts, flow, 'LockerFlowVersion', definition);
    const number = Number(definition?.slice(definition.lastIndexOf('@') + 1));
    return {
      ...{ definition, version: Number.isSafeInteger(number) ? number : null, open: count },
      asked: outermost.get(definition)?.length ?? 0,
      states: tally((outermost.get(definition) ?? []).flat()),
    };
  });
  return (await Promise.all(all)).sort((one, other) => (other.version ?? -1) - (one.version ?? -1));
}

/** Without asking a process. */
export async function flowCounts(parts: AtTemporal, flow: string): Promise<FlowCounts> {
  const { count: open } = await askedTemporal(parts, () => parts.client.workflow.count(openOf(flow)));
  if (open === 0) return { open, needsPerson: 0, overdue: 0 };
  const [needsPerson, overdue] = await askedTemporal(parts, () =>
    Promise.all([
      countOf(parts, flow, 'LockerPhase', 'NeedsPerson'),
      countOf(parts, flow, 'LockerPhase', 'Overdue'),
    ]),
  );
  return { open, needsPerson, overdue };
}

async function countOf(
  { client }: AtTemporal,
  flow: string,
  attribute: SearchAttributeName,
  value: string,
): Promise<number> {
  const { count } = await client.workflow.count(`${openOf(flow)} AND ${attribute} = ${quoted(value)}`);
  return count;
}

async function counted(
  names: readonly string[],
  count: (name: string) => Promise<number>,
): Promise<Record<string, number>> {
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await count(name)] as const)));
}

function tally(names: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries(counts);
}
