// How many processes of a flow stand where, as Temporal counts them: no process is asked.
import type { Client } from '@temporalio/client';
import { z } from 'zod';
import { callTemporal, type TemporalContext } from '../temporal-context.ts';
import { FAILED } from './counts.ts';
import { quoted } from './flow-query.ts';
import type { RegisteredFlow } from './flow-registry.ts';
import { needsPerson, reportsProblems } from './needs-person.ts';

export const flowCounts = z.object({
  open: z.int().meta({ description: 'Open processes' }),
  needsPerson: z.int(),
  overdue: z.int(),
  failed: z.int().meta({ description: 'Processes that have ended without a result within seven days' }),
});
type FlowCounts = Readonly<z.infer<typeof flowCounts>>;

const versionStatus = z.object({
  definition: z.string().nullable().meta({
    description: 'Like Issue@1; null: of processes that have not told it yet, or are on an earlier version',
  }),
  version: z.int().nullable(),
  open: z.int().meta({ description: 'Open processes on it' }),
});
/** A definition, with the open processes on it. */
export type VersionStatus = Readonly<z.infer<typeof versionStatus>>;

export const flowStatus = flowCounts
  .extend({
    flow: z.string(),
    versions: z.array(versionStatus).meta({ description: 'The newest first' }),
  })
  .meta({ title: 'FlowStatus' });
/** Where the processes of a flow stand. */
export type FlowStatus = Readonly<z.infer<typeof flowStatus>>;

const FAILED_WITHIN_MS = 7 * 86_400_000;

const openOf = (flow: string): string => `WorkflowType = ${quoted(flow)} AND ExecutionStatus = 'Running'`;

export async function readFlowStatus(
  parts: TemporalContext,
  { name: flow, newest }: Pick<RegisteredFlow, 'name' | 'newest'>,
): Promise<FlowStatus> {
  const [counts, versions] = await Promise.all([
    readFlowCounts(parts, flow),
    openByVersion(parts.client, flow, versionsUpTo(newest)),
  ]);
  const others = counts.open - versions.reduce((sum, each) => sum + each.open, 0);
  const rest = others > 0 ? [{ definition: null, version: null, open: others }] : [];
  return { flow, ...counts, versions: [...versions, ...rest] };
}

/** Older ones are not counted one by one. */
const MAX_VERSIONS = 30;

/** The newest first. */
export const versionsUpTo = (newest: number): number[] =>
  Array.from({ length: Math.min(newest, MAX_VERSIONS) }, (_, index) => newest - index);

export const openByVersion = async (client: Client, flow: string, numbers: readonly number[]) =>
  await Promise.all(
    numbers.map(async (version) => {
      const definition = `${flow}@${version}`;
      const query = `${openOf(flow)} AND LockerFlowVersion = ${quoted(definition)}`;
      return { definition, version, open: (await client.workflow.count(query)).count };
    }),
  );

export async function readFlowCounts(parts: TemporalContext, flow: string): Promise<FlowCounts> {
  const since = new Date(Date.now() - FAILED_WITHIN_MS).toISOString();
  const count = async (query: string) =>
    (await callTemporal(parts, () => parts.client.workflow.count(query))).count;
  const [open, failed] = await Promise.all([
    count(openOf(flow)),
    count(`WorkflowType = ${quoted(flow)} AND ${FAILED} AND CloseTime >= '${since}'`),
  ]);
  if (open === 0) return { open, needsPerson: 0, overdue: 0, failed };
  const problems = await callTemporal(parts, () => reportsProblems(parts.client));
  const [inNeed, overdue] = await Promise.all([
    count(`${openOf(flow)} AND ${needsPerson(problems)}`),
    count(`${openOf(flow)} AND LockerPhase = 'Overdue'`),
  ]);
  return { open, needsPerson: inNeed, overdue, failed };
}
