// How many processes of a flow stand where. Temporal counts phases and definitions; the states themselves only the processes
// know, so the newest open ones are asked. A question costs no event.

import { phases } from '../../contract/flows/flow-messages.ts';
import type { Position, StatePath } from '../../driver/chart/chart-view.ts';
import { eachAtOnce } from '../at-once.ts';
import { type AtTemporal, answered } from '../at-temporal.ts';
import { quoted } from './flow-query.ts';
import { type FoundFlow, foundPage } from './found-flows.ts';

/** Where the processes of a flow stand. */
export interface FlowStatus {
  readonly flow: string;
  readonly open: number;
  readonly phases: Readonly<Record<string, number>>;
  /** How many open processes run on each definition. */
  readonly versions: Readonly<Record<string, number>>;
  /** How many of those that were asked are in each state. */
  readonly states: Readonly<Record<StatePath, number>>;
  /** The newest open ones; a process that no worker answers for is not counted. */
  readonly asked: number;
}

export interface FlowCounts {
  readonly open: number;
  readonly needsPerson: number;
  readonly overdue: number;
}

/** More would keep the workers from their own work. All are asked at once: one whose worker is away delays no other. */
const MOST_ASKED = 100;

const openOf = (flow: string): string => `WorkflowType = ${quoted(flow)} AND ExecutionStatus = 'Running'`;

export async function flowStatus(parts: AtTemporal, flow: string): Promise<FlowStatus> {
  const { client } = parts;
  const query = openOf(flow);
  const [{ count: open }, phasesCounted, { flows: newest }] = await Promise.all([
    client.workflow.count(query),
    counted(phases, (phase) => countOf(parts, flow, phase)),
    foundPage(client, query, { size: MOST_ASKED }),
  ]);
  const versions = tally(newest.map(({ definition }) => definition ?? 'not told yet'));
  const active: string[] = [];
  let asked = 0;
  const position = ({ workflowId, runId }: FoundFlow) =>
    answered(parts, () => client.workflow.getHandle(workflowId, runId).query<Position>('position'));
  for await (const { outcome } of eachAtOnce(newest, position, { atOnce: MOST_ASKED })) {
    // No worker answers for it now: it is not counted.
    if (!outcome.done) continue;
    asked += 1;
    active.push(...outcome.value.active.filter((path) => path !== ''));
  }
  return { flow, open, phases: phasesCounted, versions, states: tally(active), asked };
}

/** Without asking a process. */
export async function flowCounts(parts: AtTemporal, flow: string): Promise<FlowCounts> {
  const [{ count: open }, needsPerson, overdue] = await Promise.all([
    parts.client.workflow.count(openOf(flow)),
    countOf(parts, flow, 'NeedsPerson'),
    countOf(parts, flow, 'Overdue'),
  ]);
  return { open, needsPerson, overdue };
}

async function countOf({ client }: AtTemporal, flow: string, phase: string): Promise<number> {
  const { count } = await client.workflow.count(`${openOf(flow)} AND LockerPhase = ${quoted(phase)}`);
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
