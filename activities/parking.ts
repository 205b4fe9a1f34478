// Keeps reports that reached a flow and are not its own, so that nothing that was acknowledged is lost.
import { activityInfo, getClient } from '@temporalio/activity';
import { parkReport } from '../shared/routing/park.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import type { ParkInput } from './flow-activities.ts';

/** Repeated after a failure, it parks a report again; the workflow that takes them keeps each once. */
export async function parkReports(
  { parkFor }: Pick<ActivityDependencies, 'parkFor'>,
  { reports }: ParkInput,
): Promise<void> {
  const { taskQueue } = activityInfo();
  for (const report of reports) await parkReport(getClient(), { taskQueue, parkFor }, report);
}
