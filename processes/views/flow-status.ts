// How many processes of a flow stand where. Temporal counts phases and definitions; the states themselves only the processes
// know, so the open ones are asked. A question costs no event.

import { z } from 'zod';
import { phases } from '../../contract/flows/flow-messages.ts';
import type { SearchAttributeName } from '../../contract/flows/search-attributes.ts';
import type { StatePath } from '../../engine/chart/chart-view.ts';
import { type AtTemporal, askedTemporal } from '../at-temporal.ts';
import { flowQuery, quoted } from './flow-query.ts';
import type { FoundFlow } from './found-flows.ts';
import { FAILED } from './overview/counts.ts';
import type { FlowPositions } from './overview/flow-positions.ts';

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
  /** How many are asked at all: of very many only the newest. */
  readonly counted: number;
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
    counted: z.int().meta({ description: 'How many are asked at all: of very many only the newest' }),
  })
  .meta({ title: 'FlowStatus' }) satisfies z.ZodType<FlowStatus>;

export interface FlowCounts {
  readonly open: number;
  readonly needsPerson: number;
  readonly overdue: number;
  /** Those that have ended without a result within seven days. */
  readonly failed: number;
}

const FAILED_WITHIN_MS = 7 * 86_400_000;

const openOf = (flow: string): string => `WorkflowType = ${quoted(flow)} AND ExecutionStatus = 'Running'`;

/** @param published its newest published version; null for a built-in flow */
export async function readFlowStatus(
  parts: AtTemporal,
  flow: string,
  published: number | null,
  positions: FlowPositions,
): Promise<FlowStatus> {
  const { client } = parts;
  const [{ count: open }, phasesCounted, { processes: newest, isWhole }] = await Promise.all([
    client.workflow.count(openOf(flow)),
    // As the list finds them: one that still books counts as open.
    counted(phases, async (phase) => (await client.workflow.count(flowQuery({ flow: [flow], phase }))).count),
    positions.of(flow),
  ]);
  const active: string[] = [];
  const outermost = new Map<string | null, string[][]>();
  let asked = 0;
  for (const { active: all, definition } of newest) {
    // No worker has answered for it yet: it is not counted.
    if (!all) continue;
    asked += 1;
    const paths = all.filter((path) => path !== '');
    active.push(...paths);
    const outer = paths.filter((path) => !path.includes('.'));
    outermost.set(definition, [...(outermost.get(definition) ?? []), outer]);
  }
  const versions = await versionsOf(parts, { flow, newest, published, outermost });
  return {
    flow,
    open,
    phases: phasesCounted,
    versions,
    states: tally(active),
    asked,
    counted: isWhole ? open : newest.length,
  };
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
const MAX_VERSIONS = 30;

async function versionsOf(
  parts: AtTemporal,
  { flow, newest, published, outermost }: Versioned,
): Promise<VersionStatus[]> {
  const counted = new Map<string | null, number>();
  for (const { definition } of newest) counted.set(definition, (counted.get(definition) ?? 0) + 1);
  const last = published ?? 0;
  const numbers = Array.from({ length: Math.min(last, MAX_VERSIONS) }, (_, index) => last - index);
  const definitions = new Set([...numbers.map((number) => `${flow}@${number}`), ...counted.keys()]);
  const all = [...definitions].map(async (definition): Promise<VersionStatus> => {
    const count =
      definition === null
        ? (counted.get(null) ?? 0)
        : await countOf(parts, flow, 'LockerFlowVersion', definition);
    const number = Number(definition?.slice(definition.lastIndexOf('@') + 1));
    return {
      definition,
      version: Number.isSafeInteger(number) ? number : null,
      open: count,
      asked: outermost.get(definition)?.length ?? 0,
      states: tally((outermost.get(definition) ?? []).flat()),
    };
  });
  return (await Promise.all(all)).sort((one, other) => (other.version ?? -1) - (one.version ?? -1));
}

/** Without asking a process. */
export async function flowCounts(parts: AtTemporal, flow: string): Promise<FlowCounts> {
  const since = new Date(Date.now() - FAILED_WITHIN_MS).toISOString();
  const lately = `WorkflowType = ${quoted(flow)} AND ${FAILED} AND CloseTime >= '${since}'`;
  const { workflow } = parts.client;
  const [{ count: open }, { count: failed }] = await askedTemporal(parts, () =>
    Promise.all([workflow.count(openOf(flow)), workflow.count(lately)]),
  );
  if (open === 0) return { open, needsPerson: 0, overdue: 0, failed };
  const [needsPerson, overdue] = await askedTemporal(parts, () =>
    Promise.all([
      countOf(parts, flow, 'LockerPhase', 'NeedsPerson'),
      countOf(parts, flow, 'LockerPhase', 'Overdue'),
    ]),
  );
  return { open, needsPerson, overdue, failed };
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
