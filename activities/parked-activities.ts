// The activities of parked reports: park them; look again for the flow that waits (deliverParked); give them to one flow
// (deliverTo).
import { ApplicationFailure, activityInfo, getClient } from '@temporalio/activity';
import type { ShipmentReport } from '../contract/flows/flow-messages.ts';
import { parkReport } from '../shared/routing/park.ts';
import { ReportRouter, type Routed } from '../shared/routing/route-report.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import type { ParkInput } from './flow-activities.ts';
import { perClient } from './per-client.ts';

export interface ParkedActivities {
  /** The flows that took the reports. Fails, to be repeated, as long as no flow waits for one of them. */
  deliverParked(input: { readonly reports: readonly ShipmentReport[] }): Promise<readonly string[]>;
  /** Fails with FlowNotFound when that workflow is not running. */
  deliverTo(input: {
    readonly workflowId: string;
    readonly reports: readonly ShipmentReport[];
  }): Promise<void>;
}

// For a whole worker: thousands that are parked, as after a failure, try again at the same time, and must leave most of
// the namespace's quota to others.
const QUESTIONS_PER_SECOND = 2;

export function parkedActivities(): ParkedActivities {
  // By its uid alone: the flow that its case number names has had it, and parked it as not its own.
  const routing = { byCase: false, questionsPerSecond: QUESTIONS_PER_SECOND };
  const router = perClient((client) => new ReportRouter(client, routing));
  return {
    async deliverParked({ reports }) {
      const [first, ...rest] = reports;
      if (!first) return [];
      const { to, workflowIds } = await routed(router(), first);
      if (to === 'flows') {
        await deliverEach(router(), workflowIds, rest);
        return workflowIds;
      }
      const others = await Promise.all(rest.map((report) => routed(router(), report)));
      return [...new Set([{ workflowIds }, ...others].flatMap((each) => each.workflowIds))];
    },
    async deliverTo({ workflowId, reports }) {
      for (const report of reports)
        if (!(await router().deliver(report, workflowId)))
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

async function routed(
  router: ReportRouter,
  report: ShipmentReport,
): Promise<Exclude<Routed, { readonly to: 'noFlow' }>> {
  const routing = await router.route(report);
  if (routing.to === 'noFlow') throw noFlowWaits();
  return routing;
}

/** They are all of one shipment. One after the other: a flow hears of its states in their order. */
async function deliverEach(
  router: ReportRouter,
  workflowIds: readonly string[],
  reports: readonly ShipmentReport[],
): Promise<void> {
  for (const report of reports)
    for (const workflowId of workflowIds)
      if (!(await router.deliver(report, workflowId))) throw noFlowWaits();
}

/** A retry parks the same reports again; the ParkedCallback workflow drops duplicates. */
export async function parkReports(
  { parkFor }: Pick<ActivityDependencies, 'parkFor'>,
  { reports }: ParkInput,
): Promise<void> {
  const { taskQueue } = activityInfo();
  for (const report of reports) await parkReport(getClient(), { taskQueue, parkFor }, report);
}
