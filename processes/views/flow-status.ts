// How many processes of a flow stand where, as Temporal counts them.

import { z } from 'zod';
import { phases } from '../../contract/flows/flow-answers.ts';
import type { SearchAttributeName } from '../../contract/flows/search-attributes.ts';
import { flows } from '../../flows/built-in/flows.ts';
import { type AtTemporal, askedTemporal } from '../at-temporal.ts';
import { flowQuery, quoted } from './flow-query.ts';
import { FAILED } from './process-list.ts';

const versionStatus = z.object({
  definition: z.string().nullable().meta({
    description: 'Like Issue@1; null: of processes that have not told it yet, or are on an earlier version',
  }),
  version: z.int().nullable(),
  open: z.int().meta({ description: 'Open processes on it' }),
});
/** A definition, with the open processes on it. */
export type VersionStatus = Readonly<z.infer<typeof versionStatus>>;

export const flowStatus = z
  .object({
    flow: z.string(),
    open: z.int(),
    phases: z.record(z.string(), z.int()),
    versions: z.array(versionStatus).meta({ description: 'The newest first' }),
  })
  .meta({ title: 'FlowStatus' });
/** Where the processes of a flow stand. */
export type FlowStatus = Readonly<z.infer<typeof flowStatus>>;

interface FlowCounts {
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
): Promise<FlowStatus> {
  const { client } = parts;
  const [{ count: open }, phasesCounted, versions] = await Promise.all([
    client.workflow.count(openOf(flow)),
    // As the list finds them: one that still books counts as open.
    counted(phases, async (phase) => (await client.workflow.count(flowQuery({ flow: [flow], phase }))).count),
    versionsOf(parts, flow, versionNumbers(flow, published)),
  ]);
  const others = open - versions.reduce((sum, each) => sum + each.open, 0);
  const rest = others > 0 ? [{ definition: null, version: null, open: others }] : [];
  return { flow, open, phases: phasesCounted, versions: [...versions, ...rest] };
}

/** Older ones are not counted one by one. */
const MAX_VERSIONS = 30;

/** The newest first. */
function versionNumbers(flow: string, published: number | null): number[] {
  const builtIn = Object.hasOwn(flows, flow) ? flows[flow as keyof typeof flows] : {};
  if (published === null) return Object.keys(builtIn).map(Number).reverse();
  return Array.from({ length: Math.min(published, MAX_VERSIONS) }, (_, index) => published - index);
}

const versionsOf = async (
  parts: AtTemporal,
  flow: string,
  numbers: readonly number[],
): Promise<VersionStatus[]> =>
  await Promise.all(
    numbers.map(async (version) => {
      const definition = `${flow}@${version}`;
      return { definition, version, open: await countOf(parts, flow, 'LockerFlowVersion', definition) };
    }),
  );

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
