// The activities of unmatched reports: hand them on or keep them; search for the flow that waits (deliverUnmatched); give them to one flow
// (deliverTo).
import { ApplicationFailure, activityInfo, getClient } from '@temporalio/activity';
import type { ShipmentReport } from '../contract/flows/flow-messages.ts';
import { keepReport } from '../shared/routing/keep-unmatched.ts';
import { OwnerSearch } from '../shared/routing/owner-search.ts';
import { ReportRouter, type Routed } from '../shared/routing/route-report.ts';
import { RunningProcesses, signalReport } from '../shared/routing/running-processes.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import type { KeepInput } from './flow-activities.ts';
import { perClient } from './per-client.ts';

export interface UnmatchedActivities {
  /** The flows that took the reports. Fails, to be repeated, as long as no flow waits for one of them. */
  deliverUnmatched(input: { readonly reports: readonly ShipmentReport[] }): Promise<readonly string[]>;
  /** Fails with FlowNotFound when that workflow is not running. */
  deliverTo(input: {
    readonly workflowId: string;
    readonly reports: readonly ShipmentReport[];
  }): Promise<void>;
}

// For a whole worker: thousands that are kept, as after a failure, try again at the same time, and must leave most of
// the namespace's quota to others.
const QUESTIONS_PER_SECOND = 2;

export function unmatchedActivities(): UnmatchedActivities {
  const search = perClient((client) => new OwnerSearch(client, QUESTIONS_PER_SECOND));
  return {
    async deliverUnmatched({ reports }) {
      const [first, ...rest] = reports;
      if (!first) return [];
      const { to, workflowIds } = await found(search(), first);
      if (to === 'flows') {
        await deliverEach(workflowIds, rest);
        return workflowIds;
      }
      const others = await Promise.all(rest.map((report) => found(search(), report)));
      return [...new Set([{ workflowIds }, ...others].flatMap((each) => each.workflowIds))];
    },
    async deliverTo({ workflowId, reports }) {
      for (const report of reports)
        if (!(await signalReport(getClient(), report, workflowId)))
          throw ApplicationFailure.nonRetryable(`${workflowId} is not running`, 'FlowNotFound');
    },
  };
}

/**
 * Milliseconds. A flow that is just booking gets its first callback within milliseconds, and visibility shows it 0.2 s after its
 * booking with 8 flows at a time, 2 s with 40 (measured).
 */
const SOON_MS = [200, 500, 1_000, 2_000];
const LATER_MS = 30_000;
const LATEST_MS = 3_600_000;

function noFlowWaits(): ApplicationFailure {
  const { attempt } = activityInfo();
  const later = Math.min(LATEST_MS, LATER_MS * 2 ** (attempt - SOON_MS.length - 1));
  return ApplicationFailure.create({
    type: 'NoFlowWaits',
    category: 'BENIGN',
    nextRetryDelay: SOON_MS[attempt - 1] ?? later,
  });
}

async function found(
  search: OwnerSearch,
  report: ShipmentReport,
): Promise<Exclude<Routed, { readonly to: 'noFlow' }>> {
  const routed = await search.deliver(report);
  if (routed.to === 'noFlow') throw noFlowWaits();
  return routed;
}

/** They are all of one shipment. One after the other: a flow hears of its states in their order. */
async function deliverEach(
  workflowIds: readonly string[],
  reports: readonly ShipmentReport[],
): Promise<void> {
  for (const report of reports)
    for (const workflowId of workflowIds)
      if (!(await signalReport(getClient(), report, workflowId))) throw noFlowWaits();
}

// By its uid alone: the process that its case number names has had it.
const router = perClient((client) => new ReportRouter(client, { byCase: false }));
const processes = perClient((client) => new RunningProcesses(client));

/** A retry sends the same reports again: a flow counts a repetition, and the UnmatchedCallback workflow drops it. */
export async function keepReports(
  { keepFor }: Pick<ActivityDependencies, 'keepFor'>,
  { reports }: KeepInput,
): Promise<void> {
  const { taskQueue, workflowExecution } = activityInfo();
  for (const { passOnTo, ...report } of reports) {
    if (passOnTo !== undefined && (await processes().signal(report, passOnTo)) === true) continue;
    const { to } = await router().route(report, workflowExecution?.workflowId);
    if (to === 'noFlow') await keepReport(getClient(), { taskQueue, keepFor }, report);
  }
}
